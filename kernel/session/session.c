// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - a session's state, its failure, its lock; and which sessions there are.
 *
 *	  power on, from FAILED too  WELCOME, queues up      recovery.c
 *	DOWN -------------> CONNECTING ------------------> LIVE <------- RECOVERING
 *	 ^  ^                   | gave up                   |                ^
 *	 |  +-------------------+                           +----------------+
 *	 |                                                  |  farmem_session_fail()
 *	 |         power off                                v  reconnect_delay=0
 *	 +------- CLOSING <--- LIVE, RECOVERING, FAILED   FAILED
 *
 * session_change_state() is the only writer of session->state.
 */
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/sched/mm.h>

#include "fault.h"
#include "session.h"
#include "trace.h"

static LIST_HEAD(sessions);
static DEFINE_MUTEX(sessions_lock);

static const char *const state_names[] = {
	[FARMEM_SESSION_DOWN] = "down",
	[FARMEM_SESSION_CONNECTING] = "connecting",
	[FARMEM_SESSION_LIVE] = "live",
	[FARMEM_SESSION_RECOVERING] = "recovering",
	[FARMEM_SESSION_FAILED] = "failed",
	[FARMEM_SESSION_CLOSING] = "closing",
};

const char *farmem_session_state_name(enum farmem_session_state state)
{
	return state_names[state];
}

/* The only writer of s->state; s->state_lock held. */
static enum farmem_session_state session_change_state(struct farmem_session *s,
						      enum farmem_session_state state)
{
	enum farmem_session_state old = s->state;

	lockdep_assert_held(&s->state_lock);
	trace_farmem_session_state(s->name, state_names[old],
				   state_names[state]);
	/* With when it left live: verdict.c:farmem_verdict(). */
	smp_store_release(&s->state, state);
	return old;
}

void farmem_session_changed(struct farmem_session *s)
{
	struct farmem_session_user *user;

	lockdep_assert_held(&s->lock);
	list_for_each_entry(user, &s->users, entry)
		user->changed(user);
}

static void session_uevent(struct farmem_session *s, const char *was, const char *is)
{
	char session[FARMEM_NAME_LEN + 16], now[32], before[32];
	char *env[] = { session, now, before, NULL };

	snprintf(session, sizeof(session), "FARMEM_SESSION=%s", s->name);
	snprintf(now, sizeof(now), "FARMEM_STATE=%s", is);
	snprintf(before, sizeof(before), "FARMEM_OLD_STATE=%s", was);
	farmem_fault_hold(FARMEM_FAULT_UEVENT);
	kobject_uevent_env(&THIS_MODULE->mkobj.kobj, KOBJ_CHANGE, env);
}

static void session_uevent_work(struct work_struct *work)
{
	struct farmem_session *s =
		container_of(work, struct farmem_session, announce.work);
	unsigned int noio = memalloc_noio_save();
	const char *was, *is;

	while (farmem_announce_next(&s->announce, &was, &is))
		session_uevent(s, was, is);
	memalloc_noio_restore(noio);
}

void farmem_session_announce(struct farmem_session *s,
			     enum farmem_session_state old,
			     enum farmem_session_state state)
{
	struct farmem_session_user *user;

	lockdep_assert_held(&s->lock);
	farmem_announce(&s->announce, state_names[old], state_names[state]);
	list_for_each_entry(user, &s->users, entry)
		user->announce(user);
}

void farmem_session_enter(struct farmem_session *s, enum farmem_session_state state)
{
	enum farmem_session_state old;

	spin_lock_irq(&s->state_lock);
	old = session_change_state(s, state);
	spin_unlock_irq(&s->state_lock);
	farmem_session_announce(s, old, state);
}

int farmem_session_reason(struct farmem_session *s, int err,
			  const char *fmt, ...)
{
	unsigned long flags;
	va_list args;

	spin_lock_irqsave(&s->state_lock, flags);
	va_start(args, fmt);
	vsnprintf(s->reason, sizeof(s->reason), fmt, args);
	va_end(args);
	spin_unlock_irqrestore(&s->state_lock, flags);
	return err;
}

void farmem_session_copy_reason(struct farmem_session *s, char *buf, size_t len)
{
	unsigned long flags;

	spin_lock_irqsave(&s->state_lock, flags);
	strscpy(buf, s->reason, len);
	spin_unlock_irqrestore(&s->state_lock, flags);
}

void farmem_session_recover(struct farmem_session *s)
{
	queue_work(s->error_wq, &s->recovery.error_work);
}

void farmem_session_fail(struct farmem_session *s, int err,
			 const char *fmt, ...)
{
	bool was_live = false, noted = false;
	unsigned long flags;
	va_list args;

	spin_lock_irqsave(&s->state_lock, flags);
	if (!s->abort_error && (s->state == FARMEM_SESSION_LIVE ||
				s->state == FARMEM_SESSION_CONNECTING ||
				s->state == FARMEM_SESSION_RECOVERING)) {
		va_start(args, fmt);
		vsnprintf(s->reason, sizeof(s->reason), fmt, args);
		va_end(args);
		WRITE_ONCE(s->abort_error, err);
		noted = true;
		was_live = s->state == FARMEM_SESSION_LIVE;
		if (was_live) {
			s->recovery.left_live = jiffies;
			session_change_state(s, s->config.reconnect_delay ?
					FARMEM_SESSION_RECOVERING :
					FARMEM_SESSION_FAILED);
		}
	}
	spin_unlock_irqrestore(&s->state_lock, flags);

	if (was_live) {
		pr_err("session %s failed: %s\n", s->name, s->reason);
		farmem_session_recover(s);
	}
	if (noted)
		wake_up(&s->wait);
}

void farmem_session_ignore_reports(struct farmem_session *s, int err)
{
	spin_lock_irq(&s->state_lock);
	if (!s->abort_error)
		WRITE_ONCE(s->abort_error, err);
	spin_unlock_irq(&s->state_lock);
}

/*
 * At one server one client is one session, whatever the address.  A second one of this
 * node would be refused there, or with takeover=1 would fence off the first and the
 * volumes on it.
 */
int farmem_session_claim(struct farmem_session *s, const u8 *uuid)
{
	struct farmem_session *other;
	int err = 0;

	lockdep_assert_held(&s->lock);
	mutex_lock(&sessions_lock);
	list_for_each_entry(other, &sessions, entry) {
		if (other == s || !other->claimed ||
		    memcmp(uuid, other->server_uuid, sizeof(s->server_uuid)) ||
		    memcmp(s->identity, other->identity, sizeof(s->identity)) ||
		    farmem_fault(FARMEM_FAULT_KNOW_OWN))
			continue;
		err = farmem_session_reason(s, -EBUSY,
				"session %s of this node is client %s of the server at %s already; make the volume on that session, or give this one another client= (if these are two servers, give one of them another UUID than %pUb with farmemd --uuid)",
				other->name, s->config.client, s->config.server, uuid);
		break;
	}
	if (!err) {
		memcpy(s->server_uuid, uuid, sizeof(s->server_uuid));
		s->claimed = true;
	}
	mutex_unlock(&sessions_lock);
	return err;
}

/* A server that says another's UUID, and has not its key, keeps no session from that. */
void farmem_session_unclaim(struct farmem_session *s)
{
	lockdep_assert_held(&s->lock);
	mutex_lock(&sessions_lock);
	memcpy(s->server_uuid, s->proved_uuid, sizeof(s->server_uuid));
	s->claimed = memchr_inv(s->proved_uuid, 0, sizeof(s->proved_uuid));
	mutex_unlock(&sessions_lock);
}

int farmem_session_become_live(struct farmem_session *s)
{
	int err;

	lockdep_assert_held(&s->lock);
	spin_lock_irq(&s->state_lock);
	err = s->abort_error;
	if (!err) {
		session_change_state(s, FARMEM_SESSION_LIVE);
		s->reason[0] = '\0';
	}
	spin_unlock_irq(&s->state_lock);
	if (err)
		return err;
	s->recovery.fenced = false;
	memcpy(s->proved_uuid, s->server_uuid, sizeof(s->proved_uuid));
	farmem_session_changed(s);
	return 0;
}

int farmem_session_attach(struct farmem_session *s,
			  struct farmem_session_user *user)
{
	lockdep_assert_held(&s->lock);
	if (!farmem_session_live(s))
		return -ENOTCONN;
	list_add_tail(&user->entry, &s->users);
	s->user_count++;
	return 0;
}

void farmem_session_detach(struct farmem_session *s,
			   struct farmem_session_user *user)
{
	lockdep_assert_held(&s->lock);
	list_del(&user->entry);
	s->user_count--;
}

void farmem_session_forget_reason(struct farmem_session *s)
{
	spin_lock_irq(&s->state_lock);
	if (s->state == FARMEM_SESSION_LIVE)
		s->reason[0] = '\0';
	spin_unlock_irq(&s->state_lock);
}

int farmem_session_lock(struct farmem_session *s)
{
	int err;

	atomic_inc(&s->lock_awaited);
	err = mutex_lock_interruptible(&s->lock);
	atomic_dec(&s->lock_awaited);
	return err;
}

bool farmem_session_lock_contended(struct farmem_session *s)
{
	return s->state == FARMEM_SESSION_RECOVERING &&
	       atomic_read(&s->lock_wanted);
}

void farmem_session_lock_urgent(struct farmem_session *s)
{
	atomic_inc(&s->lock_wanted);
	atomic_inc(&s->lock_awaited);
	spin_lock_irq(&s->state_lock);
	if (s->state == FARMEM_SESSION_RECOVERING && !s->abort_error)
		WRITE_ONCE(s->abort_error, -EINTR);
	spin_unlock_irq(&s->state_lock);
	wake_up(&s->wait);
	mutex_lock(&s->lock);
	atomic_dec(&s->lock_awaited);
	atomic_dec(&s->lock_wanted);
}

bool farmem_session_extend(struct farmem_session *s)
{
	/* A session that has failed may have done so with the error of a deadline. */
	if (READ_ONCE(s->abort_error))
		return false;
	if (!s->set.growing || atomic_read(&s->lock_awaited) ||
	    time_after(jiffies, s->set.grow_until))
		return false;
	s->deadline = jiffies + FARMEM_SESSION_PATIENCE;
	return true;
}

void farmem_session_begin(struct farmem_session *s)
{
	farmem_session_lock_urgent(s);
	s->noio = memalloc_noio_save();
	farmem_session_restart_clock(s);
	farmem_session_forget_reason(s);
}

void farmem_session_end(struct farmem_session *s)
{
	memalloc_noio_restore(s->noio);
	mutex_unlock(&s->lock);
}

void farmem_session_init(struct farmem_session *s)
{
	kref_init(&s->kref);
	mutex_init(&s->lock);
	spin_lock_init(&s->state_lock);
	init_waitqueue_head(&s->wait);
	farmem_announce_init(&s->announce, session_uevent_work);
	INIT_LIST_HEAD(&s->users);
}

void farmem_session_enlist(struct farmem_session *s)
{
	mutex_lock(&sessions_lock);
	list_add_tail(&s->entry, &sessions);
	mutex_unlock(&sessions_lock);
}

struct farmem_session *farmem_session_get(const char *name)
{
	struct farmem_session *s, *found = NULL;

	mutex_lock(&sessions_lock);
	list_for_each_entry(s, &sessions, entry) {
		if (!strcmp(s->name, name)) {
			kref_get(&s->kref);
			found = s;
			break;
		}
	}
	mutex_unlock(&sessions_lock);
	return found;
}

void farmem_session_delist(struct farmem_session *s)
{
	mutex_lock(&sessions_lock);
	list_del_init(&s->entry);
	mutex_unlock(&sessions_lock);
}
