// SPDX-License-Identifier: GPL-2.0
/*
 * promises.c - what farmem promises, asked of a running server.
 *
 * No queue pair reaches memory that is not its client's or kept from everybody,
 * no client is granted a byte of another's, what a client wrote and still has
 * stays, and every answer is the answer to a request.
 */
#include <endian.h>

#include "adapter.h"
#include "admit.h"
#include "client.h"
#include "device.h"
#include "dialog.h"
#include "promises.h"
#include "session.h"
#include "util.h"
#include "volume.h"

uint8_t promises_tag_of(const uint8_t identity[FARMEM_ID_LEN])
{
	uint8_t i;

	for (i = 0; i < CLIENTS; i++)
		if (!memcmp(bed.identity[i], identity, FARMEM_ID_LEN))
			return i + 1;
	return CLIENTS + 1;
}

uint8_t promises_tag(const struct client *client)
{
	return promises_tag_of(client->identity);
}

/* The bytes of a slab that stand for all of them, and its page state byte. */
static uint8_t *first_byte(uint32_t slab)
{
	return pool_data(&bed.server.pool, slab);
}

static uint8_t *last_byte(uint32_t slab)
{
	return first_byte(slab) + SLAB - 1;
}

static bool holds(uint32_t slab, uint8_t tag)
{
	return *first_byte(slab) == tag && *last_byte(slab) == tag &&
	       *pool_meta(&bed.server.pool, slab) == tag;
}

/* The slabs that a registration of the pool covers; none: of something else. */
static struct slab_run covered(const struct ibv_mr *mr)
{
	const struct pool *p = &bed.server.pool;
	uint8_t *start = mr->addr;

	if (start >= p->base && start < p->base + p->size) {
		REQUIRE(!((start - p->base) % SLAB) && !(mr->length % SLAB) && mr->length);
		REQUIRE(start + mr->length <= p->base + p->size);
		return (struct slab_run){ (start - p->base) / SLAB, mr->length / SLAB };
	}
	start -= p->size;
	if (start >= p->base && start < p->base + bed.slabs) {
		REQUIRE(mr->length && start + mr->length <= p->base + bed.slabs);
		return (struct slab_run){ start - p->base, mr->length };
	}
	return (struct slab_run){};
}

/* The fence: what a queue pair can reach is its client's, or kept from all. */
static void check_reach(struct client *const *owner)
{
	const struct adapter_mr *mr;
	struct adapter_pd *pd;
	uint32_t slab;

	LIST_FOREACH(mr, &adapter.mrs, link) {
		struct slab_run run = covered(&mr->mr);

		pd = container_of(mr->mr.pd, struct adapter_pd, pd);
		if (!adapter_reachable(mr))
			continue;
		REQUIRE(!run.count || pd->owner);
		for (slab = run.first; slab < run.first + run.count; slab++) {
			if (bed.server.slabs.state[slab] == SLAB_QUARANTINED)
				continue;
			REQUIRE(owner[slab] && promises_tag(owner[slab]) == pd->owner);
		}
	}
}

/*
 * The fence: a client has no other queue pair than those of its session, which stays its
 * session until they are gone; but one that would not go.
 */
static void check_fenced(void)
{
	const struct session *session;
	const struct adapter_qp *qp;

	LIST_FOREACH(qp, &adapter.qps, link) {
		session = qp->qp.qp_context;
		REQUIRE(qp->stuck || !session->client || session->client->session == session);
	}
}

/* What was written stays, for as long as it is the client's. */
static void check_kept(struct client *const *owner)
{
	uint32_t slab;

	for (slab = 0; slab < bed.slabs; slab++) {
		if (bed.server.slabs.state[slab] != SLAB_LENT)
			bed.written[slab] = false;
		else if (bed.written[slab])
			REQUIRE(holds(slab, promises_tag(owner[slab])));
	}
}

/* Hostile: every byte that this client's queue pairs can reach. */
void promises_write_all(uint8_t tag)
{
	const struct adapter_mr *mr;
	struct slab_run run;
	uint32_t slab;

	LIST_FOREACH(mr, &adapter.mrs, link) {
		run = covered(&mr->mr);
		if (!run.count || !adapter_reachable(mr) ||
		    container_of(mr->mr.pd, struct adapter_pd, pd)->owner != tag)
			continue;
		for (slab = run.first; slab < run.first + run.count; slab++) {
			*first_byte(slab) = *last_byte(slab) = tag;
			*pool_meta(&bed.server.pool, slab) = tag;
			bed.touched[slab] = true;
			bed.written[slab] = bed.server.slabs.state[slab] == SLAB_LENT;
		}
	}
}

static const struct adapter_mr *mr_of_key(uint32_t rkey)
{
	const struct adapter_mr *mr;

	LIST_FOREACH(mr, &adapter.mrs, link)
		if (mr->mr.rkey == rkey)
			return mr;
	return NULL;
}

void promises_received(const struct session *session, const void *data, size_t len)
{
	const struct farmem_open *open = data;

	if (len == sizeof(*open) && le16toh(open->msg.type) == FARMEM_MSG_OPEN &&
	    le32toh(open->flags) & FARMEM_OPEN_CONTINUE)
		bed.continued[promises_tag_of(session->identity)][open->uuid[0]] = true;
}

/* Its client's own bytes, or none at all. */
static void check_granted_slab(uint32_t slab, const struct volume *volume)
{
	uint8_t tag = promises_tag(volume->client);

	REQUIRE(bed.server.slabs.state[slab] == SLAB_LENT);
	REQUIRE(*first_byte(slab) == 0 || *first_byte(slab) == tag);
	REQUIRE(*last_byte(slab) == *first_byte(slab));
	/* A volume that was gone on with begins lost, and no other. */
	if (!*first_byte(slab) && bed.continued[tag][volume->uuid[0]] &&
	    *pool_meta(&bed.server.pool, slab) == FARMEM_PAGE_LOST)
		return;
	REQUIRE(*pool_meta(&bed.server.pool, slab) == *first_byte(slab));
}

/* The fence's other half: no key of a former session's, its own client's neither. */
static void check_keys(struct slab_run granted, const struct session *session)
{
	const struct adapter_mr *mr;
	struct slab_run run;

	LIST_FOREACH(mr, &adapter.mrs, link) {
		run = covered(&mr->mr);
		if (run.first < granted.first + granted.count &&
		    granted.first < run.first + run.count)
			REQUIRE(mr->mr.pd == session->queues.pd);
	}
}

static void check_region(const struct farmem_region *region, const struct session *session,
			 const struct volume *volume)
{
	const struct adapter_mr *data = mr_of_key(le32toh(region->rkey));
	const struct adapter_mr *meta = mr_of_key(le32toh(region->meta_rkey));
	struct client **owner = bed_owners(&bed.server);
	struct slab_run run;
	uint32_t slab;

	REQUIRE(data && data->mr.pd == session->queues.pd && meta && meta->mr.pd == session->queues.pd);
	REQUIRE(data->mr.addr == (void *)(uintptr_t)le64toh(region->addr));
	REQUIRE(meta->mr.addr == (void *)(uintptr_t)le64toh(region->meta_addr));
	run = covered(&data->mr);
	REQUIRE(run.count == le32toh(region->slab_count) && meta->mr.length == run.count);
	check_keys(run, session);
	for (slab = run.first; slab < run.first + run.count; slab++) {
		REQUIRE(owner[slab] == session->client);
		check_granted_slab(slab, volume);
	}
	free(owner);
}

static void check_grant(const struct farmem_grant *grant, size_t len, const struct session *session)
{
	struct volume *volume;
	unsigned int i;

	REQUIRE(len == sizeof(*grant) + le16toh(grant->region_count) * sizeof(*grant->region));
	REQUIRE(is_printable(grant->detail, sizeof(grant->detail)));
	if (le16toh(grant->reason)) {
		REQUIRE(!grant->region_count && le16toh(grant->parts) == 1);
		return;
	}
	REQUIRE(session->state == SESSION_LIVE);
	volume = volume_find(session->client, grant->uuid);
	REQUIRE(volume && le32toh(grant->slabs) == volume->slabs.slabs);
	check_fenced();
	REQUIRE(grant->region_count && le16toh(grant->part) < le16toh(grant->parts));
	for (i = 0; i < le16toh(grant->region_count); i++)
		check_region(&grant->region[i], session, volume);
}

/* Whatever the server says, at the moment that it does. */
void promises_sent(const struct ibv_qp *qp, const uint8_t *data, size_t len)
{
	const struct farmem_msg *msg = (const void *)data;
	const struct session *session = qp->qp_context;

	REQUIRE(len >= sizeof(*msg) && len <= FARMEM_MSG_MAX);
	REQUIRE(data >= session->mailbox.buffers + FARMEM_MSG_RECVS * FARMEM_MSG_MAX);
	REQUIRE(data + len <= session->mailbox.buffers + 2 * FARMEM_MSG_RECVS * FARMEM_MSG_MAX);
	REQUIRE(le32toh(msg->magic) == FARMEM_MAGIC && le32toh(msg->length) == len);
	switch (le16toh(msg->type)) {
	case FARMEM_MSG_WELCOME:
		REQUIRE(len == sizeof(struct farmem_welcome));
		break;
	case FARMEM_MSG_GRANT:
		check_grant((const void *)data, len, session);
		/* A grant of many parts is one answer. */
		if (((const struct farmem_grant *)msg)->part)
			return;
		break;
	case FARMEM_MSG_GOODBYE:
		REQUIRE(!msg->id);
		return;
	case FARMEM_MSG_WORKING:
		REQUIRE(len == sizeof(*msg) && session_is_asked(session) && le32toh(msg->id) == session->work.id);
		return;
	default:
		REQUIRE(le16toh(msg->type) == FARMEM_MSG_DONE && len == sizeof(struct farmem_done));
	}
	REQUIRE(++bed.answered <= bed.asked);
}

/* A connection without a name counts, whatever its address. */
static void check_strangers(void)
{
	const struct session *session;
	unsigned int strangers = 0;

	LIST_FOREACH(session, &bed.server.sessions, link)
		strangers += session->state == SESSION_NEW;
	REQUIRE(strangers <= bed.server.opt.max_clients);
}

/* Whatever still has a completion queue can hear of it, and does nothing when dead. */
static void check_heard(void)
{
	const struct adapter_cq *cq;
	struct session *session;

	LIST_FOREACH(cq, &adapter.cqs, link) {
		session = cq->cq.cq_context;
		REQUIRE(session->server == &bed.server && session->device->users);
		if (session->state == SESSION_DEAD)
			dialog_completions(session);
	}
}

/* A client whose session is over has been told of every volume that it still has. */
static void check_told(void)
{
	const struct client *client;
	const struct volume *volume;

	LIST_FOREACH(client, &bed.server.clients, link) {
		if (client->session)
			continue;
		LIST_FOREACH(volume, &client->volumes, link)
			REQUIRE(volume->incarnation);
	}
}

/* Each session has a domain until the worker has cleared away what it had. */
static void check_bounds(void)
{
	const struct adapter_pd *pd;
	unsigned int sessions = 0;

	LIST_FOREACH(pd, &adapter.pds, link)
		sessions++;
	/* Unfinished, live, dead ones of strangers, and CLIENT_DEAD_MAX of each client. */
	REQUIRE(adapter.stuck || sessions <= (3 + CLIENT_DEAD_MAX) * bed.server.opt.max_clients);
}

/* librdmacm frees the context of a removed device with the last id on it. */
static void check_contexts(void)
{
	const struct adapter_id *id;
	const struct device *device;

	LIST_FOREACH(device, &bed.server.devices, link) {
		LIST_FOREACH(id, &adapter.ids, link)
			if (id->id.verbs == device->verbs)
				break;
		REQUIRE(id);
	}
}

void promises_check(void)
{
	struct client **owner = bed_owners(&bed.server);

	check_strangers();
	bed_check(&bed.server);
	check_heard();
	check_told();
	check_bounds();
	check_contexts();
	check_fenced();
	check_reach(owner);
	check_kept(owner);
	free(owner);
}
