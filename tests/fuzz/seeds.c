// SPDX-License-Identifier: GPL-2.0
/*
 * seeds.c - writes the inputs that the corpus began with: what well-behaved
 * peers say, and what a pool looks like.  `seeds DIR` fills DIR/TARGET/NAME; the
 * same bytes each time.
 */
#include <endian.h>
#include <sys/stat.h>

#include "bed.h"
#include "client.h"
#include "message.h"
#include "super.h"
#include "volume.h"

#define ROOM 16384

static const char *out;

/* What is being written. */
static uint8_t text[ROOM];
static size_t used;

static void begin(uint8_t first)
{
	text[0] = first;
	used = 1;
}

static void put(const void *data, size_t len)
{
	REQUIRE(used + len <= ROOM);
	memcpy(text + used, data, len);
	used += len;
}

/* A message with its length before it. */
static void put_sized(const void *data, size_t len)
{
	uint8_t length[2] = { len, len >> 8 };

	put(length, 2);
	put(data, len);
}

static void end(const char *target, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", out, target);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/%s", out, target, name);
	file = fopen(path, "w");
	REQUIRE(file && fwrite(text, 1, used, file) == used && !fclose(file));
}

static struct farmem_msg head(unsigned int type, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(type),
		.length = htole32(len),
		.id = htole32(7),
	};
}

/* fuzz_server.c */

static void server_request(const char *name, uint16_t index, uint16_t flags)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.flags = htole16(flags),
		.incarnation = htole64(5),
		.queue_index = htole16(index),
		.queue_count = htole16(4),
		.depth = htole16(128),
		.identity = "identity",
	};

	if (index)
		memset(req.token, 0x55, sizeof(req.token));
	begin(0);
	put(&req, sizeof(req));
	end("server", name);
}

static void server_hello(void)
{
	struct farmem_hello hello = {
		.msg = head(FARMEM_MSG_HELLO, sizeof(hello)),
		.name = "node-1.example",
		.incarnation = htole64(5),
	};

	begin(1);
	put(&hello, sizeof(hello));
	end("server", "hello");
}

static void server_open(void)
{
	struct farmem_open open = {
		.msg = head(FARMEM_MSG_OPEN, sizeof(open)),
		.uuid = { 1 },
		.name = "swap",
		.capacity = htole64(1 << 30),
		.flags = htole32(FARMEM_OPEN_CREATE),
	};

	begin(1);
	put(&open, sizeof(open));
	end("server", "open");
}

static void server_end(const char *name, enum farmem_msg_type type)
{
	struct farmem_volume_ref ref = { .msg = head(type, sizeof(ref)), .uuid = { 1 } };

	begin(1);
	put(&ref, sizeof(ref));
	end("server", name);
}

static void server_seeds(void)
{
	server_request("request", 0, 0);
	server_request("request-queue", 3, 0);
	server_request("request-takeover", 0, FARMEM_CM_TAKEOVER);
	server_request("request-visit", 0, FARMEM_CM_VISIT);
	server_hello();
	server_open();
	server_end("close", FARMEM_MSG_CLOSE);
	server_end("release", FARMEM_MSG_RELEASE);
	begin(2);
	put("\x2c\x01", 2);
	end("server", "build-300-regions");
}

/* fuzz_client.c */

static void client_grant(const char *name, uint32_t slabs, uint32_t regions, uint32_t parts)
{
	struct message_grant grant = {
		.slab_size = FARMEM_SLAB_MIN, .slabs = slabs,
		.generation = 1,
	};
	struct message_region *region = calloc(regions, sizeof(*region));
	uint8_t msg[FARMEM_MSG_MAX];
	uint32_t i;

	REQUIRE(region);
	memcpy(grant.uuid, "the volume asked", FARMEM_ID_LEN);
	for (i = 0; i < regions; i++)
		region[i] = (struct message_region) {
			.addr = 0x7f0000000000ull + i * (slabs / regions) * grant.slab_size,
			.meta_addr = 0x7e0000000000ull + i * (slabs / regions) * 256,
			.rkey = 2 * i, .meta_rkey = 2 * i + 1,
			.first_slab = i * (slabs / regions), .slab_count = slabs / regions,
		};
	begin(2);
	for (i = 0; i < parts; i++)
		put_sized(msg, message_build_grant(msg, 7, &grant, region, regions, i));
	end("client", name);
	free(region);
}

static void client_answers(void)
{
	struct message_welcome about = { .slab_size = 1 << 26, .capacity = 1 << 30 };
	uint8_t msg[FARMEM_MSG_MAX];

	begin(2);
	put_sized(msg, message_build_welcome(msg, 1, FARMEM_OK, &about, NULL));
	end("client", "welcome");
	begin(2);
	put_sized(msg, message_build_welcome(msg, 1, FARMEM_ERR_AUTH, &about, "no key"));
	end("client", "welcome-refused");
	begin(6);
	put_sized(msg, message_build_refusal(msg, 1, (const uint8_t *)"the volume asked",
					     FARMEM_ERR_NO_SPACE, "asked 1G, 0 free"));
	end("client", "grant-refused");
	begin(2);
	put_sized(msg, message_build_done(msg, FARMEM_MSG_DONE, 1,
					  (const uint8_t *)"the volume asked", FARMEM_OK));
	end("client", "done");
}

static void client_seeds(void)
{
	static const uint8_t token[FARMEM_ID_LEN] = { 1 };
	static const uint8_t challenge[FARMEM_AUTH_LEN] = { 2 };
	static const uint8_t server[FARMEM_ID_LEN] = { 3 };
	struct farmem_cm_rej rej;
	struct farmem_cm_rep rep;

	message_build_rej(&rej, FARMEM_ERR_BUSY_IDENTITY, "it is connected from 10.0.0.3");
	begin(0);
	put(&rej, sizeof(rej));
	end("client", "rej");
	message_build_rej(&rej, FARMEM_ERR_VERSION, "");
	begin(0);
	put(&rej, sizeof(rej));
	end("client", "rej-version");
	message_build_rep(&rep, 4, token, 1, challenge, server);
	begin(1);
	put("\x07", 2);
	put(&rep, sizeof(rep));
	end("client", "rep");
	client_answers();
	client_grant("grant", 4, 1, 1);
	client_grant("grant-regions", 4, 4, 1);
	client_grant("grant-parts", 130, 130, 2);
}

/* fuzz_pool.c */

static void pool_volume(struct server *server, const char *name, uint8_t uuid, unsigned int slabs)
{
	struct volume_refusal refusal;
	uint8_t id[FARMEM_ID_LEN];
	struct client *client;
	struct volume *volume;

	REQUIRE(!client_identity(name, id));
	client = client_get(server, id);
	REQUIRE(client);
	strcpy(client->name, name);
	memset(id, uuid, sizeof(id));
	volume = volume_find(client, id) ?: volume_create(client, id, "swap", &refusal);
	REQUIRE(volume && !volume_grow(volume, slabs * server->pool.slab_size, &refusal));
}

static void pool_seeds(void)
{
	struct super_geometry geometry = { .slab_size = 1 << 20, .slabs = 12, .generation = 7 };
	size_t bytes = super_map_bytes(12);
	uint8_t *area = calloc(1, bytes);
	struct server server;

	REQUIRE(area);
	bed_server(&server, area, 12, 1 << 20);
	REQUIRE(!super_format(&server.pool.super, &geometry, geometry.slabs));
	begin(1);
	put(area + bytes - SUPER_HEAD_BYTES, 80);
	end("pool", "head");
	pool_volume(&server, "a", 1, 2);
	begin(0);
	put(area, 12 * 136);
	end("pool", "volume");
	pool_volume(&server, "a", 2, 3);
	pool_volume(&server, "a", 1, 5);
	pool_volume(&server, "b", 1, 2);
	begin(0);
	put(area, 12 * 136);
	end("pool", "volumes");
	volume_release_all(client_find_name(&server, "a"));
	begin(0);
	put(area, 12 * 136);
	end("pool", "released");
	bed_server_free(&server);
	free(area);
}

/* fuzz_session.c: steps as its step() reads them. */

#define CONNECT(how, queues)	"\x01" how queues "\x08"
#define HELLO(how)		"\x03" how
#define OPEN(who, what, size)	"\x04" who what size
#define END(what)		"\x06" what
#define SENT(who)		"\x07" who
#define TOKEN(queue)		"\xc7" queue
#define TIMER(which)		"\x0a" which
#define WORK			"\x0f"
#define WRITE(client)		client
#define PRESS(how)		"\x8c" how
/* From now on the connector and the fencer wait to be told; what one does, and its end. */
#define SLOW			"\x48"
#define CONNECTOR		"\x18\x19"
#define FENCER			"\x28\x29"
#define FOUR(step)		step step step step
#define STEPS(name, how, steps) do {		\
	begin(how);				\
	put(steps, sizeof(steps) - 1);		\
	end("session", name);			\
} while (0)

static void session_seeds(void)
{
	STEPS("hello", 0, CONNECT("\x00", "\x03") CONNECT("\x00", "\x13") HELLO("\x00") SENT("\x00"));
	STEPS("open", 0, CONNECT("\x00", "\x00") HELLO("\x00") SENT("\x00")
	      OPEN("\x00", "\x00", "\x08\x00") WORK SENT("\x00") WRITE("\x0d") END("\x80") WORK);
	STEPS("reopen", 0, CONNECT("\x00", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x08\x00")
	      WORK WRITE("\x0d") END("\x00") WORK OPEN("\x00", "\x00", "\x0c\x00") WORK
	      WRITE("\x0d") CONNECT("\x00", "\x00") HELLO("\x00")
	      OPEN("\x00", "\x00", "\x0c\x00") WORK WRITE("\x0d"));
	STEPS("two-clients", 0, CONNECT("\x00", "\x00") HELLO("\x00") CONNECT("\x08", "\x00")
	      HELLO("\x00") OPEN("\x00", "\x00", "\x20\x00") OPEN("\x01", "\x00", "\x10\x00")
	      WORK WRITE("\x0d") WRITE("\x1d") END("\x80") END("\x90") WORK
	      OPEN("\x00", "\x01", "\x20\x00") WORK WRITE("\x1d") WRITE("\x0d"));
	STEPS("takeover", 0, CONNECT("\x00", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x08\x00")
	      WORK WRITE("\x0d") CONNECT("\x03", "\x00") WORK HELLO("\x00")
	      OPEN("\x00", "\x00", "\x08\x00") WORK);
	STEPS("held", 0, CONNECT("\x00", "\x00") HELLO("\x00") CONNECT("\x02", "\x00")
	      SENT("\x00") SENT("\x00") CONNECT("\x02", "\x00") SENT("\x06") WORK HELLO("\x00"));
	STEPS("unfenced", 0, CONNECT("\x00", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x08\x00")
	      WORK WRITE("\x0d") "\x0c\x00" "\x0b\x01" WRITE("\x0d") WORK
	      CONNECT("\x08", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x20\x00") WORK);
	STEPS("unfenced-new", 0, CONNECT("\x00", "\x00") "\x0c\x00" "\x0b\x01" WORK
	      CONNECT("\x00", "\x00") HELLO("\x00") WORK);
	STEPS("cq-stays", 0, CONNECT("\x00", "\x00") HELLO("\x00") "\x0c\x01" "\x0b\x01" WORK
	      CONNECT("\x08", "\x00") HELLO("\x00") WORK);
	STEPS("cleared-away", 1, FOUR(CONNECT("\x00", "\x00") "\x0b\x01")
	      FOUR(CONNECT("\x00", "\x00") "\x0b\x01") FOUR(CONNECT("\x00", "\x00") "\x0b\x01") WORK);
	STEPS("removed", 0, CONNECT("\x00", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x08\x00")
	      "\x08" "\x0b\x05" WORK CONNECT("\x00", "\x00"));
	STEPS("parked", 0, CONNECT("\x00", "\x00") HELLO("\x00") "\x88\x0b\x01" WORK
	      CONNECT("\x00", "\x00"));
	STEPS("parked-removed", 0, CONNECT("\x00", "\x00") HELLO("\x00") "\x88\x0b\x01"
	      "\x0b\x05" WORK CONNECT("\x00", "\x00"));
	STEPS("lease", 2, CONNECT("\x00", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x08\x00")
	      WORK WRITE("\x0d") "\x0b\x01" WORK TIMER("\x00") CONNECT("\x08", "\x00")
	      HELLO("\x00") OPEN("\x00", "\x00", "\x40\x00") WORK);
	STEPS("watched", 8, CONNECT("\x00", "\x00") HELLO("\x00") TIMER("\x01") SENT("\x00")
	      SENT("\x00") TIMER("\x01") SENT("\x05") CONNECT("\x00", "\x00") TIMER("\x01"));
	STEPS("yielded", 0, CONNECT("\x00", "\x03") HELLO("\x00") CONNECT("\x00", "\x13")
	      OPEN("\x00", "\x00", "\x08\x00") WORK SENT("\x00") SENT("\x00") WRITE("\x0d")
	      END("\x80") WORK WRITE("\x0d") TOKEN("\x00") TOKEN("\x01")
	      CONNECT("\x08", "\x00") HELLO("\x00") OPEN("\x01", "\x00", "\x20\x00") WORK WRITE("\x1d")
	      WRITE("\x0d") TOKEN("\x08"));
	STEPS("gone-meanwhile", 0, CONNECT("\x00", "\x00") HELLO("\x00")
	      OPEN("\x00", "\x00", "\x08\x00") WORK WRITE("\x0d") END("\x80") "\x08\x0b\x01" WORK
	      CONNECT("\x08", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x20\x00") WORK);
	STEPS("unheard", 0, CONNECT("\x00", "\x00") HELLO("\x00") FOUR(END("\x00"))
	      FOUR(END("\x80")) FOUR(END("\x00")) SENT("\x00") SENT("\x00") FOUR(END("\x80")));
	STEPS("shrinks", 0x40, CONNECT("\x00", "\x00") HELLO("\x00") OPEN("\x00", "\x00", "\x08\x00")
	      WORK WRITE("\x0d") PRESS("\xf7") OPEN("\x00", "\x01", "\x08\x00") WORK
	      CONNECT("\x08", "\x00") HELLO("\x00") PRESS("\xf2") OPEN("\x01", "\x00", "\x20\x00")
	      WORK WRITE("\x1d") WRITE("\x0d") END("\x80") PRESS("\x04") WORK PRESS("\xf0") WORK);
	STEPS("starved", 0x40, CONNECT("\x00", "\x00") HELLO("\x00") PRESS("\xf8")
	      OPEN("\x00", "\x00", "\x28\x00") WORK SENT("\x00") PRESS("\xf0")
	      OPEN("\x00", "\x00", "\x28\x00") WORK WRITE("\x0d") PRESS("\xfb") WORK);
	STEPS("slow", 0, SLOW CONNECT("\x00", "\x03") HELLO("\x00") CONNECTOR HELLO("\x00")
	      SENT("\x00") CONNECT("\x00", "\x13") "\x18" CONNECT("\x00", "\x23") "\x0b\x01"
	      "\x19" CONNECT("\x00", "\x00") CONNECTOR FENCER WORK);
	STEPS("slow-fence", 0, CONNECT("\x00", "\x00") HELLO("\x00")
	      OPEN("\x00", "\x00", "\x08\x00") WORK SENT("\x00") WRITE("\x0d") SLOW "\x0b\x01"
	      WRITE("\x0d") "\x0e\x00" CONNECT("\x00", "\x00") CONNECTOR HELLO("\x00")
	      CONNECT("\x02", "\x00") CONNECTOR HELLO("\x00") WRITE("\x0d") FENCER WORK
	      OPEN("\x00", "\x00", "\x08\x00") WORK);
	STEPS("slow-takeover", 0, CONNECT("\x00", "\x00") HELLO("\x00")
	      OPEN("\x00", "\x00", "\x08\x00") WORK WRITE("\x0d") SLOW CONNECT("\x03", "\x00")
	      CONNECTOR HELLO("\x00") WRITE("\x0d") CONNECT("\x00", "\x13") FENCER WORK
	      OPEN("\x00", "\x00", "\x08\x00") WORK);
	STEPS("slow-removed", 0, SLOW CONNECT("\x00", "\x03") "\x18\x0b\x05\x19" FENCER
	      CONNECT("\x01", "\x03") "\x0b\x05" WORK);
	STEPS("slow-parked", 0, CONNECT("\x00", "\x00") HELLO("\x00") "\x88" SLOW "\x0b\x01"
	      FENCER "\x28\x0b\x05\x29" FENCER WORK);
	STEPS("two-parts", 0x30, CONNECT("\x00", "\x00") HELLO("\x00")
	      OPEN("\x00", "\x00", "\x04\x01") WORK SENT("\x00") SENT("\x00") SENT("\x00")
	      WRITE("\x0d"));
}

int main(int argc, char **argv)
{
	REQUIRE(argc == 2);
	out = argv[1];
	mkdir(out, 0777);
	server_seeds();
	client_seeds();
	pool_seeds();
	session_seeds();
	return 0;
}
