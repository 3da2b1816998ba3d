// SPDX-License-Identifier: GPL-2.0
/*
 * memory.c - a volume's memory on its session, from grant to release.
 */
#include <linux/overflow.h>
#include <linux/slab.h>

#include "extents.h"
#include "fault.h"
#include "memory.h"
#include "pair.h"
#include "states.h"

/* So many make progress without free memory. */
#define MEMORY_REQUESTS 64

/* What the session says of it now; a CLOSE that follows may say something else. */
static void memory_note_reason(struct farmem_memory *m)
{
	farmem_session_copy_reason(m->session, m->reason, sizeof(m->reason));
}

static int memory_ask_for(struct farmem_memory *m, u64 generation, u32 flags)
{
	struct farmem_open open = {
		.capacity = cpu_to_le64(m->wanted_size),
		.generation = cpu_to_le64(generation),
		.flags = cpu_to_le32(flags),
	};

	memcpy(open.uuid, m->uuid.b, sizeof(open.uuid));
	memcpy(open.name, m->name, strnlen(m->name, sizeof(open.name) - 1));
	return farmem_control_open(m->session, &open, &m->grant);
}

static int memory_take(struct farmem_memory *m)
{
	int err = memory_ask_for(m, m->generation, m->generation ? FARMEM_OPEN_GENERATION :
								   FARMEM_OPEN_CREATE);

	if (err)
		return err;
	m->granted = m->grant.flags & FARMEM_GRANT_NEW ? FARMEM_GRANTED_NEW :
							 FARMEM_GRANTED_SAME;
	return farmem_extents_take(m, &m->grant);
}

const char *farmem_memory_lost_text(const struct farmem_memory *m)
{
	return farmem_memory_phase(m) == FARMEM_PHASE_MISPLACED ?
		"the server's memory now has other slabs than this volume's; start farmemd with its former --pool and --slab-size, or delete the volume and create it anew" :
		farmem_reason_text(FARMEM_ERR_STALE);
}

void farmem_memory_free(struct farmem_memory *m)
{
	/* A request that has ended is given back in the same RCU section. */
	synchronize_rcu();
	mempool_destroy(m->requests);
	m->requests = NULL;
	kvfree(m->grant.regions);
	memset(&m->grant, 0, sizeof(m->grant));
	farmem_extents_free(m);
	farmem_lostmap_free(&m->lostmap);
	farmem_checksums_free(&m->checksums);
	farmem_zeromap_free(&m->zeromap);
}

/* The server wants so much less; the next heartbeat tells what it wants then. */
static void memory_given_back(struct farmem_session *s, u64 bytes)
{
	u64 wanted = READ_ONCE(s->link.wanted);

	WRITE_ONCE(s->link.wanted, wanted - min(wanted, bytes));
}

int farmem_memory_close(struct farmem_memory *m, bool release)
{
	struct farmem_session *s = m->session;
	int err;

	/* What is away is closed. */
	if (farmem_memory_lost(m) || (farmem_memory_away(m) && !release))
		return 0;
	if (!farmem_session_live(s))
		return -ENOTCONN;
	err = farmem_control_close(s, m->uuid.b, release ?
				   FARMEM_MSG_RELEASE : FARMEM_MSG_CLOSE);
	if (release && !err)
		memory_given_back(s, (u64)m->slab_count << m->slab_shift);
	return err == -ENOENT && farmem_memory_away(m) ? 0 : err;
}

static int memory_alloc(struct farmem_memory *m)
{
	int err = farmem_zeromap_init(&m->zeromap, (u64)m->slab_count <<
				      (m->slab_shift - FARMEM_PAGE_SHIFT));

	if (err)
		return farmem_session_reason(m->session, err, "no memory for the zero map");
	if (m->want_checksums && farmem_checksums_init(&m->checksums, farmem_memory_pages(m)))
		return farmem_session_reason(m->session, -ENOMEM,
				"no memory for checksums, which take 1 MiB for each GiB of the volume; make it smaller, or switch them off (checksum=none)");
	m->requests = farmem_request_pool(MEMORY_REQUESTS, FARMEM_GFP_MAY_FAIL);
	return m->requests ? 0 : farmem_session_reason(m->session, -ENOMEM,
						       "no memory for requests");
}

static int memory_open(struct farmem_memory *m)
{
	int err = memory_take(m);

	if (err)
		return err;
	m->size = m->wanted_size ?: (u64)m->slab_count << m->slab_shift;
	err = memory_alloc(m);
	if (!err && m->granted != FARMEM_GRANTED_NEW)
		err = farmem_states_sync(m, FARMEM_STATES_LOAD);
	return err;
}

int farmem_memory_open(struct farmem_memory *m)
{
	int err;

	m->phase = FARMEM_PHASE_HELD;
	m->granted = FARMEM_GRANTED_SAME;
	m->reason[0] = '\0';
	m->target.flags = 0;
	err = memory_open(m);
	if (!err) {
		m->generation = m->session->link.generation;
		return 0;
	}
	memory_note_reason(m);
	/* The server may have granted what could not be taken. */
	if (!READ_ONCE(m->session->abort_error)) {
		farmem_session_restart_clock(m->session);
		farmem_control_close(m->session, m->uuid.b, FARMEM_MSG_CLOSE);
	}
	farmem_memory_free(m);
	return err;
}

/*
 * The same memory, or one that the server has had since the volume went on; else the
 * volume begins anew there, unless another client of this name has done so already.
 */
static enum farmem_granted memory_to_ask_for(const struct farmem_memory *m)
{
	u64 generation = m->session->link.generation;

	if (generation == m->generation)
		return FARMEM_GRANTED_SAME;
	return farmem_lostmap_knows(&m->lostmap, generation) ? FARMEM_GRANTED_FORMER :
							       FARMEM_GRANTED_NEW;
}

static int memory_take_again(struct farmem_memory *m, enum farmem_granted wanted)
{
	u32 flags = wanted == FARMEM_GRANTED_NEW ? FARMEM_OPEN_CREATE : FARMEM_OPEN_GENERATION;
	int err = memory_ask_for(m, m->session->link.generation, FARMEM_OPEN_CONTINUE | flags);

	return err ? err : farmem_extents_take_again(m, &m->grant);
}

static int memory_reopen(struct farmem_memory *m, enum farmem_granted wanted)
{
	int err;

	err = memory_take_again(m, wanted);
	if (err == -EREMCHG) {
		/* A volume that replaces this one can be opened then. */
		farmem_control_close(m->session, m->uuid.b, FARMEM_MSG_CLOSE);
		return farmem_session_reason(m->session, err,
				"volume %s: the server grants other slabs than before",
				m->name);
	}
	if (err)
		return err;
	/* Not before: it may yet be started again with its former memory. */
	err = farmem_lostmap_enter(&m->lostmap, farmem_memory_pages(m), &m->zeromap,
				   m->generation, m->session->link.generation);
	if (err)
		return farmem_session_reason(m->session, err,
				"volume %s: no memory for the lost map", m->name);
	if (farmem_lostmap_used(&m->lostmap))
		farmem_target_change(&m->target, 0, FARMEM_TARGET_LOOK);
	return 0;
}

int farmem_memory_store_states(struct farmem_memory *m)
{
	farmem_zeromap_doubt_all(&m->zeromap);
	return farmem_states_sync(m, FARMEM_STATES_STORE);
}

static void memory_tell(struct farmem_memory *m)
{
	u64 lost = farmem_lostmap_count(&m->lostmap, &m->zeromap);

	if (m->granted == FARMEM_GRANTED_FORMER)
		pr_warn("volume %s: the server has its former memory again: %llu pages are lost, those that were written in between\n",
			m->name, lost);
	else
		pr_err("volume %s: the server came back with other memory: %llu pages are lost, and read as errors until they are written again; if farmemd has a pool file, start farmemd with it; else swapoff and swapon, or make the volume's file system anew\n",
		       m->name, lost);
	if (lost)
		farmem_pair_fall_behind(m);
}

static int memory_settle_error(struct farmem_memory *m, int err)
{
	char reason[FARMEM_REASON_LEN];

	farmem_session_copy_reason(m->session, reason, sizeof(reason));
	return farmem_session_reason(m->session, err, "volume %s: %s", m->name, reason);
}

/* The server had memory errors: what that cost is in its page states, and only there. */
static int memory_learn_losses(struct farmem_memory *m)
{
	u64 before = farmem_lostmap_count(&m->lostmap, &m->zeromap), lost;
	int err = farmem_states_sync(m, FARMEM_STATES_MERGE);

	if (err)
		return memory_settle_error(m, err);
	lost = farmem_lostmap_count(&m->lostmap, &m->zeromap);
	if (lost <= before)
		return 0;
	pr_err("volume %s: %llu pages are lost after an uncorrectable memory error at the server, and read as errors until they are written again; farmemd's log says where\n",
	       m->name, lost - before);
	farmem_pair_fall_behind(m);
	return 0;
}

static int memory_settle(struct farmem_memory *m)
{
	struct farmem_zeromap *map = &m->zeromap;
	int err;

	err = m->mended ? memory_learn_losses(m) : 0;
	if (err)
		return err;
	if (m->granted == FARMEM_GRANTED_SAME && !READ_ONCE(map->doubtful))
		return 0;
	/* First: what fails from now on is another doubt. */
	WRITE_ONCE(map->doubtful, false);
	err = farmem_states_sync(m, FARMEM_STATES_STORE);
	if (err) {
		WRITE_ONCE(map->doubtful, true);
		return memory_settle_error(m, err);
	}
	if (m->granted == FARMEM_GRANTED_SAME)
		return 1;
	farmem_lostmap_settle(&m->lostmap);
	m->generation = m->session->link.generation;
	memory_tell(m);
	m->granted = FARMEM_GRANTED_SAME;
	return 1;
}

/* Requests are refused before their submitters can know why. */
static void memory_take_from_io(struct farmem_memory *m, enum farmem_phase phase)
{
	farmem_target_change(&m->target, 0, FARMEM_TARGET_GONE);
	smp_store_release(&m->phase, phase);
}

/* Its bytes are not there, and no other bytes shall be read in their place. */
static void memory_lose(struct farmem_memory *m, enum farmem_phase phase)
{
	enum farmem_phase before = m->phase;

	memory_take_from_io(m, phase);
	if (phase != before)
		pr_err("volume %s: lost: %s\n", m->name, farmem_memory_lost_text(m));
}

/*
 * Others of the session have what they need.  This one waits until the server has room,
 * or this node the memory to know what is lost; its clock runs on.
 */
static void memory_put_away(struct farmem_memory *m)
{
	char before[FARMEM_REASON_LEN];

	strscpy(before, m->reason, sizeof(before));
	memory_note_reason(m);
	if (!farmem_memory_away(m) || strcmp(before, m->reason))
		pr_err("volume %s: not available: %s; farmem asks for it again\n",
		       m->name, m->reason);
	/* Whatever the server may have granted. */
	m->granted = FARMEM_GRANTED_NOTHING;
	farmem_session_restart_clock(m->session);
	farmem_control_close(m->session, m->uuid.b, FARMEM_MSG_CLOSE);
	if (farmem_memory_away(m))
		return;
	m->away_since = m->session->recovery.left_live;
	/* With since when: verdict.c:verdict_waits_since(). */
	memory_take_from_io(m, FARMEM_PHASE_AWAY);
}

/* All of it is there, and the server knows the state of each page. */
static void memory_bring_back(struct farmem_memory *m)
{
	if (farmem_memory_lost(m))
		pr_info("volume %s: the server has its memory again\n", m->name);
	else
		pr_info("volume %s: the server has granted it again\n", m->name);
	m->reason[0] = '\0';
	farmem_target_change(&m->target, FARMEM_TARGET_GONE, 0);
	smp_store_release(&m->phase, FARMEM_PHASE_HELD);
}

/* Return: 0, or the error with which the connection is no good. */
static int memory_judge_opening(struct farmem_memory *m, int err)
{
	switch (farmem_message_open_fate(err, READ_ONCE(m->session->abort_error))) {
	case FARMEM_OPEN_GRANTED:
		return 0;
	case FARMEM_OPEN_LOST:
		memory_lose(m, err == -EREMCHG ? FARMEM_PHASE_MISPLACED :
						 FARMEM_PHASE_LOST);
		return 0;
	case FARMEM_OPEN_AWAY:
		memory_put_away(m);
		return 0;
	default:
		return READ_ONCE(m->session->abort_error) ?: err;
	}
}

int farmem_memory_reopen(struct farmem_memory *m)
{
	enum farmem_granted wanted = memory_to_ask_for(m);
	int err;

	m->granted = FARMEM_GRANTED_NOTHING;
	if (farmem_memory_phase(m) == FARMEM_PHASE_LOST)
		return 0;
	err = memory_reopen(m, wanted);
	if (!err)
		m->granted = wanted;
	return memory_judge_opening(m, err);
}

int farmem_memory_settle(struct farmem_memory *m)
{
	int err;

	if (!m->granted)
		return 0;
	err = memory_settle(m);
	if (err < 0)
		return memory_judge_opening(m, err);
	if (farmem_memory_phase(m) != FARMEM_PHASE_HELD)
		memory_bring_back(m);
	return err;
}
