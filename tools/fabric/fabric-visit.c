// SPDX-License-Identifier: GPL-2.0
/*
 * fabric-visit.c - a visit to a server, step by step (docs/protocol.md, "Visitors").
 *
 * Nobody is disturbed: a visitor takes no memory and no identity, READs the status
 * page, and WRITEs to a counter that is its own.  The first step that fails ends it;
 * each has a limit of its own.
 */
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>

#include "attr.h"
#include "explain.h"
#include "fabric.h"
#include "keys.h"
#include "parse.h"
#include "size.h"

/* A request of the CM that was lost comes again after 4 s. */
#define CONNECT_MS	10000
#define ANSWER_MS	10000
/* The queue pair gives up sooner. */
#define REQUEST_MS	9000
#define ROUNDS		16	/* of READs and WRITEs, for the shortest of their times */

#define REJ_INVALID_SERVICE	8	/* IBTA vol. 1, table 105: nobody listens */
#define REJ_CONSUMER		28	/* the peer's program has reasons of its own */

/* Where only large packets are lost. */
#define LOOK_MTU	"ip link show; ibv_devinfo | grep active_mtu    (on both nodes: give both interfaces, and every switch port between, one MTU; see rdma.mtu)"

/* Where a request could not even be made. */
#define LOOK		"dmesg | tail    (what the adapter's driver says)"

/**
 * struct visit - a visit
 * @way: to the server
 * @client: the name that we give
 * @proof: what proves it
 * @rep: the server's answer to the connection request
 * @welcome: and to HELLO
 */
struct visit {
	struct fabric_way way;
	char client[FARMEM_NAME_LEN];
	struct fabric_proof proof;
	struct farmem_cm_rep rep;
	struct farmem_welcome welcome;
};

/* The refusal of a farmemd, which gives its reason. */
static int refused(const struct farmem_cm_rej *rej)
{
	const char *advice = "journalctl -u farmemd    (on the memory node)";
	unsigned int reason = le16toh(rej->reason);
	char detail[sizeof(rej->detail) + 1] = "";

	memcpy(detail, rej->detail, sizeof(rej->detail));
	if (reason == FARMEM_ERR_VERSION) {
		fabric_step("server.connect", "ok", NULL, "farmemd answers");
		return fabric_step("server.version", "fail", "farmemctl --version; farmemd --version    (install one release on both nodes)",
				   "the server speaks protocol %u, this farmemctl %d",
				   le16toh(rej->version), FARMEM_VERSION);
	}
	if (reason == FARMEM_ERR_MALFORMED)
		advice = "farmemctl --version; farmemd --version    (a farmemd that knows no visitors is older)";
	else if (reason == FARMEM_ERR_MTU)
		advice = LOOK_MTU;
	return fabric_step("server.connect", "fail", advice, "the server refuses: %s%s%s%s",
			   farmem_reason_text(reason), *detail ? " (" : "", detail, *detail ? ")" : "");
}

static int rejected(const struct fabric_event *event)
{
	struct farmem_cm_rej rej;

	if (event->length >= sizeof(rej)) {
		memcpy(&rej, event->data, sizeof(rej));
		if (le32toh(rej.magic) == FARMEM_MAGIC)
			return refused(&rej);
	}
	if (event->status == REJ_INVALID_SERVICE)
		return fabric_step("server.connect", "fail", "systemctl start farmemd; farmemctl server show    (on the memory node)",
				   "no program listens at that port of the server");
	if (event->status == REJ_CONSUMER)
		return fabric_step("server.connect", "fail", "farmemctl server show    (on the memory node: does farmemd listen at this port?)",
				   "the program that listens there is not farmemd");
	return fabric_step("server.connect", "fail", "farmemctl doctor    (on the memory node)",
			   "the memory node refuses the connection, CM reason %d", event->status);
}

static bool is_silence(const struct fabric_event *event)
{
	return event->type < 0 || event->type == RDMA_CM_EVENT_UNREACHABLE;
}

/* Where it is neither, the packets may not have left this node. */
static void tell_contact(const struct fabric_event *event)
{
	if (is_silence(event))
		printf("contact\tsilent\n");
	else if (event->type == RDMA_CM_EVENT_ESTABLISHED || event->type == RDMA_CM_EVENT_REJECTED)
		printf("contact\tanswered\n");
}

/* Nobody answered, or it ended otherwise. */
static int unconnected(const struct visit *visit, const struct fabric_event *event)
{
	CLEANUP_FREE char *advice = text_format("ping %s; farmemctl doctor    (on the memory node: port, firewall towards UDP port 4791)",
						visit->way.host);
	const struct explain *known = explain_find(EXPLAIN_CM, event->type);

	if (event->type == RDMA_CM_EVENT_REJECTED)
		return rejected(event);
	if (is_silence(event))
		return fabric_step("server.connect", "fail", advice,
				   "no answer within %d s: a filter on the way, or no RDMA device there",
				   CONNECT_MS / 1000);
	return fabric_step("server.connect", "fail", known ? known->check : advice, "%s, %s%s%s",
			   known ? known->words : rdma_event_str(event->type),
			   strerror(abs(event->status)), known ? ": " : "",
			   known ? known->means : "");
}

static int ask(struct visit *visit)
{
	struct farmem_cm_req *req = &visit->proof.said.req;
	uint64_t incarnation;
	int ret = link_prepare(&visit->way.link);

	if (ret)
		return fabric_step("server.connect", "fail", "see limits.shell; ulimit -l unlimited",
				   "can't make a queue pair, or lock the memory for it: %s", strerror(-ret));
	if (getrandom(&incarnation, sizeof(incarnation), 0) != sizeof(incarnation))
		incarnation = 1;
	*req = (struct farmem_cm_req){
		.magic = htole32(FARMEM_MAGIC),
		.version = htole16(FARMEM_VERSION),
		.flags = htole16(FARMEM_CM_VISIT),
		.incarnation = incarnation,
		.queue_count = htole16(1),
		.depth = htole16(1),
	};
	ret = proof_identity(visit->client, req->identity);
	if (!ret)
		ret = link_connect(&visit->way.link, req, 1);
	if (ret)
		fabric_step("server.connect", "fail", "rdma link", "%s", strerror(-ret));
	return ret;
}

static int step_connect(struct visit *visit)
{
	struct fabric_event event;
	char uuid[UUID_TEXT];

	if (ask(visit))
		return -1;
	link_wait(&visit->way.link, CONNECT_MS, &event);
	tell_contact(&event);
	if (event.type != RDMA_CM_EVENT_ESTABLISHED)
		return unconnected(visit, &event);
	fabric_step("server.connect", "ok", NULL, "accepted");
	memcpy(&visit->rep, event.data, sizeof(visit->rep));
	if (event.length < sizeof(visit->rep) || le32toh(visit->rep.magic) != FARMEM_MAGIC)
		return fabric_step("server.version", "fail", "farmemctl server show    (on the memory node: does farmemd listen at this port?)",
				   "the program that accepts there is not farmemd");
	if (le16toh(visit->rep.version) != FARMEM_VERSION)
		return fabric_step("server.version", "fail", "farmemctl --version; farmemd --version    (install one release on both nodes)",
				   "the server speaks protocol %u, this farmemctl %d",
				   le16toh(visit->rep.version), FARMEM_VERSION);
	fabric_step("server.version", "ok", NULL, "protocol %d, server UUID %s", FARMEM_VERSION,
		    format_uuid(visit->rep.server, uuid));
	visit->proof.said.rep = visit->rep;
	return 0;
}

/* What a completion with an error means. */
static int failed(const char *id, const char *what, const struct ibv_wc *wc)
{
	const struct explain *known = explain_find(EXPLAIN_WC, wc->status);

	return fabric_step(id, "fail", known ? known->check : "farmem-verbs explain all", "%s: %s (%d)%s%s",
			   what, ibv_wc_status_str(wc->status), wc->status, known ? ": " : "",
			   known ? known->means : "");
}

/* The next completion, or why there is none: of @what, for the step @id. */
static int complete(struct visit *visit, const char *id, const char *what, unsigned int ms,
		    struct ibv_wc *wc)
{
	if (!link_reap(&visit->way.link, ms, wc))
		return fabric_step(id, "fail", "journalctl -u farmemd    (on the memory node)",
				   "%s: nothing came back within %u s", what, ms / 1000);
	return wc->status ? failed(id, what, wc) : 0;
}

static int say_hello(struct visit *visit)
{
	struct farmem_hello hello = {
		.msg = {
			.magic = htole32(FARMEM_MAGIC),
			.version = htole16(FARMEM_VERSION),
			.type = htole16(FARMEM_MSG_HELLO),
			.length = htole32(sizeof(hello)),
			.id = htole32(1),
		},
		.incarnation = visit->proof.said.req.incarnation,
	};
	int ret;

	memcpy(hello.name, visit->client, sizeof(hello.name));
	ret = proof_hello(&visit->proof, &hello);
	memcpy(visit->way.link.memory + LINK_OUT, &hello, sizeof(hello));
	if (!ret)
		ret = link_send(&visit->way.link, sizeof(hello));
	if (ret)
		fabric_step("server.auth", "fail", LOOK, "HELLO can't be sent: %s", strerror(-ret));
	return ret;
}

/* The server's answer, after the completion of our own message or before it. */
static int hear_welcome(struct visit *visit)
{
	bool sent = false, heard = false;
	struct ibv_wc wc;

	while (!sent || !heard) {
		if (complete(visit, "server.auth", "HELLO", ANSWER_MS, &wc))
			return -1;
		if (wc.wr_id == FARMEM_MSG_RECVS) {
			sent = true;
			continue;
		}
		heard = true;
		memcpy(&visit->welcome, visit->way.link.memory + wc.wr_id * FARMEM_MSG_MAX,
		       sizeof(visit->welcome));
		if (wc.byte_len != sizeof(visit->welcome) ||
		    le32toh(visit->welcome.msg.magic) != FARMEM_MAGIC ||
		    le16toh(visit->welcome.msg.version) != FARMEM_VERSION ||
		    le16toh(visit->welcome.msg.type) != FARMEM_MSG_WELCOME)
			return fabric_step("server.auth", "fail", "farmemctl --version; farmemd --version",
					   "the server's answer to HELLO does not make sense");
	}
	return 0;
}

static int unwelcome(const struct visit *visit, unsigned int reason)
{
	char uuid[UUID_TEXT];
	CLEANUP_FREE char *key = text_format("farmemctl key derive %s --key FILE --uuid %s    (prints the line for the server's file of keys, --keys; then run farmemctl server reload there)",
					     visit->client, format_uuid(visit->rep.server, uuid));
	char detail[sizeof(visit->welcome.detail) + 1] = "";

	memcpy(detail, visit->welcome.detail, sizeof(visit->welcome.detail));
	return fabric_step("server.auth", "fail", reason == FARMEM_ERR_AUTH ? key :
			   reason == FARMEM_ERR_TOO_MANY ? "farmemctl server list    (on the memory node)" :
			   "journalctl -u farmemd    (on the memory node)",
			   "the server refuses %s: %s%s%s%s", visit->client, farmem_reason_text(reason),
			   *detail ? " (" : "", detail, *detail ? ")" : "");
}

static int step_auth(struct visit *visit)
{
	unsigned int reason;

	if (say_hello(visit) || hear_welcome(visit))
		return -1;
	reason = le16toh(visit->welcome.reason);
	if (reason)
		return unwelcome(visit, reason);
	if (!visit->proof.key_len)
		return fabric_step("server.auth", "ok", NULL, "%s needs no key: farmemd runs with --insecure",
				   visit->client);
	if (!proof_of_server(&visit->proof, &visit->welcome))
		return fabric_step("server.auth", "fail", "farmemctl server show    (on the memory node: is it this server, and does it have a key of this client?)",
				   "the server does not prove that it has a key of %s",
				   visit->client);
	return fabric_step("server.auth", "ok", NULL, "%s and the server have proved their key",
			   visit->client);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/* A READ or WRITE of the step @id, at @offset of our memory. */
struct access {
	const char *id;
	const char *what;
	enum ibv_wr_opcode opcode;
	size_t offset;
	uint64_t addr;
	uint32_t rkey;
};

static int start(struct visit *visit, const struct access *access, size_t bytes)
{
	int ret = link_one_sided(&visit->way.link, access->opcode, access->offset, bytes,
				 access->addr, access->rkey);

	return ret ? fabric_step(access->id, "fail", LOOK, "%s can't be posted: %s",
				 access->what, strerror(-ret)) : 0;
}

/* Several, one after the other; the shortest time in microseconds, -1 if one failed. */
static double rounds(struct visit *visit, const struct access *access, size_t bytes)
{
	double best = -1;
	struct ibv_wc wc;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		double begin = now_us(), took;

		if (start(visit, access, bytes) ||
		    complete(visit, access->id, access->what, REQUEST_MS, &wc))
			return -1;
		took = now_us() - begin;
		if (best < 0 || took < best)
			best = took;
	}
	return best;
}

static bool has_pages(const struct visit *visit)
{
	const struct farmem_status *status = (void *)(visit->way.link.memory + LINK_STATUS);

	return visit->welcome.status_addr && le16toh(status->flags) & FARMEM_STATUS_PAGES;
}

/* One of a page, if the server has pages for it; where small ones passed, its size does not. */
static int whole_page(struct visit *visit, const struct access *access)
{
	CLEANUP_FREE char *advice = text_format("ping -M do -s 4400 %s; " LOOK_MTU, visit->way.host);
	struct ibv_wc wc;

	if (!has_pages(visit))
		return 0;
	if (start(visit, access, FARMEM_PAGE_SIZE))
		return -1;
	if (!link_reap(&visit->way.link, REQUEST_MS, &wc))
		wc.status = IBV_WC_RETRY_EXC_ERR;
	/* Whatever the adapter makes of it: soft-RoCE says RNR of a READ. */
	return !wc.status ? 0 :
		fabric_step(access->id, "fail", advice, "a small %s passes, but not one of %d bytes (%s): large packets are lost on the way",
			    access->what, FARMEM_PAGE_SIZE, ibv_wc_status_str(wc.status));
}

/* Only now: the server gives the page's rkey to a client that it has welcomed. */
static int step_read(struct visit *visit)
{
	const struct farmem_status *status = (void *)(visit->way.link.memory + LINK_STATUS);
	const struct access access = {
		"server.read", "READ", IBV_WR_RDMA_READ, LINK_STATUS,
		le64toh(visit->welcome.status_addr), le32toh(visit->welcome.status_rkey),
	};
	double best;

	if (!access.addr)
		return fabric_step("server.read", "skipped", NULL, "this server has no status page");
	best = rounds(visit, &access, sizeof(*status));
	if (best < 0)
		return -1;
	if (le32toh(status->magic) != FARMEM_MAGIC ||
	    status->generation != visit->welcome.generation)
		return fabric_step("server.read", "fail", "farmemctl server show    (on the memory node; if farmemd has just been restarted, run the doctor again)",
				   "the bytes that came back are not the server's status page");
	if (whole_page(visit, &access))
		return -1;
	return fabric_step("server.read", "ok", NULL, "%zu bytes of its status page in %.0f us%s",
			   sizeof(*status), best, has_pages(visit) ? ", and a whole page" : "");
}

static int step_write(struct visit *visit)
{
	const struct access access = {
		"server.write", "WRITE", IBV_WR_RDMA_WRITE, LINK_BEAT,
		le64toh(visit->welcome.beat_addr), le32toh(visit->welcome.beat_rkey),
	};
	uint64_t *beat = (void *)(visit->way.link.memory + LINK_BEAT);
	double best;

	if (!access.addr)
		return fabric_step("server.write", "skipped", NULL, "this server counts no heartbeats");
	*beat = htole64(1);
	best = rounds(visit, &access, sizeof(*beat));
	if (best < 0 || whole_page(visit, &access))
		return -1;
	return fabric_step("server.write", "ok", NULL, "%zu bytes of a heartbeat of our own in %.0f us%s",
			   sizeof(*beat), best, has_pages(visit) ? ", and a whole page" : "");
}

static void step_memory(const struct visit *visit)
{
	const struct farmem_status *status = (void *)(visit->way.link.memory + LINK_STATUS);
	bool shown = visit->welcome.status_addr;
	uint64_t left = le64toh(shown ? status->free : visit->welcome.free);
	CLEANUP_FREE char *of = size_format(le64toh(visit->welcome.capacity));
	CLEANUP_FREE char *free_bytes = size_format(left);

	if (shown && le16toh(status->flags) & FARMEM_STATUS_SHUTTING_DOWN)
		fabric_step("server.memory", "fail", "farmemctl server show    (on the memory node; run the doctor again when farmemd is back)",
			    "the server is shutting down");
	else if (!left)
		fabric_step("server.memory", "warn", "farmemctl server list    (on the memory node: release the volumes that no client uses)",
			    "the server has lent all of its %s", of);
	else
		fabric_step("server.memory", "ok", NULL, "%s of %s are free", free_bytes, of);
}

/* The name that the module would give, or refuse to. */
static int name_client(struct visit *visit, const char *client)
{
	struct utsname host;
	const char *flaw = NULL;

	if (!*client) {
		uname(&host);
		client = host.nodename;
		flaw = farmem_host_name_flaw(client);
	}
	if (flaw)
		return fabric_step("server.auth", "fail",
				   "farmemctl doctor --client NAME ...    (or: hostnamectl set-hostname NAME)",
				   "the host name %s: this node has no name for the server", flaw);
	if (strlen(client) >= sizeof(visit->client))
		return fabric_step("server.auth", "fail", NULL,
				   "the client's name %s has more than %zu bytes", client,
				   sizeof(visit->client) - 1);
	strcpy(visit->client, client);
	return 0;
}

/* The client's name and its key. */
static int identify(struct visit *visit, const char *client, const char *path)
{
	const struct key *key;
	struct key *keys;
	char error[256];

	if (name_client(visit, client))
		return -1;
	if (!*path)
		return 0;
	if (keys_read(path, NULL, &keys, error, sizeof(error))) {
		CLEANUP_FREE char *look = text_format("ls -l %s    (the file has lines NAME KEY, and only root may read it)",
						      path);

		return fabric_step("server.auth", "fail", look, "%s", error);
	}
	key = keys_next(keys, visit->client);
	if (key) {
		memcpy(visit->proof.key, key->secret, key->len);
		visit->proof.key_len = key->len;
	} else {
		fabric_step("server.auth", "fail", "cut -d ' ' -f 1 FILE; farmemctl doctor --client NAME ...    (if the key stands under another name)",
			    "%s has no key of %s", path, visit->client);
	}
	keys_free(keys);
	return key ? 0 : -1;
}

/**
 * fabric_visit() - go to a server, and tell of each step
 * @server: as --server
 * @client: as --client; "": this node's host name
 * @key: a key file; "": no key
 * @source: as --source; "": the kernel chooses
 *
 * Return: 0, whatever was found.
 */
int fabric_visit(const char *server, const char *client, const char *key, const char *source)
{
	struct visit visit = { .client = "" };

	/* The name is in the connection request already. */
	if (!way_address(&visit.way, server, source) && !identify(&visit, client, key) &&
	    !way_route(&visit.way) && !way_resolve(&visit.way) && !step_connect(&visit) &&
	    !step_auth(&visit) && !step_read(&visit) && !step_write(&visit))
		step_memory(&visit);
	link_close(&visit.way.link);
	OPENSSL_cleanse(&visit.proof, sizeof(visit.proof));
	return 0;
}
