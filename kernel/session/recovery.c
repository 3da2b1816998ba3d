// SPDX-License-Identifier: GPL-2.0
/*
 * recovery.c - from a failure back to live.
 *
 * recovery_error_work tells the users first, so that their clocks start, then ends the
 * queues: after that no device touches a page of theirs.  User space hears of it from
 * another thread (announce.c): to tell it may wait for swap to this very session.
 *
 * recovery_reconnect_work makes the queues anew and has every user's memory granted again;
 * only then requests are taken.  Attempts come at once, then after reconnect_delay,
 * twice that, and so on up to reconnect_max, each a quarter more or less by chance,
 * so that the clients of a server that was away don't all come at the same moment.
 * A session that comes back and fails before any request succeeds goes on counting.
 * In a live session the same work asks again for what a volume could not have.
 *
 * Both run on workqueues of their own (WQ_MEM_RECLAIM), and with
 * memalloc_noio_save(): what they wait for must not wait for swap to this session.
 */
#include <linux/random.h>
#include <linux/sched/mm.h>

#include "queue-set.h"
#include "recovery.h"
#include "session.h"
#include "wq.h"

/* A thread that ended an attempt has the session's lock by then, or waits for it. */
#define RECOVERY_YIELD_MS 20

/* Jiffies until the next attempt: a quarter more or less by chance, at most reconnect_max. */
static unsigned long recovery_next_delay(struct farmem_session *s)
{
	unsigned long most = s->config.reconnect_max * HZ * 4 / 5;
	unsigned long delay = s->config.reconnect_delay * HZ;
	unsigned int i;

	if (!s->recovery.attempts)
		return 0;
	for (i = 1; i < s->recovery.attempts && delay < most; i++)
		delay *= 2;
	delay = min(delay, most);
	return delay - delay / 4 + get_random_u32() % (delay / 2 + 1);
}

static void recovery_try_later(struct farmem_session *s)
{
	mod_delayed_work(s->connect_wq, &s->recovery.reconnect_work, recovery_next_delay(s));
	s->recovery.attempts++;
}

static void recovery_fence(struct farmem_session *s)
{
	farmem_session_changed(s);
	if (farmem_queues_worked(s))
		s->recovery.attempts = 0;
	farmem_queues_down(s);
	s->recovery.fenced = true;
	if (s->state == FARMEM_SESSION_RECOVERING)
		recovery_try_later(s);
	farmem_session_announce(s, FARMEM_SESSION_LIVE, s->state);
}

static void recovery_error_work(struct work_struct *work)
{
	struct farmem_session *s =
		container_of(work, struct farmem_session, recovery.error_work);
	unsigned int noio = memalloc_noio_save();

	/* An attempt may be under way on a device that goes. */
	farmem_session_lock_urgent(s);
	if (s->state == FARMEM_SESSION_FAILED ||
	    s->state == FARMEM_SESSION_RECOVERING) {
		if (!s->recovery.fenced)
			recovery_fence(s);
		if (s->link.device && farmem_device_goes(s->link.device))
			farmem_queues_disconnect(s);
	}
	mutex_unlock(&s->lock);
	memalloc_noio_restore(noio);
}

static int recovery_reopen(struct farmem_session_user *user)
{
	return user->reopen(user);
}

static int recovery_settle(struct farmem_session_user *user)
{
	return user->settle(user);
}

static int recovery_each_user(struct farmem_session *s,
			      int (*step)(struct farmem_session_user *user))
{
	struct farmem_session_user *user;
	int err;

	list_for_each_entry(user, &s->users, entry) {
		/* A big volume may take as long as connecting may. */
		farmem_session_restart_clock(s);
		err = farmem_session_lock_contended(s) ? -EINTR : step(user);
		if (err)
			return err;
	}
	return 0;
}

static int recovery_attempt(struct farmem_session *s)
{
	int err;

	spin_lock_irq(&s->state_lock);
	WRITE_ONCE(s->abort_error, 0);
	spin_unlock_irq(&s->state_lock);
	farmem_session_restart_clock(s);

	err = farmem_session_lock_contended(s) ? -EINTR : farmem_queues_up(s);
	if (!err)
		err = recovery_each_user(s, recovery_reopen);
	if (!err) {
		farmem_queues_start(s);
		/* While one was settled, another may have come to doubt. */
		do
			err = recovery_each_user(s, recovery_settle);
		while (err > 0);
	}
	if (!err)
		err = farmem_queues_go_live(s);
	if (err)
		farmem_queues_down(s);
	return err;
}

/* Once for each new reason: an outage may last for days. */
static void recovery_note_error(struct farmem_session *s, int err)
{
	char reason[FARMEM_REASON_LEN];
	u32 hash;

	farmem_session_copy_reason(s, reason, sizeof(reason));
	hash = full_name_hash(NULL, reason, strlen(reason));
	if (s->recovery.attempts == 1 || hash != s->recovery.logged)
		pr_warn("session %s: no connection yet: %s (%d); still trying\n",
			s->name, reason, err);
	s->recovery.logged = hash;
}

/*
 * A volume that was refused its memory, while others got theirs, may get it now.  Ask at the
 * heartbeat's pace: the server does not announce it.
 */
static void recovery_retry_later(struct farmem_session *s)
{
	mod_delayed_work(s->connect_wq, &s->recovery.reconnect_work,
			 (s->config.heartbeat ?: FARMEM_HEARTBEAT_DEFAULT) * HZ);
}

static void recovery_retry(struct farmem_session *s)
{
	struct farmem_session_user *user;
	bool again = false;

	list_for_each_entry(user, &s->users, entry) {
		farmem_session_restart_clock(s);
		if (READ_ONCE(s->abort_error))
			return;
		/* A thread that wants the session need not wait for this. */
		again |= atomic_read(&s->lock_wanted) || user->retry(user);
	}
	farmem_session_forget_reason(s);
	if (again)
		recovery_retry_later(s);
}

static void recovery_reconnect_work(struct work_struct *work)
{
	struct farmem_session *s = container_of(to_delayed_work(work),
						struct farmem_session,
						recovery.reconnect_work);
	unsigned int noio = memalloc_noio_save();
	int err;

	mutex_lock(&s->lock);
	if (s->state == FARMEM_SESSION_RECOVERING && s->recovery.fenced) {
		err = recovery_attempt(s);
		if (err == -EINTR) {
			/* It says nothing of the server: it does not count. */
			mod_delayed_work(s->connect_wq, &s->recovery.reconnect_work,
					 msecs_to_jiffies(RECOVERY_YIELD_MS));
		} else if (err) {
			recovery_note_error(s, err);
			recovery_try_later(s);
		} else {
			pr_info("session %s: live again after %u ms, %u queues\n",
				s->name, jiffies_to_msecs(jiffies - s->recovery.left_live),
				s->set.count);
			recovery_retry_later(s);
		}
	} else if (s->state == FARMEM_SESSION_LIVE) {
		recovery_retry(s);
	}
	mutex_unlock(&s->lock);
	memalloc_noio_restore(noio);
}

void farmem_recovery_stop(struct farmem_session *s)
{
	cancel_work_sync(&s->recovery.error_work);
	cancel_delayed_work_sync(&s->recovery.reconnect_work);
}

void farmem_recovery_init(struct farmem_session *s)
{
	s->config.reconnect_delay = FARMEM_RECONNECT_DELAY_DEFAULT;
	s->config.reconnect_max = FARMEM_RECONNECT_MAX_DEFAULT;
	INIT_WORK(&s->recovery.error_work, recovery_error_work);
	INIT_DELAYED_WORK(&s->recovery.reconnect_work, recovery_reconnect_work);
}
