// SPDX-License-Identifier: GPL-2.0
/*
 * session.c - sessions: their life, their state, their failure.
 *
 *	  power on, from FAILED too  WELCOME, queues up      recovery.c
 *	DOWN -------------> CONNECTING ------------------> LIVE <------- RECOVERING
 *	 ^  ^                   | gave up                   |                ^
 *	 |  +-------------------+                           +----------------+
 *	 |                                                  |  farmem_session_fail()
 *	 |         power off                                v  reconnect_delay=0
 *	 +------- CLOSING <--- LIVE, RECOVERING, FAILED   FAILED
 *
 * change_state() is the only writer of session->state.
 */
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <net/net_namespace.h>

#include "auth.h"
#include "connect.h"
#include "fault.h"
#include "heartbeat.h"
#include "local.h"
#include "queue-set.h"
#include "recovery.h"
#include "session.h"
#include "text.h"
#include "trace.h"

#define DEFAULT_TIMEOUT 20

struct workqueue_struct *farmem_wq;
struct workqueue_struct *farmem_grow_wq;

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
static enum farmem_session_state change_state(struct farmem_session *s,
					      enum farmem_session_state state)
{
	enum farmem_session_state old = s->state;

	lockdep_assert_held(&s->state_lock);
	trace_farmem_session_state(s->name, state_names[old],
				   state_names[state]);
	/* With when it left live: park.c:judge(). */
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

static void tell_state(struct farmem_announce *a, const char *was, const char *is)
{
	struct farmem_session *s =
		container_of(a, struct farmem_session, announce);
	char session[FARMEM_NAME_LEN + 16], now[32], before[32];
	char *env[] = { session, now, before, NULL };

	snprintf(session, sizeof(session), "FARMEM_SESSION=%s", s->name);
	snprintf(now, sizeof(now), "FARMEM_STATE=%s", is);
	snprintf(before, sizeof(before), "FARMEM_OLD_STATE=%s", was);
	farmem_fault_hold(FARMEM_FAULT_UEVENT);
	kobject_uevent_env(&THIS_MODULE->mkobj.kobj, KOBJ_CHANGE, env);
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

static void enter_state(struct farmem_session *s,
			enum farmem_session_state state)
{
	enum farmem_session_state old;

	spin_lock_irq(&s->state_lock);
	old = change_state(s, state);
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
			s->left_live = jiffies;
			if (farmem_queues_worked(s))
				s->attempts = 0;
			change_state(s, s->reconnect_delay ?
					FARMEM_SESSION_RECOVERING :
					FARMEM_SESSION_FAILED);
		}
	}
	spin_unlock_irqrestore(&s->state_lock, flags);

	if (was_live) {
		pr_err("session %s failed: %s\n", s->name, s->reason);
		farmem_recovery_start(s);
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

static void device_removed(struct farmem_device_user *user)
{
	struct farmem_session *s =
		container_of(user, struct farmem_session, device_user);

	farmem_session_fail(s, -ENODEV, "%s: the RDMA device was removed",
			    s->server);
	/* One that is away already may still keep the device. */
	farmem_recovery_start(s);
}

/* Who we are: a name of any length in the 16 bytes that a REQ has room for. */
static void hash_identity(struct farmem_session *s)
{
	char text[FARMEM_NAME_LEN + 16];
	u8 digest[SHA256_DIGEST_SIZE];
	int len;

	len = scnprintf(text, sizeof(text), "farmem-client:%s", s->client);
	sha256(text, len, digest);
	memcpy(s->identity, digest, sizeof(s->identity));
}

static int parse_config(struct farmem_session *s)
{
	/* What the server's log and its administrator can read and type. */
	if (!farmem_text_valid(s->client))
		return farmem_session_reason(s, -EINVAL,
				"client=: give printable ASCII without blanks");
	if (!*s->server)
		return farmem_session_reason(s, -EINVAL,
				"no server: set server=ADDR:PORT, or server=local");
	if (farmem_parse_addr(s->server, FARMEM_DEFAULT_PORT, &s->server_addr))
		return farmem_session_reason(s, -EINVAL,
				"server=%s is no address; write 192.0.2.1:7471 or [2001:db8::1]:7471, or local",
				s->server);
	memset(&s->source_addr, 0, sizeof(s->source_addr));
	if (*s->source && farmem_parse_addr(s->source, 0, &s->source_addr))
		return farmem_session_reason(s, -EINVAL,
				"source=%s is no address; write 192.0.2.1 or 2001:db8::1",
				s->source);
	hash_identity(s);
	return 0;
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
				"session %s of this node is client %s of the server at %s already; make the volume on that session, or give this one another client= (if these are two servers, one needs another UUID than %pUb: farmemd --uuid)",
				other->name, s->client, s->server, uuid);
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
	enum farmem_session_state old = s->state;
	int err;

	spin_lock_irq(&s->state_lock);
	err = s->abort_error;
	if (!err) {
		change_state(s, FARMEM_SESSION_LIVE);
		s->reason[0] = '\0';
	}
	spin_unlock_irq(&s->state_lock);
	if (err)
		return err;
	s->fenced = false;
	memcpy(s->proved_uuid, s->server_uuid, sizeof(s->proved_uuid));
	farmem_session_changed(s);
	farmem_heartbeat_start(s);
	farmem_queues_grow(s);
	farmem_session_announce(s, old, FARMEM_SESSION_LIVE);
	return 0;
}

static bool is_local(const struct farmem_session *s)
{
	return !strcmp(s->server, "local");
}

static int connect(struct farmem_session *s)
{
	int err;

	/* Recovery is a kernel thread's, which is in the first of all namespaces. */
	s->net = get_net(current->nsproxy->net_ns);
	err = parse_config(s);
	if (!err)
		err = farmem_session_read_key(s);
	if (err)
		return err;
	err = farmem_queues_up(s);
	if (!err)
		farmem_queues_start(s);
	return err;
}

static void disconnect(struct farmem_session *s)
{
	farmem_queues_down(s);
	farmem_queues_part(s);
	farmem_heartbeat_stop(s);
	farmem_queues_free(s);
	farmem_heartbeat_free(s);
	farmem_session_use_key(s);
	farmem_auth_free(s->auth);
	s->auth = NULL;
	memset(s->proved_uuid, 0, sizeof(s->proved_uuid));
	farmem_session_unclaim(s);
	if (s->net)
		put_net(s->net);
	s->net = NULL;
}

/* Unless told otherwise it is the host, if that has a name of its own. */
static int name_client(struct farmem_session *s)
{
	const char *host = init_utsname()->nodename;
	const char *flaw = farmem_host_name_flaw(host);

	if (*s->client)
		return 0;
	if (!flaw)
		strscpy(s->client, host, sizeof(s->client));
	/* No server has to tell it from others. */
	if (!flaw || is_local(s))
		return 0;
	return farmem_session_reason(s, -EINVAL,
			"the host name %s; give client=NAME, or set a host name (hostnamectl set-hostname NAME)",
			flaw);
}

static int power_on(struct farmem_session *s)
{
	int err;

	lockdep_assert_held(&s->lock);
	if (s->state != FARMEM_SESSION_DOWN &&
	    s->state != FARMEM_SESSION_FAILED)
		return -EALREADY;
	if (s->user_count)
		return farmem_session_reason(s, -EBUSY,
				"power its volumes off first");
	disconnect(s);

	spin_lock_irq(&s->state_lock);
	WRITE_ONCE(s->abort_error, 0);
	s->reason[0] = '\0';
	spin_unlock_irq(&s->state_lock);
	farmem_session_restart_clock(s);

	enter_state(s, FARMEM_SESSION_CONNECTING);
	err = name_client(s);
	if (!err)
		err = is_local(s) ? farmem_local_start(s) : connect(s);
	if (!err)
		err = farmem_session_become_live(s);
	if (err) {
		disconnect(s);
		enter_state(s, FARMEM_SESSION_DOWN);
	}
	return err;
}

int farmem_session_power_on(struct farmem_session *s)
{
	int err;

	/* A volume that is being opened keeps it. */
	if (farmem_session_lock(s))
		return -EINTR;
	err = power_on(s);
	mutex_unlock(&s->lock);
	if (!err)
		pr_info("session %s: live, client %s, %u queues\n", s->name,
			s->client, s->queue_count);
	else if (err != -EALREADY)
		pr_err("session %s: %s (%d)\n", s->name,
		       *s->reason ? s->reason : "interrupted", err);
	return err;
}

int farmem_session_power_off(struct farmem_session *s)
{
	/* Not worth an attempt to reconnect that is under way. */
	if (READ_ONCE(s->user_count))
		return -EBUSY;
	farmem_recovery_lock(s);
	if (s->user_count) {
		mutex_unlock(&s->lock);
		return -EBUSY;
	}
	if (s->state != FARMEM_SESSION_DOWN) {
		cancel_delayed_work(&s->reconnect_work);
		cancel_delayed_work(&s->grow_work);
		enter_state(s, FARMEM_SESSION_CLOSING);
		disconnect(s);
		farmem_local_stop(s);
		enter_state(s, FARMEM_SESSION_DOWN);
	}
	mutex_unlock(&s->lock);
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

void farmem_session_begin(struct farmem_session *s)
{
	farmem_recovery_lock(s);
	s->noio = memalloc_noio_save();
	farmem_session_restart_clock(s);
	farmem_session_forget_reason(s);
}

void farmem_session_end(struct farmem_session *s)
{
	memalloc_noio_restore(s->noio);
	mutex_unlock(&s->lock);
}

static void release(struct kref *kref)
{
	struct farmem_session *s =
		container_of(kref, struct farmem_session, kref);

	farmem_recovery_stop(s);
	cancel_delayed_work_sync(&s->grow_work);
	farmem_announce_flush(&s->announce);
	destroy_workqueue(s->connect_wq);
	destroy_workqueue(s->io_wq);
	mutex_destroy(&s->lock);
	kfree(s);
}

/* Each has a thread in reserve, its rescuer. */
static int make_workqueues(struct farmem_session *s)
{
	s->io_wq = alloc_workqueue("farmem_io", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	if (!s->io_wq)
		return -ENOMEM;
	s->connect_wq = alloc_workqueue("farmem_connect",
					WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	if (s->connect_wq)
		return 0;
	destroy_workqueue(s->io_wq);
	return -ENOMEM;
}

struct farmem_session *farmem_session_create(const char *name)
{
	struct farmem_session *s;

	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return ERR_PTR(-ENOMEM);
	if (strscpy(s->name, name, sizeof(s->name)) < 0) {
		kfree(s);
		return ERR_PTR(-ENAMETOOLONG);
	}
	if (make_workqueues(s)) {
		kfree(s);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&s->kref);
	mutex_init(&s->lock);
	spin_lock_init(&s->state_lock);
	init_waitqueue_head(&s->wait);
	farmem_announce_init(&s->announce, tell_state);
	farmem_recovery_init(s);
	farmem_heartbeat_init(s);
	farmem_queues_init(s);
	INIT_LIST_HEAD(&s->users);
	s->device_user.removed = device_removed;
	s->connect_timeout = DEFAULT_TIMEOUT;
	s->peer_timeout = FARMEM_PEER_TIMEOUT_DEFAULT;
	s->incarnation = get_random_u64();

	mutex_lock(&sessions_lock);
	list_add_tail(&s->entry, &sessions);
	mutex_unlock(&sessions_lock);
	return s;
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

void farmem_session_put(struct farmem_session *s)
{
	kref_put(&s->kref, release);
}

int farmem_session_init(void)
{
	farmem_wq = alloc_workqueue("farmem", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	if (!farmem_wq)
		return -ENOMEM;
	farmem_grow_wq = alloc_workqueue("farmem_grow", WQ_UNBOUND, 0);
	if (!farmem_grow_wq)
		goto destroy_wq;
	if (!farmem_announce_start())
		return 0;
	destroy_workqueue(farmem_grow_wq);
destroy_wq:
	destroy_workqueue(farmem_wq);
	return -ENOMEM;
}

void farmem_session_exit(void)
{
	farmem_announce_end();
	destroy_workqueue(farmem_grow_wq);
	destroy_workqueue(farmem_wq);
}
