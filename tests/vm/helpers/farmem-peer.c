// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-peer.c - a client of farmemd in user space, well-behaved or not.
 *
 * For tests in a guest: speaks the protocol of include/farmem-proto.h over
 * librdmacm, one step an argument, and prints one line a step.  It judges
 * nothing: whether "rejected 3" is right is for the test to say.  Exit status 0,
 * or 1 when a step could not be done at all.
 *
 *   farmem-peer [-n NAME] [-i INCARNATION] [-q QUEUES] [-k|-K KEY] [-t] ADDR PORT STEP...
 *
 *   connect[=VERSION[,BYTES]]  queue 0; with a request cut to BYTES
 *   queue=INDEX[,BYTE]       a further queue; BYTE spoils the token
 *   hello[=NAME]             and wait for WELCOME; with the proof of KEY (hexadecimal), of
 *                            which comes what the server has (-k), or which is that (-K)
 *   cut=BYTES[,CLAIM[,VERSION]]  HELLO, cut or lengthened to BYTES, that claims to be
 *                            CLAIM long and of VERSION; "answer" waits for one
 *   record=FILE  replay=FILE keep the last HELLO, and send it as it was kept
 *   as=NAME,INCARNATION      it says it is another one from now on
 *   open=ID,SIZE[,FLAGS[,GENERATION]]  volume whose UUID is 16 times ID
 *   on=INDEX                 the queue for READs and WRITEs from now on, 0 at first
 *   write=OFFSET,BYTE  read=OFFSET  mark=PAGE,BYTE  marked=PAGE
 *                            in the volume opened last
 *   peek=PLACE  poke=PLACE   READ, WRITE 8 bytes anywhere. A PLACE is ADDR,RKEY or, from the
 *                            start of what was granted, AREA+N or AREA-N[,RKEY-PLUS]; an AREA
 *                            is data, state, status or beat
 *   close=ID  release=ID     and wait for DONE
 *   raw=HEX                  send these bytes as a message
 *   flood=COUNT              send COUNT OPENs without waiting
 *   listen=MS                print the messages that arrive for so long
 *   gone=MS  sleep=MS        wait for the server to disconnect, or just so long
 */
#include <inttypes.h>
#include <openssl/evp.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"
#include "peer-auth.h"

#define QUEUES		64
#define REGIONS		65536
#define TIMEOUT_MS	20000
#define OUT_MAX		(16 * FARMEM_MSG_MAX)

static const char *name = "peer";
static uint64_t incarnation = 1;
static unsigned int queues = 1;
static bool takeover;
static struct sockaddr_storage server;
static struct peer_auth auth;

static struct rdma_cm_id *id[QUEUES];
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static uint8_t memory[(FARMEM_MSG_RECVS + 1) * FARMEM_MSG_MAX + OUT_MAX]
	__attribute__((aligned(4096)));
static uint8_t *const page = memory + FARMEM_MSG_RECVS * FARMEM_MSG_MAX;
static uint8_t *const out = memory + (FARMEM_MSG_RECVS + 1) * FARMEM_MSG_MAX;
static uint8_t token[FARMEM_ID_LEN];
static struct farmem_region region[REGIONS];
static unsigned int regions;
static uint64_t slab_size;
static unsigned int data_queue;
static uint32_t next_id = 1;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

/* One completion within @ms, or false. */
static bool reap(struct ibv_wc *wc, unsigned int ms)
{
	uint64_t end = now_ms() + ms;

	do {
		if (ibv_poll_cq(cq, 1, wc) > 0)
			return true;
		usleep(200);
	} while (now_ms() < end);
	return false;
}

static void make_queue(unsigned int index)
{
	if (rdma_create_id(NULL, &id[index], NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(id[index], NULL, (struct sockaddr *)&server, 2000) ||
	    rdma_resolve_route(id[index], 2000))
		die("resolve");
	if (!cq) {
		cq = ibv_create_cq(id[index]->verbs, 512, NULL, NULL, 0);
		mr = ibv_reg_mr(id[index]->pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
	}
	if (!cq || !mr)
		die("resources");
	make_qp(id[index], cq);
}

static void identify(uint8_t identity[FARMEM_ID_LEN])
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	char text[128];

	snprintf(text, sizeof(text), "farmem-client:%s", name);
	EVP_Digest(text, strlen(text), hash, NULL, EVP_sha256(), NULL);
	memcpy(identity, hash, FARMEM_ID_LEN);
}

static void tell_answer(unsigned int index)
{
	const struct rdma_cm_event *event = id[index]->event;
	const void *data = event ? event->param.conn.private_data : NULL;
	struct farmem_cm_rej rej;
	struct farmem_cm_rep rep;

	if (event && event->event == RDMA_CM_EVENT_REJECTED && data) {
		memcpy(&rej, data, sizeof(rej));
		printf("queue %u rejected %u %.120s\n", index, le16toh(rej.reason), rej.detail);
	} else if (event && event->event == RDMA_CM_EVENT_ESTABLISHED && data) {
		memcpy(&rep, data, sizeof(rep));
		memcpy(token, rep.token, sizeof(token));
		if (!index)
			auth.said.rep = rep;
		printf("queue %u connected queues=%u generation=%016" PRIx64 "\n", index,
		       le16toh(rep.queue_count), le64toh(rep.generation));
	} else {
		printf("queue %u failed %s\n", index, event ? rdma_event_str(event->event) : "-");
	}
}

static void connect_queue(unsigned int index, unsigned int version, size_t bytes, uint8_t spoil)
{
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(version),
		.flags = htole16(takeover ? FARMEM_CM_TAKEOVER : 0),
		.incarnation = htole64(incarnation),
		.queue_index = htole16(index),
		.queue_count = htole16(queues),
		.depth = htole16(64),
	};
	struct rdma_conn_param param = {
		.private_data = &req,
		.private_data_len = bytes,
		.initiator_depth = 16,
		.responder_resources = 1,
		.retry_count = 6,
		.rnr_retry_count = 7,
	};
	unsigned int slot;

	make_queue(index);
	identify(req.identity);
	if (index)
		peer_auth_token(&auth, index, token, req.token);
	else
		auth.said.req = req;
	req.token[0] ^= spoil;
	for (slot = 0; !index && slot < FARMEM_MSG_RECVS; slot++)
		post_receive(id[0]->qp, mr, slot);
	rdma_connect(id[index], &param);
	tell_answer(index);
}

/* Reap until our own request is done; false on an error, which is printed. */
static bool wait_own(const char *what)
{
	struct ibv_wc wc;

	while (reap(&wc, TIMEOUT_MS)) {
		if (wc.status) {
			printf("%s failed: %s\n", what, ibv_wc_status_str(wc.status));
			return false;
		}
		if (wc.wr_id == SENT)
			return true;
	}
	printf("%s timed out\n", what);
	return false;
}

static void tell_grant(const uint8_t *buffer)
{
	struct farmem_grant grant;
	unsigned int count, i;

	memcpy(&grant, buffer, sizeof(grant));
	count = le16toh(grant.region_count);
	if (!grant.part)
		regions = 0;
	for (i = 0; i < count && regions < REGIONS; i++)
		memcpy(&region[regions++], buffer + sizeof(grant) + i * sizeof(region[0]),
		       sizeof(region[0]));
	slab_size = le64toh(grant.slab_size);
	printf("grant reason=%u part=%u/%u regions=%u slabs=%u capacity=%" PRIu64
	       " flags=%u generation=%016" PRIx64 " first=%#" PRIx64 ",%#x state=%#" PRIx64 " %.120s\n",
	       le16toh(grant.reason), le16toh(grant.part), le16toh(grant.parts), count,
	       le32toh(grant.slabs), (uint64_t)le64toh(grant.capacity), le32toh(grant.flags),
	       (uint64_t)le64toh(grant.generation), (uint64_t)le64toh(region[0].addr),
	       le32toh(region[0].rkey), (uint64_t)le64toh(region[0].meta_addr), grant.detail);
}

/* Print a message; true if more parts follow. */
static bool tell_message(const uint8_t *buffer, size_t len)
{
	struct farmem_welcome welcome;
	struct farmem_grant grant;
	struct farmem_done done;
	struct farmem_msg msg;

	memcpy(&msg, buffer, sizeof(msg));
	if (le32toh(msg.length) != len)
		printf("bad length: ");
	switch (le16toh(msg.type)) {
	case FARMEM_MSG_WELCOME:
		memcpy(&welcome, buffer, sizeof(welcome));
		printf("welcome reason=%u lease=%u slab=%" PRIu64 " capacity=%" PRIu64 " free=%" PRIu64
		       " id=%u %s %.120s\n", le16toh(welcome.reason), le32toh(welcome.lease),
		       (uint64_t)le64toh(welcome.slab_size), (uint64_t)le64toh(welcome.capacity),
		       (uint64_t)le64toh(welcome.free), le32toh(msg.id),
		       peer_auth_judge(&auth, &welcome), welcome.detail);
		return false;
	case FARMEM_MSG_GRANT:
		memcpy(&grant, buffer, sizeof(grant));
		tell_grant(buffer);
		return le16toh(grant.part) + 1 < le16toh(grant.parts);
	case FARMEM_MSG_WORKING:
		return true;
	case FARMEM_MSG_DONE:
	case FARMEM_MSG_GOODBYE:
		memcpy(&done, buffer, sizeof(done));
		printf("%s reason=%u id=%u\n", le16toh(msg.type) == FARMEM_MSG_DONE ? "done" : "goodbye",
		       le16toh(done.reason), le32toh(msg.id));
		return false;
	default:
		printf("unknown message %u\n", le16toh(msg.type));
		return false;
	}
}

/* Wait for an answer; prints it. */
static void wait_answer(unsigned int ms, bool all)
{
	struct ibv_wc wc;

	while (reap(&wc, ms)) {
		if (wc.status) {
			printf("connection lost: %s\n", ibv_wc_status_str(wc.status));
			return;
		}
		if (wc.wr_id == SENT)
			continue;
		bool more = tell_message(memory + wc.wr_id * FARMEM_MSG_MAX, wc.byte_len);

		post_receive(id[0]->qp, mr, wc.wr_id);
		if (!more && !all)
			return;
	}
	if (!all)
		printf("no answer\n");
}

static void send_bytes(size_t len)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };

	post_send(id[0]->qp, mr, &wr, out, len);
}

static void fill_hello(const char *as)
{
	struct farmem_hello hello = { .incarnation = htole64(incarnation) };

	fill_header(&hello.msg, FARMEM_MSG_HELLO, sizeof(hello), next_id++);
	strncpy(hello.name, as, sizeof(hello.name) - 1);
	peer_auth_hello(&auth, as, &hello);
	memcpy(out, &hello, sizeof(hello));
}

static void say_hello(const char *as)
{
	fill_hello(as);
	send_bytes(sizeof(struct farmem_hello));
	wait_answer(TIMEOUT_MS, false);
}

static void cut_hello(const char *args)
{
	unsigned int bytes = 0, claim, version = FARMEM_VERSION;
	struct farmem_msg msg;
	int given;

	given = sscanf(args, "%u,%u,%u", &bytes, &claim, &version);
	if (bytes > OUT_MAX)
		exit(1);
	memset(out, 0, OUT_MAX);
	fill_hello(name);
	memcpy(&msg, out, sizeof(msg));
	msg.length = htole32(given < 2 ? bytes : claim);
	msg.version = htole16(version);
	memcpy(out, &msg, sizeof(msg));
	send_bytes(bytes);
}

static void keep_hello(const char *path, bool replay)
{
	FILE *file = fopen(path, replay ? "r" : "w");
	size_t len = sizeof(struct farmem_hello);

	if (!file || (replay ? fread(out, 1, len, file) : fwrite(out, 1, len, file)) != len ||
	    fclose(file))
		die(path);
	if (!replay)
		return;
	send_bytes(len);
	wait_answer(TIMEOUT_MS, false);
}

static void send_open(const char *args)
{
	struct farmem_open open = { .name = "test" };
	unsigned int uuid = 0, flags = FARMEM_OPEN_CREATE;
	uint64_t size = 0, generation = 0;

	sscanf(args, "%u,%" SCNu64 ",%u,%" SCNx64, &uuid, &size, &flags, &generation);
	fill_header(&open.msg, FARMEM_MSG_OPEN, sizeof(open), next_id++);
	memset(open.uuid, uuid, sizeof(open.uuid));
	open.capacity = htole64(size);
	open.flags = htole32(flags);
	open.generation = htole64(generation);
	memcpy(out, &open, sizeof(open));
	send_bytes(sizeof(open));
}

static void send_ref(enum farmem_msg_type type, unsigned int uuid)
{
	struct farmem_volume_ref ref;

	fill_header(&ref.msg, type, sizeof(ref), next_id++);
	memset(ref.uuid, uuid, sizeof(ref.uuid));
	memcpy(out, &ref, sizeof(ref));
	send_bytes(sizeof(ref));
	wait_answer(TIMEOUT_MS, false);
}

/* Where a volume's byte, or its page's state byte, is. */
static void locate(uint64_t offset, bool meta, uint64_t *addr, uint32_t *key)
{
	uint64_t slab = slab_size ? offset / slab_size : 0;
	unsigned int i;

	for (i = 0; i < regions; i++) {
		uint64_t first = le32toh(region[i].first_slab);
		uint64_t inside = offset - first * slab_size;

		if (slab < first || slab >= first + le32toh(region[i].slab_count))
			continue;
		*addr = meta ? le64toh(region[i].meta_addr) + inside / FARMEM_PAGE_SIZE :
			       le64toh(region[i].addr) + inside;
		*key = le32toh(meta ? region[i].meta_rkey : region[i].rkey);
		return;
	}
	errno = ERANGE;
	die("offset");
}

static void access_remote(const char *what, enum ibv_wr_opcode opcode, uint64_t addr, uint32_t key,
			  size_t len)
{
	struct ibv_send_wr wr = {
		.opcode = opcode,
		.wr.rdma = { .remote_addr = addr, .rkey = key },
	};
	size_t i;

	post_send(id[data_queue]->qp, mr, &wr, page, len);
	if (!wait_own(what))
		return;
	for (i = 1; i < len && page[i] == page[0]; i++)
		;
	printf("%s ok %u%s\n", what, page[0], i < len ? " mixed" : "");
}

static void transfer(const char *what, const char *args, bool meta)
{
	uint64_t offset = 0, addr;
	unsigned int byte = 0;
	bool write;
	uint32_t key;

	write = sscanf(args, "%" SCNu64 ",%u", &offset, &byte) == 2;
	locate(meta ? offset * FARMEM_PAGE_SIZE : offset, meta, &addr, &key);
	if (write)
		memset(page, byte, FARMEM_PAGE_SIZE);
	access_remote(what, write ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ, addr, key,
		      meta ? 1 : FARMEM_PAGE_SIZE);
}

static void find_place(const char *args, uint64_t *addr, uint32_t *key)
{
	const struct {
		const char *name;
		uint64_t addr;
		uint32_t rkey;
	} *area, areas[] = {
		{ "data", region[0].addr, region[0].rkey },
		{ "state", region[0].meta_addr, region[0].meta_rkey },
		{ "status", auth.said.welcome.status_addr, auth.said.welcome.status_rkey },
		{ "beat", auth.said.welcome.beat_addr, auth.said.welcome.beat_rkey },
		{ NULL, 0, 0 },
	};
	uint32_t more = 0;
	int64_t offset;
	char text[8];

	if (sscanf(args, "%" SCNx64 ",%x", addr, key) == 2)
		return;
	if (sscanf(args, "%7[a-z]%" SCNi64 ",%u", text, &offset, &more) < 2)
		exit(1);
	for (area = areas; strcmp(area->name, text); area++)
		if (!area[1].name)
			exit(1);
	*addr = le64toh(area->addr) + offset;
	*key = le32toh(area->rkey) + more;
}

static void send_raw(const char *hex)
{
	size_t len = 0;
	unsigned int byte;

	for (; sscanf(hex, "%2x", &byte) == 1 && len < FARMEM_MSG_MAX; hex += 2)
		out[len++] = byte;
	send_bytes(len);
	wait_answer(2000, false);
}

static void wait_gone(unsigned int ms)
{
	struct pollfd pfd = { .fd = id[0]->channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;

	if (poll(&pfd, 1, ms) != 1) {
		puts("still connected");
		return;
	}
	if (rdma_get_cm_event(id[0]->channel, &event))
		die("event");
	/* It is a rejection if the server had not yet heard that the connection stands. */
	puts(event->event == RDMA_CM_EVENT_DISCONNECTED || event->event == RDMA_CM_EVENT_REJECTED ?
	     "disconnected" : rdma_event_str(event->event));
	rdma_ack_cm_event(event);
}

static void step(char *text)
{
	char *args = strchr(text, '=');
	unsigned int number, spoil = 0;
	uint64_t addr = 0;
	uint32_t key = 0;

	if (args)
		*args++ = '\0';
	else
		args = "";
	number = strtoul(args, NULL, 0);
	if (!strcmp(text, "connect")) {
		unsigned int version = FARMEM_VERSION, bytes = sizeof(struct farmem_cm_req);

		sscanf(args, "%u,%u", &version, &bytes);
		connect_queue(0, version, bytes, 0);
	} else if (!strcmp(text, "queue")) {
		sscanf(args, "%u,%u", &number, &spoil);
		if (number >= QUEUES)
			exit(1);
		connect_queue(number, FARMEM_VERSION, sizeof(struct farmem_cm_req), spoil);
	} else if (!strcmp(text, "hello")) {
		say_hello(*args ? args : name);
	} else if (!strcmp(text, "cut")) {
		cut_hello(args);
	} else if (!strcmp(text, "answer")) {
		wait_answer(TIMEOUT_MS, false);
	} else if (!strcmp(text, "as")) {
		name = strsep(&args, ",");
		incarnation = args ? strtoull(args, NULL, 0) : 0;
	} else if (!strcmp(text, "on")) {
		data_queue = number < QUEUES && id[number] ? number : 0;
	} else if (!strcmp(text, "record") || !strcmp(text, "replay")) {
		keep_hello(args, !strcmp(text, "replay"));
	} else if (!strcmp(text, "open")) {
		send_open(args);
		wait_answer(TIMEOUT_MS, false);
	} else if (!strcmp(text, "flood")) {
		while (number--)
			send_open("1,16777216");
	} else if (!strcmp(text, "write") || !strcmp(text, "read")) {
		transfer(text, args, false);
	} else if (!strcmp(text, "mark") || !strcmp(text, "marked")) {
		transfer(text, args, true);
	} else if (!strcmp(text, "peek") || !strcmp(text, "poke")) {
		find_place(args, &addr, &key);
		access_remote(text, text[1] == 'e' ? IBV_WR_RDMA_READ :
			      IBV_WR_RDMA_WRITE, addr, key, 8);
	} else if (!strcmp(text, "close")) {
		send_ref(FARMEM_MSG_CLOSE, number);
	} else if (!strcmp(text, "release")) {
		send_ref(FARMEM_MSG_RELEASE, number);
	} else if (!strcmp(text, "raw")) {
		send_raw(args);
	} else if (!strcmp(text, "listen")) {
		wait_answer(number, true);
	} else if (!strcmp(text, "gone")) {
		wait_gone(number);
	} else if (!strcmp(text, "sleep")) {
		usleep(number * 1000);
	} else {
		printf("unknown step %s\n", text);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct rdma_addrinfo *found;
	int letter;

	while ((letter = getopt(argc, argv, "n:i:q:k:K:t")) != -1) {
		if (letter == 'n')
			name = optarg;
		else if (letter == 'i')
			incarnation = strtoull(optarg, NULL, 0);
		else if (letter == 'q')
			queues = strtoul(optarg, NULL, 0);
		else if (letter == 't')
			takeover = true;
		else if ((letter != 'k' && letter != 'K') ||
			 !peer_auth_key(&auth, optarg, letter == 'K'))
			return 2;
	}
	if (argc - optind < 3)
		return 2;
	if (rdma_getaddrinfo(argv[optind], argv[optind + 1], NULL, &found))
		die("address");
	memcpy(&server, found->ai_dst_addr, found->ai_dst_len);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (optind += 2; optind < argc; optind++)
		step(argv[optind]);
	return 0;
}
