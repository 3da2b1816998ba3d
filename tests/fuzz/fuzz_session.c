// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_session.c - farmemd and its hostile clients, from REQ to the last DONE.
 *
 * All of the server between rdma_cm's events and the pool is the real one; the
 * adapter (adapter.c), the loop and the workers (loop.c) do what the input says:
 * connect, say something, write to whatever can be reached, let calls fail, go.
 * What must hold after each step is in promises.c and bed.c.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <sys/mman.h>

#include "adapter.h"
#include "admit.h"
#include "barrier.h"
#include "bed.h"
#include "clean.h"
#include "client.h"
#include "conn.h"
#include "device.h"
#include "dialog.h"
#include "loop.h"
#include "probe.h"
#include "promises.h"
#include "session.h"
#include "super-restore.h"
#include "util.h"
#include "volume.h"
#include "watch.h"

#define STEPS		400

static const char *const name[CLIENTS] = { "a", "b.example", "c", "" };

struct bed bed;

/* All zeros but for what a client wrote to @touched slabs, and page states. */
static struct {
	uint8_t *base;
	int fd;
} pool;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	size_t size = SLABS_MANY * (SLAB + 1);

	pool.fd = memfd_create("pool", MFD_CLOEXEC);
	REQUIRE(pool.fd >= 0 && !ftruncate(pool.fd, size));
	pool.base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, pool.fd, 0);
	REQUIRE(pool.base != MAP_FAILED);
	return 0;
}

/* Lets the worker, the device and rdma_cm do without the listeners of cm.c. */
void cm_forget_device(struct server *server, struct ibv_context *verbs)
{
}

void cm_hear(struct server *server, bool on)
{
}

bool cm_is_listening(const struct server *server)
{
	return true;
}

static struct session *nth_session(unsigned int n)
{
	struct session *session;
	unsigned int count = 0;

	LIST_FOREACH(session, &bed.server.sessions, link)
		count++;
	if (!count)
		return NULL;
	session = LIST_FIRST(&bed.server.sessions);
	for (n %= count; n; n--)
		session = LIST_NEXT(session, link);
	return session;
}

static void note_owners(void)
{
	struct session *session;

	LIST_FOREACH(session, &bed.server.sessions, link)
		if (session->queues.pd)
			container_of(session->queues.pd, struct adapter_pd, pd)->owner =
				promises_tag_of(session->identity);
}

static void request(struct input *in, const void *data, size_t len)
{
	uint8_t from = take_byte(in);
	struct adapter_id *id = adapter_connect(from & 1, from >> 1 & 3);
	struct cm_event event = {
		.type = RDMA_CM_EVENT_CONNECT_REQUEST,
		.id = &id->id,
		.responder_resources = from >> 3,
		.len = len,
	};

	memcpy(event.data, data, len);
	admit_request(&bed.server, &event);
	note_owners();
}

static void connect_any(struct input *in)
{
	size_t len = take_byte(in);
	uint8_t *data = take_copy(in, &len);

	request(in, data, len);
	free(data);
}

static void connect_well(struct input *in)
{
	uint8_t how = take_byte(in), queues = take_byte(in);
	struct session *session = nth_session(how >> 5);
	struct farmem_cm_req req = {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.flags = htole16(how & 1 ? FARMEM_CM_TAKEOVER : queues & 8 ? FARMEM_CM_VISIT : 0),
		.incarnation = htole64((how >> 1 & 3) + 1),
		.queue_count = htole16(1 + (queues & 7)),
		.depth = htole16(128),
	};

	memcpy(req.identity, bed.identity[how >> 3 & 3], sizeof(req.identity));
	if (queues >> 4 && session) {
		req.queue_index = htole16(queues >> 4);
		memcpy(req.token, session->auth.said.rep.token, sizeof(req.token));
		memcpy(req.identity, session->identity, sizeof(req.identity));
		req.incarnation = htole64(session->incarnation);
	}
	request(in, &req, sizeof(req));
}

static void arrive(struct session *session, const void *data, size_t len)
{
	if (!session || session->conn[0]->connecting)
		return;
	if (adapter_receive(adapter_qp(session->conn[0]->qp), data, len)) {
		bed.asked++;
		promises_received(session, data, len);
		dialog_completions(session);
	}
}

static void say_any(struct input *in)
{
	struct session *session = nth_session(take_byte(in));
	size_t len = take_word(in);
	uint8_t *data;

	if (len > FARMEM_MSG_MAX)
		len = FARMEM_MSG_MAX;
	data = take_copy(in, &len);
	arrive(session, data, len);
	free(data);
}

static struct farmem_msg head(unsigned int type, uint32_t id, size_t len)
{
	return (struct farmem_msg) {
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.type = htole16(type),
		.length = htole32(len),
		.id = htole32(id),
	};
}

static void say_hello(struct input *in)
{
	uint8_t how = take_byte(in);
	struct session *session = nth_session(how >> 3);
	struct farmem_hello hello = { .msg = head(FARMEM_MSG_HELLO, how, sizeof(hello)) };
	uint8_t who = how & 3;

	if (!session)
		return;
	if (!(how & 4))
		who = (promises_tag_of(session->identity) - 1) % CLIENTS;
	memcpy(hello.name, name[who], strlen(name[who]));
	hello.incarnation = htole64(session->incarnation);
	arrive(session, &hello, sizeof(hello));
}

static void say_open(struct input *in)
{
	struct session *session = nth_session(take_byte(in));
	uint8_t which = take_byte(in);
	struct farmem_open open = {
		.msg = head(FARMEM_MSG_OPEN, which, sizeof(open)),
		.uuid = { which % 6, 1 },
		.name = "v\n\033\xff",
		.flags = htole32(which >> 4 ^ FARMEM_OPEN_CREATE),
		.generation = htole64(which & 0x80 ? 1 : bed.server.pool.generation),
		.capacity = htole64((uint64_t)take_word(in) * SLAB / 2 & ~(SLAB - 1ull)),
	};

	arrive(session, &open, sizeof(open));
}

static void say_end(struct input *in)
{
	uint8_t which = take_byte(in);
	struct farmem_volume_ref ref = {
		.msg = head(which & 0x80 ? FARMEM_MSG_RELEASE : FARMEM_MSG_CLOSE, which,
			    sizeof(ref)),
		.uuid = { (which & 0xf) % 6, 1 },
	};

	arrive(nth_session(which >> 4 & 7), &ref, sizeof(ref));
}

/* A send is over, well or not. */
static void complete(struct input *in)
{
	uint8_t how = take_byte(in);
	struct session *session = nth_session(how >> 3);
	static const enum ibv_wc_status status[8] = {
		[5] = IBV_WC_REM_ACCESS_ERR, [6] = IBV_WC_RETRY_EXC_ERR,
		[7] = IBV_WC_WR_FLUSH_ERR,
	};

	if (session && !session->conn[0]->connecting &&
	    adapter_complete(adapter_qp(session->conn[0]->qp), status[how & 7]))
		dialog_completions(session);
}

/* Of any queue that is connected, else NULL. */
static struct adapter_qp *nth_queue(const struct session *session, unsigned int n)
{
	const struct conn *conn = session ? session->conn[n % session->queue_count] : NULL;

	return conn && !conn->connecting ? adapter_qp(conn->qp) : NULL;
}

/* The adapter refused a request on any queue; or there is a message, for data's. */
static void fail_queue(struct input *in)
{
	uint8_t how = take_byte(in);
	struct session *session = nth_session(how >> 4);
	struct adapter_qp *qp = nth_queue(session, how & 7);

	if (qp && (how & 8 ? adapter_receive(qp, NULL, 0) : adapter_flush(qp)))
		dialog_completions(session);
}

/* Clients are asked; one says the token that it is asked for, or another one. */
static void say_token(struct input *in)
{
	uint8_t how = take_byte(in);
	struct session *session = nth_session(how >> 4);
	struct adapter_qp *qp = nth_queue(session, how & 7);

	barrier_look(&bed.server);
	if (qp && adapter_receive_token(qp, session->barrier ^ !!(how & 8)))
		dialog_completions(session);
}

static void timer(struct input *in)
{
	uint8_t n = take_byte(in);
	sd_event_source *source;

	LIST_FOREACH(source, &loop_sources, link) {
		if (!source->on || !source->time || n--)
			continue;
		source->on = false;
		source->time(source, 0, source->data);
		return;
	}
}

static void cm_event(struct input *in)
{
	static const enum rdma_cm_event_type types[8] = {
		RDMA_CM_EVENT_ESTABLISHED, RDMA_CM_EVENT_DISCONNECTED,
		RDMA_CM_EVENT_CONNECT_ERROR, RDMA_CM_EVENT_UNREACHABLE,
		RDMA_CM_EVENT_ADDR_CHANGE, RDMA_CM_EVENT_DEVICE_REMOVAL,
		RDMA_CM_EVENT_TIMEWAIT_EXIT, RDMA_CM_EVENT_REJECTED,
	};
	uint8_t how = take_byte(in), n = how >> 3;
	struct cm_event event = { .type = types[how & 7] };
	struct adapter_id *id;

	LIST_FOREACH(id, &adapter.ids, link) {
		if (n--)
			continue;
		event.id = &id->id;
		((struct cm_handler *)id->id.context)->event(id->id.context, &event);
		return;
	}
}

/* The lease is over, or as report.c:report_release_from() does it. */
static void release(struct input *in)
{
	uint8_t which = take_byte(in) % CLIENTS;
	struct client *client = client_find(&bed.server, bed.identity[which]);

	if (!client || LIST_EMPTY(&client->volumes))
		return;
	if (client->session)
		session_close(client->session, "released");
	/* It goes with the last volume that was being made. */
	client = client_find(&bed.server, bed.identity[which]);
	if (client)
		volume_release_all(client);
}

static void goodbye(void)
{
	struct session *session;

	if (bed.server.stopping)
		return;
	LIST_FOREACH(session, &bed.server.sessions, link)
		dialog_goodbye(session);
	bed.server.stopping = true;
}

static bool job_done(unsigned int which)
{
	bool any = loop_job_done(which);

	if (which == LOOP_MEMORY)
		dialog_progress(&bed.server);
	return any;
}

/* Between two jobs there is time for all that could come between. */
static bool finish_jobs_of(unsigned int which)
{
	bool any = false;

	while (loop_job_run(which) || job_done(which)) {
		note_owners();
		promises_check();
		any = true;
	}
	return any;
}

static void finish_jobs(void)
{
	while (finish_jobs_of(LOOP_CONNECTOR) || finish_jobs_of(LOOP_FENCER) ||
	       finish_jobs_of(LOOP_CLOSER) || finish_jobs_of(LOOP_MEMORY))
		;
}

/* Queue pairs are made and destroyed at once, unless the input says otherwise. */
static void settle(void)
{
	while (!bed.slow && (finish_jobs_of(LOOP_CONNECTOR) || finish_jobs_of(LOOP_FENCER) ||
			     finish_jobs_of(LOOP_CLOSER)))
		;
}

/* The machine wants memory of the pool, or has some for it, or none for anybody. */
static void press(struct input *in)
{
	struct server *server = &bed.server;
	uint8_t how = take_byte(in);

	server->pool.fd = how & 8 ? -1 : pool.fd;
	server->headroom.give = how % 8;
	server->slabs.room = how >> 4;
	server->clean.refused = false;
	clean_kick(server);
}

static void step(struct input *in)
{
	uint8_t op = take_byte(in);

	switch (op % 16) {
	case 0: connect_any(in); break;
	case 1: connect_well(in); break;
	case 2: say_any(in); break;
	case 3: say_hello(in); break;
	case 4: case 5: say_open(in); break;
	case 6: say_end(in); break;
	case 7:
		if ((op & 0xc0) == 0xc0)
			say_token(in);
		else if (op & 0x80)
			fail_queue(in);
		else
			complete(in);
		break;
	case 8:
		if (op & 0x80)
			adapter.port_down = !adapter.port_down;
		else if (op & 0x40)
			bed.slow = !bed.slow;
		else
			loop_job_run((op >> 4) % LOOP_WORKERS);
		break;
	case 9: job_done((op >> 4) % LOOP_WORKERS); break;
	case 10: timer(in); break;
	case 11: cm_event(in); break;
	case 12:
		if (op & 0x80)
			press(in);
		else
			adapter.fail_in = 1 + take_byte(in) % 32;
		break;
	case 13: promises_write_all(op / 16 % CLIENTS + 1); break;
	case 14: release(in); break;
	case 15:
		if (op == 255)
			goodbye();
		else
			finish_jobs();
	}
	note_owners();
	settle();
}

/* A session that lingered for the sake of @cq, which is gone. */
static void forget_session(const struct ibv_cq *cq)
{
	struct session *session = cq->cq_context;

	free(session->mailbox.buffers);
	beat_free(&session->beat);
	free(session->conn);
	free(session);
}

static void blank_pool(void)
{
	uint32_t slab;

	for (slab = 0; slab < bed.slabs; slab++)
		if (bed.touched[slab] || *pool_meta(&bed.server.pool, slab))
			REQUIRE(!pool_zero(&bed.server.pool, (struct slab_run){ slab, 1 }));
}

static void bed_on(uint8_t how)
{
	struct server *server = &bed.server;
	bool many = (how & 0x30) == 0x30;
	uint32_t slabs = many ? SLABS_MANY : SLABS, slab;
	uint8_t i;

	memset(&bed, 0, sizeof(bed));
	adapter_on();
	adapter.sent = promises_sent;
	adapter.forgotten = forget_session;
	bed_server(server, calloc(1, super_map_bytes(slabs)), slabs, SLAB);
	REQUIRE(server->pool.super.area);
	bed.slabs = slabs;
	server->pool.base = pool.base;
	server->pool.fd = pool.fd;
	server->clean.active = false;
	server->worker = loop_worker(LOOP_MEMORY);
	server->connector = loop_worker(LOOP_CONNECTOR);
	server->fencer = loop_worker(LOOP_FENCER);
	server->closer = loop_worker(LOOP_CLOSER);
	/* Nobody here knows a key: what clients without one may do is more. */
	server->opt.insecure = true;
	server->opt.max_clients = how & 1 ? 2 : 16;
	server->opt.max_queues = 4;
	server->opt.lease = how & 2 ? 60 : 0;
	server->opt.quota = how & 4 ? 8 * SLAB : 0;
	if (how & 8)
		REQUIRE(!probe_watch(server) && !watch_start(server));
	if (how & 0x40)
		server->pool.floor = slabs / 2;
	for (slab = server->pool.floor; slab < slabs; slab++)
		slab_set(&server->slabs, slab, SLAB_ABSENT);
	for (slab = 1; many && slab < slabs; slab += 2)
		slab_set(&server->slabs, slab, SLAB_QUARANTINED);
	for (i = 0; i < CLIENTS; i++)
		REQUIRE(!client_identity(name[i], bed.identity[i]));
}

/* What a farmemd that takes the pool over would find is what this one knew. */
static void check_restored(void)
{
	struct server after;
	char error[160];

	bed_server(&after, bed.server.pool.super.area, bed.slabs, SLAB);
	REQUIRE(!super_restore(&after, error, sizeof(error)));
	bed_check(&after);
	bed_check_volumes(&bed.server, &after);
	bed_check_volumes(&after, &bed.server);
	bed_server_free(&after);
}

/* What the end of the process takes. */
static void forget_keepers(void)
{
	struct device *device;

	LIST_FOREACH(device, &bed.server.devices, link) {
		rdma_destroy_id(device->keeper->id);
		free(device->keeper);
	}
}

static void bed_off(void)
{
	struct server *server = &bed.server;
	uint32_t kept = server->slabs.count == SLABS_MANY ? SLABS_MANY / 2 : 0;
	struct session *session;
	struct client *client;

	adapter.fail_in = 0;
	while ((session = LIST_FIRST(&server->sessions))) {
		session_close(session, "over");
		promises_check();
	}
	finish_jobs();
	server->stopping = true;
	conn_disconnect_all(server);
	finish_jobs();
	promises_check();
	LIST_FOREACH(client, &server->clients, link)
		kept += client->unfenced ? client->quarantine.slabs + client->yielded.slabs : 0;
	REQUIRE(server->slabs.in[SLAB_QUARANTINED] == kept || adapter.stuck);
	bed_check_names(server);
	check_restored();
	server->pool.fd = pool.fd;
	blank_pool();
	sd_event_source_disable_unref(server->device_timer);
	forget_keepers();
	device_close_all(server);
	bed_server_free(server);
	free(server->pool.super.area);
	adapter_off();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .left = size };
	unsigned int steps;

	bed_on(take_byte(&in));
	for (steps = 0; in.left && steps < STEPS; steps++) {
		step(&in);
		promises_check();
	}
	bed_off();
	return 0;
}
