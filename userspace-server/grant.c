// SPDX-License-Identifier: GPL-2.0
/*
 * grant.c - OPEN, CLOSE and RELEASE: memory lent and taken back.
 *
 * Owns struct grant (region.h) and session->work.  A request is a chain of steps.  The
 * worker runs one: it zeroes some slabs, or registers or deregisters a region.  The loop
 * then looks whether the session still lives, and picks the next.  A session has one step
 * in the worker's queue, so that sessions take turns.  Called by dialog.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "client.h"
#include "clock.h"
#include "device.h"
#include "format.h"
#include "grant.h"
#include "log.h"
#include "mailbox.h"
#include "parse.h"
#include "poison.h"
#include "server.h"
#include "session.h"
#include "spread.h"
#include "status.h"
#include "util.h"
#include "volume.h"
#include "worker.h"

#define ACCESS		(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE)
/* Half of the receives that the peer keeps posted; it reposts meanwhile. */
#define PARTS_IN_FLIGHT	(FARMEM_MSG_RECVS / 2)

static void grant_begin_open(struct session *session);
static void grant_next_step(struct session *session);

static struct grant *grant_new(struct session *session, struct volume *volume)
{
	struct grant *grant = calloc(1, sizeof(*grant));

	if (!grant)
		return NULL;
	grant->region = region_plan(&volume->slabs, session->server->pool.slab_size,
				   session->device->limits.mr_size, &grant->regions);
	if (!grant->region) {
		free(grant);
		return NULL;
	}
	grant->volume = volume;
	volume->grant = grant;
	LIST_INSERT_HEAD(&session->grants, grant, link);
	return grant;
}

static void grant_answer(struct session *session, const void *msg, size_t len)
{
	int ret;

	session->stage = DIALOG_IDLE;
	ret = mailbox_send(&session->mailbox, msg, len);
	if (ret)
		session_close(session, ret == ENOBUFS ?
			      "the client does not take answers" : "cannot send an answer");
}

static void grant_refuse(struct session *session, uint32_t id, const uint8_t *uuid,
			 enum farmem_reason reason, const char *detail)
{
	struct farmem_grant out;

	peer_warn(session->label, "volume refused: %s%s%s", farmem_reason_text(reason),
		  *detail ? ": " : "", detail);
	grant_answer(session, &out, message_build_refusal(&out, id, uuid, reason, detail));
}

static void grant_send_done(struct session *session, uint32_t id, const uint8_t *uuid,
			    enum farmem_reason reason)
{
	struct farmem_done out;

	grant_answer(session, &out, message_build_done(&out, FARMEM_MSG_DONE, id, uuid, reason));
}

static void grant_submit(struct session *session, enum dialog_stage stage,
			 void (*run)(struct job *),
		   void (*done)(struct job *))
{
	struct work *work = &session->work;

	session->stage = stage;
	work->error = 0;
	work->job.run = run;
	work->job.done = done;
	worker_submit(session->server->worker, &work->job);
}

static void grant_zero_run(struct job *job)
{
	struct work *work = container_of(job, struct work, job);

	work->error = -pool_zero(&work->session->server->pool, work->zero);
}

static void grant_zero_done(struct job *job)
{
	struct work *work = container_of(job, struct work, job);

	work->starved = work->error && work->error != EHWPOISON;
	/* Of a dead session they may be another volume's by now, and their memory the machine's. */
	if (!work->error && work->session->state != SESSION_DEAD)
		slab_zeroed(&work->session->server->slabs, work->zero);
	grant_next_step(work->session);
}

/*
 * A client that goes on with a volume which is not here had it in memory that is gone.  It
 * marks its pages as lost, one by one.  Until it has, and if it dies over that, no page
 * reads as zeros.
 */
struct losing {
	const struct pool *pool;
	struct slab_run run;
};

static void grant_begin_lost(void *data)
{
	const struct losing *losing = data;

	memset(pool_meta(losing->pool, losing->run.first), FARMEM_PAGE_LOST,
	       losing->run.count * pool_meta_per_slab(losing->pool));
}

/* To register pages that are not mapped, as of a kept pool, takes twice as long. */
static int grant_have_pages(const struct pool *pool, struct slab_run run, bool lost)
{
	struct losing losing = { pool, run };
	int ret = pool_probe(pool, run);

	if (!ret && lost && !poison_try(grant_begin_lost, &losing))
		return -EHWPOISON;
	return ret == -EHWPOISON ? ret : 0;
}

static int grant_register_region(void *data, unsigned int i)
{
	struct work *work = data;
	const struct pool *pool = &work->session->server->pool;
	struct region *region = &work->grant->region[work->region + i];
	struct slab_run run = region->run;

	int ret = grant_have_pages(pool, run, work->lost);

	if (ret)
		return ret;
	region->data = ibv_reg_mr(work->session->queues.pd, pool_data(pool, run.first),
				  run.count * pool->slab_size, ACCESS);
	if (region->data)
		region->meta = ibv_reg_mr(work->session->queues.pd, pool_meta(pool, run.first),
					  run.count * pool_meta_per_slab(pool), ACCESS);
	if (!region->meta)
		return errno ? -errno : -EIO;
	worker_step(work->session->server->worker);
	return 0;
}

/* So many at a time: between two steps the loop looks whether the session still lives. */
static void grant_register_run(struct job *job)
{
	struct work *work = container_of(job, struct work, job);

	work->error = -spread(work->batch, grant_register_region, work);
}

static void grant_register_done(struct job *job)
{
	struct work *work = container_of(job, struct work, job);

	work->region += work->batch;
	grant_next_step(work->session);
}

static void grant_deregister_run(struct job *job)
{
	struct work *work = container_of(job, struct work, job);

	work->key_left |= !region_deregister(&work->grant->region[work->region]);
}

/*
 * A region at a time: requests of other sessions come in between.  If the session ends
 * meanwhile, session.c deregisters the rest.
 */
static void grant_start_deregistering(struct session *session, enum dialog_stage stage,
				      void (*done)(struct job *))
{
	struct work *work = &session->work;

	work->volume->grant = NULL;
	work->region = 0;
	grant_submit(session, stage, grant_deregister_run, done);
}

/* A region is deregistered.  Return: true if that was the last of the request. */
static bool grant_deregistered(struct session *session, void (*done)(struct job *))
{
	struct work *work = &session->work;

	session->key_left |= work->key_left;
	if (session->state == SESSION_DEAD)
		return false;
	if (++work->region < work->grant->regions) {
		grant_submit(session, session->stage, grant_deregister_run, done);
		return false;
	}
	region_forget(work->grant);
	work->grant = NULL;
	return true;
}

/* Gives back the slabs that an OPEN has taken which failed. */
static void grant_give_back(struct work *work)
{
	if (work->flags & FARMEM_GRANT_NEW)
		volume_release(work->volume);
	else
		volume_shrink(work->volume, work->had);
}

/* OPEN failed half way, and what was registered is deregistered again. */
static void grant_undo_done(struct job *job)
{
	struct work *work = container_of(job, struct work, job);
	struct session *session = work->session;
	struct volume *volume = work->volume;
	uint8_t uuid[FARMEM_ID_LEN];
	uint32_t place, slab;
	char why[LIMITS_TEXT];

	if (!grant_deregistered(session, grant_undo_done))
		return;
	if (slab_find_bad(&session->server->slabs, &volume->slabs, &place, &slab)) {
		grant_begin_open(session);
		return;
	}
	memcpy(uuid, volume->uuid, sizeof(uuid));
	/* Nothing of it was registered: the machine has back what it gave before that was all. */
	if (work->starved)
		slab_unlend(&session->server->slabs, &volume->slabs,
			    work->flags & FARMEM_GRANT_NEW ? 0 : work->had);
	grant_give_back(work);
	if (work->starved)
		grant_refuse(session, work->id, uuid, FARMEM_ERR_NO_SPACE,
			     "this machine needs its memory itself");
	else
		grant_refuse(session, work->id, uuid, FARMEM_ERR_RESOURCES,
		     device_lacks(session->device, LIMIT_MR, work->failed, why));
}

static void grant_undo(struct session *session)
{
	struct work *work = &session->work;

	work->failed = work->error;
	free(work->wire);
	work->wire = NULL;
	grant_start_deregistering(session, DIALOG_UNDOING, grant_undo_done);
}

static void grant_tell_region(const struct pool *pool, const struct region *region,
			      struct message_region *wire)
{
	wire->addr = (uintptr_t)pool_data(pool, region->run.first);
	wire->meta_addr = (uintptr_t)pool_meta(pool, region->run.first);
	wire->rkey = region->data->rkey;
	wire->meta_rkey = region->meta->rkey;
	wire->first_slab = region->first_slab;
	wire->slab_count = region->run.count;
}

static void grant_start_answer(struct session *session)
{
	struct work *work = &session->work;
	struct grant *grant = work->grant;
	char size[SIZE_TEXT], uuid[UUID_TEXT], name[NAME_TEXT];
	size_t i;

	work->wire = calloc(grant->regions, sizeof(*work->wire));
	if (!work->wire || !message_grant_parts(grant->regions)) {
		work->error = ENOMEM;
		grant_undo(session);
		return;
	}
	for (i = 0; i < grant->regions; i++)
		grant_tell_region(&session->server->pool, &grant->region[i], &work->wire[i]);
	work->part = 0;
	session->stage = DIALOG_ANSWERING;
	if (work->volume->mended)
		work->flags |= FARMEM_GRANT_MENDED;
	volume_opened(work->volume, session->incarnation);
	format_size(work->volume->slabs.slabs * session->server->pool.slab_size, size);
	peer_info(session->label, "volume %s '%s' granted: %s in %zu regions%s",
		  format_uuid(work->volume->uuid, uuid), format_name(work->volume->name, name),
		  size, grant->regions, work->flags & FARMEM_GRANT_NEW ? ", new" : "");
	status_report(session->server);
	grant_send_parts(session);
}

/* The next regions, which are registered side by side. */
static size_t grant_next_batch(const struct work *work)
{
	return min(work->grant->regions - work->region, spread_width());
}

static void grant_register_some(struct session *session)
{
	session->work.batch = grant_next_batch(&session->work);
	grant_submit(session, DIALOG_REGISTERING, grant_register_run, grant_register_done);
}

/* No slab has keys of two sessions, though those of a dead one are worth nothing. */
static bool grant_must_wait(const struct session *session)
{
	const struct work *work = &session->work;
	size_t i;

	for (i = work->region; i < work->region + grant_next_batch(work); i++)
		if (session_reaping(session->server, work->grant->region[i].run))
			return true;
	return false;
}

/* Zero what must be zeroed, then register, then answer. */
static void grant_next_step(struct session *session)
{
	struct server *server = session->server;
	struct work *work = &session->work;

	if (session->state == SESSION_DEAD)
		return;
	if (work->error) {
		grant_undo(session);
		return;
	}
	work->zero = slab_find_reserved(&server->slabs, &work->volume->slabs, clean_step(server));
	if (work->zero.count)
		grant_submit(session, DIALOG_ZEROING, grant_zero_run, grant_zero_done);
	else if (work->region == work->grant->regions)
		grant_start_answer(session);
	else if (grant_must_wait(session))
		session->stage = DIALOG_WAITING;
	else
		grant_register_some(session);
}

void grant_resume(struct server *server)
{
	struct session *session;

	do {
		LIST_FOREACH(session, &server->sessions, link)
			if (session->stage == DIALOG_WAITING && !grant_must_wait(session))
				break;
		if (session) {
			grant_next_step(session);
				}
	} while (session);
}

void grant_abandon(struct session *session)
{
	if (session->stage >= DIALOG_MENDING && session->stage <= DIALOG_UNDOING)
		grant_give_back(&session->work);
}

void grant_send_parts(struct session *session)
{
	struct work *work = &session->work;
	const struct pool *pool = &session->server->pool;
	struct message_grant about = {
		.generation = pool->generation,
		.slab_size = pool->slab_size,
		.flags = work->flags,
	};
	uint8_t out[FARMEM_MSG_MAX];
	size_t len;

	if (session->stage != DIALOG_ANSWERING)
		return;
	about.slabs = work->volume->slabs.slabs;
	memcpy(about.uuid, work->volume->uuid, sizeof(about.uuid));
	while (work->part < message_grant_parts(work->grant->regions) &&
	       mailbox_sends(&session->mailbox) < PARTS_IN_FLIGHT) {
		len = message_build_grant(out, work->id, &about, work->wire, work->grant->regions,
					  work->part);
		if (mailbox_send(&session->mailbox, out, len)) {
			session_close(session, "cannot send a grant");
			return;
		}
		work->part++;
	}
	if (work->part == message_grant_parts(work->grant->regions)) {
		free(work->wire);
		work->wire = NULL;
		session->stage = DIALOG_IDLE;
	}
}

/* Nothing of it is registered. */
static void grant_refuse_open(struct session *session, const char *detail)
{
	struct work *work = &session->work;
	uint8_t uuid[FARMEM_ID_LEN];

	memcpy(uuid, work->volume->uuid, sizeof(uuid));
	grant_give_back(work);
	grant_refuse(session, work->id, uuid, FARMEM_ERR_RESOURCES, detail);
}

static void grant_stand_in_run(struct job *job)
{
	struct work *work = container_of(job, struct work, job);

	work->error = -standin_fill(&work->session->server->pool, &work->standin);
}

static void grant_stand_in_done(struct job *job)
{
	struct work *work = container_of(job, struct work, job);
	struct session *session = work->session;
	int ret = -work->error;

	/* The volume may be gone with its session. */
	if (session->state == SESSION_DEAD) {
		standin_drop(session->server, &work->standin);
		return;
	}
	if (!ret)
		ret = standin_end(session->server, work->volume, &work->standin);
	if (ret)
		standin_drop(session->server, &work->standin);
	if (ret && ret != -EHWPOISON)
		grant_refuse_open(session, "out of memory");
	else
		grant_begin_open(session);
}

/* Slabs with a memory error are replaced, one a step; then it is known what to register. */
static void grant_begin_open(struct session *session)
{
	struct work *work = &session->work;
	int ret = standin_begin(session->server, work->volume, work->had, &work->standin);

	work->error = 0;
	work->starved = false;
	work->region = 0;
	if (ret > 0) {
		grant_submit(session, DIALOG_MENDING, grant_stand_in_run, grant_stand_in_done);
		return;
	}
	if (ret < 0) {
		grant_refuse_open(session, "uncorrectable memory error, and no free slab to replace the bad one");
		return;
	}
	work->grant = grant_new(session, work->volume);
	if (work->grant)
		grant_next_step(session);
	else
		grant_refuse_open(session, "out of memory");
}

/* The volume that an OPEN names, as large as it asks; NULL with @refusal. */
static struct volume *grant_find_or_make(struct session *session, const struct message *msg,
					 uint32_t *flags, struct volume_refusal *refusal)
{
	struct volume *volume = volume_find(session->client, msg->open.uuid);
	bool same_memory = !(msg->open.flags & FARMEM_OPEN_GENERATION) ||
			   msg->open.generation == session->server->pool.generation;

	*refusal = (struct volume_refusal){};
	*flags = volume ? 0 : FARMEM_GRANT_NEW;
	if (!same_memory || (!volume && msg->open.flags & FARMEM_OPEN_GENERATION))
		refusal->reason = FARMEM_ERR_STALE;
	else if (volume && msg->open.flags & FARMEM_OPEN_CONTINUE &&
		 volume->incarnation != session->incarnation)
		refusal->reason = FARMEM_ERR_STALE;
	else if (!volume && !(msg->open.flags & FARMEM_OPEN_CREATE))
		refusal->reason = FARMEM_ERR_NO_VOLUME;
	else if (volume && volume->grant)
		refusal->reason = FARMEM_ERR_VOLUME_BUSY;
	else if (!volume && !msg->open.capacity) {
		refusal->reason = FARMEM_ERR_MALFORMED;
		strcpy(refusal->detail, "a new volume needs a capacity");
	}
	if (refusal->reason)
		return NULL;
	if (!volume)
		volume = volume_create(session->client, msg->open.uuid, msg->open.name, refusal);
	if (volume && volume_grow(volume, msg->open.capacity, refusal)) {
		if (*flags & FARMEM_GRANT_NEW)
			volume_release(volume);
		return NULL;
	}
	return volume;
}

void grant_open(struct session *session, const struct message *msg)
{
	struct work *work = &session->work;
	struct volume_refusal refusal;
	struct volume *volume;

	work->reported = clock_seconds();
	work->type = msg->type;
	work->id = msg->id;
	volume = volume_find(session->client, msg->open.uuid);
	work->had = volume ? volume->slabs.slabs : 0;
	volume = grant_find_or_make(session, msg, &work->flags, &refusal);
	if (!volume) {
		grant_refuse(session, msg->id, msg->open.uuid, refusal.reason, refusal.detail);
		return;
	}
	work->volume = volume;
	work->lost = work->flags & FARMEM_GRANT_NEW && msg->open.flags & FARMEM_OPEN_CONTINUE;
	grant_begin_open(session);
}

/* CLOSE and RELEASE, when the registrations are gone. */
static void grant_end_done(struct job *job)
{
	struct work *work = container_of(job, struct work, job);
	struct session *session = work->session;
	struct volume *volume = work->volume;
	char text[UUID_TEXT], name[NAME_TEXT];
	uint8_t uuid[FARMEM_ID_LEN];

	if (!grant_deregistered(session, grant_end_done))
		return;
	memcpy(uuid, volume->uuid, sizeof(uuid));
	peer_info(session->label, "volume %s '%s' %s", format_uuid(uuid, text),
		  format_name(volume->name, name), work->type == FARMEM_MSG_RELEASE ? "released" : "closed");
	if (work->type == FARMEM_MSG_RELEASE)
		volume_release(volume);
	grant_send_done(session, work->id, uuid, FARMEM_OK);
}

void grant_end(struct session *session, const struct message *msg)
{
	struct volume *volume = volume_find(session->client, msg->ref.uuid);
	struct work *work = &session->work;

	work->reported = clock_seconds();
	work->type = msg->type;
	work->id = msg->id;
	if (!volume) {
		grant_send_done(session, msg->id, msg->ref.uuid, FARMEM_ERR_NO_VOLUME);
		return;
	}
	if (!volume->grant) {
		/* Not open: nothing to deregister, and CLOSE has nothing to do. */
		if (msg->type == FARMEM_MSG_RELEASE)
			volume_release(volume);
		grant_send_done(session, msg->id, msg->ref.uuid, FARMEM_OK);
		return;
	}
	work->volume = volume;
	work->grant = volume->grant;
	grant_start_deregistering(session, DIALOG_ENDING, grant_end_done);
}
