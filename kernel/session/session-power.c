// SPDX-License-Identifier: GPL-2.0
/*
 * session-power.c - a session is made, connected, disconnected and freed.
 */
#include <linux/inet.h>
#include <linux/nsproxy.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <net/net_namespace.h>

#include "auth.h"
#include "connect.h"
#include "heartbeat.h"
#include "local.h"
#include "queue-set.h"
#include "recovery.h"
#include "retry.h"
#include "session-key.h"
#include "session-power.h"
#include "session.h"
#include "text.h"

#define DEFAULT_TIMEOUT 20

/* This client: a name of any length in the 16 bytes that a REQ has room for. */
static void session_hash_identity(struct farmem_session *s)
{
	char text[FARMEM_NAME_LEN + 16];
	u8 digest[SHA256_DIGEST_SIZE];
	int len;

	len = scnprintf(text, sizeof(text), "farmem-client:%s", s->config.client);
	sha256(text, len, digest);
	memcpy(s->identity, digest, sizeof(s->identity));
}

/* "ADDR:PORT", "[V6ADDR]:PORT", or without port; @port: its default, 0: none may be given. */
static int session_parse_address(const char *text, unsigned int port,
				 struct sockaddr_storage *addr)
{
	char buf[FARMEM_ADDR_LEN], number[8];
	char *host = buf, *colon;

	if (strscpy(buf, text, sizeof(buf)) < 0 || !*buf)
		return -EINVAL;
	if (*buf == '[') {
		char *end = strchr(buf, ']');

		if (!end || (end[1] && end[1] != ':'))
			return -EINVAL;
		*end = '\0';
		host = buf + 1;
		colon = end[1] ? end + 1 : NULL;
	} else {
		colon = strchr(buf, ':');
		/* More than one colon: an IPv6 address without port. */
		if (colon && strchr(colon + 1, ':'))
			colon = NULL;
	}
	if (colon) {
		if (!port || kstrtouint(colon + 1, 10, &port) || !port ||
		    port > U16_MAX)
			return -EINVAL;
		*colon = '\0';
	}
	snprintf(number, sizeof(number), "%u", port);
	return inet_pton_with_scope(current->nsproxy->net_ns, AF_UNSPEC, host,
				    number, addr) ? -EINVAL : 0;
}

static int session_parse_config(struct farmem_session *s)
{
	/* What the server's log and its administrator can read and type. */
	if (!farmem_text_valid(s->config.client))
		return farmem_session_reason(s, -EINVAL,
				"client=: give printable ASCII without blanks");
	if (!*s->config.server)
		return farmem_session_reason(s, -EINVAL,
				"no server: set server=ADDR:PORT, or server=local");
	if (session_parse_address(s->config.server, FARMEM_DEFAULT_PORT, &s->link.server_addr))
		return farmem_session_reason(s, -EINVAL,
				"server=%s is not an address; write 192.0.2.1:7471 or [2001:db8::1]:7471, or local",
				s->config.server);
	memset(&s->link.source_addr, 0, sizeof(s->link.source_addr));
	if (*s->config.source && session_parse_address(s->config.source, 0, &s->link.source_addr))
		return farmem_session_reason(s, -EINVAL,
				"source=%s is not an address; write 192.0.2.1 or 2001:db8::1",
				s->config.source);
	session_hash_identity(s);
	return 0;
}

static bool session_is_local(const struct farmem_session *s)
{
	return !strcmp(s->config.server, "local");
}

static int session_connect(struct farmem_session *s)
{
	int err;

	/* Recovery is a kernel thread's, which is in the first of all namespaces. */
	s->link.net = get_net(current->nsproxy->net_ns);
	err = session_parse_config(s);
	if (!err)
		err = farmem_session_key_read(s);
	if (err)
		return err;
	err = farmem_queues_up(s);
	if (!err)
		farmem_queues_start(s);
	return err;
}

static void session_disconnect(struct farmem_session *s)
{
	farmem_queues_down(s);
	farmem_queues_disconnect(s);
	farmem_heartbeat_stop(s);
	farmem_queues_free(s);
	farmem_heartbeat_free(s);
	farmem_session_key_use(s);
	farmem_auth_free(s->auth);
	s->auth = NULL;
	memset(s->proved_uuid, 0, sizeof(s->proved_uuid));
	farmem_session_unclaim(s);
	if (s->link.net)
		put_net(s->link.net);
	s->link.net = NULL;
}

/* Unless told otherwise it is the host, if that has a name of its own. */
static int session_name_client(struct farmem_session *s)
{
	const char *host = init_utsname()->nodename;
	const char *flaw = farmem_host_name_flaw(host);

	if (*s->config.client)
		return 0;
	if (!flaw)
		strscpy(s->config.client, host, sizeof(s->config.client));
	/* No server has to tell it from others. */
	if (!flaw || session_is_local(s))
		return 0;
	return farmem_session_reason(s, -EINVAL,
			"the host name %s; give client=NAME, or set a host name (hostnamectl set-hostname NAME)",
			flaw);
}

static int session_power_on(struct farmem_session *s)
{
	int err;

	lockdep_assert_held(&s->lock);
	if (s->state != FARMEM_SESSION_DOWN &&
	    s->state != FARMEM_SESSION_FAILED)
		return -EALREADY;
	if (s->user_count)
		return farmem_session_reason(s, -EBUSY,
				"power its volumes off first");
	session_disconnect(s);

	spin_lock_irq(&s->state_lock);
	WRITE_ONCE(s->abort_error, 0);
	s->reason[0] = '\0';
	spin_unlock_irq(&s->state_lock);
	farmem_session_restart_clock(s);

	farmem_session_enter(s, FARMEM_SESSION_CONNECTING);
	err = session_name_client(s);
	if (!err)
		err = session_is_local(s) ? farmem_local_start(s) : session_connect(s);
	if (!err)
		err = farmem_queues_go_live(s);
	if (err) {
		session_disconnect(s);
		/* The next server may be a remote one. */
		farmem_local_stop(s);
		farmem_session_enter(s, FARMEM_SESSION_DOWN);
	}
	return err;
}

int farmem_session_power_on(struct farmem_session *s)
{
	int err;

	/* A volume that is being opened keeps it. */
	if (farmem_session_lock(s))
		return -EINTR;
	err = session_power_on(s);
	mutex_unlock(&s->lock);
	if (!err)
		pr_info("session %s: live, client %s, %u queues\n", s->name,
			s->config.client, s->set.count);
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
	farmem_session_lock_urgent(s);
	if (s->user_count) {
		mutex_unlock(&s->lock);
		return -EBUSY;
	}
	if (s->state != FARMEM_SESSION_DOWN) {
		cancel_delayed_work(&s->recovery.reconnect_work);
		cancel_delayed_work(&s->set.grow_work);
		farmem_session_enter(s, FARMEM_SESSION_CLOSING);
		session_disconnect(s);
		farmem_local_stop(s);
		farmem_session_enter(s, FARMEM_SESSION_DOWN);
	}
	mutex_unlock(&s->lock);
	return 0;
}

static int session_device_removed(struct notifier_block *user, unsigned long unused,
				  void *device)
{
	struct farmem_session *s =
		container_of(user, struct farmem_session, link.device_user);

	farmem_session_fail(s, -ENODEV, "%s: the RDMA device was removed",
			    s->config.server);
	/* One that is away already may still keep the device. */
	farmem_session_recover(s);
	return NOTIFY_OK;
}

static void session_end_workqueues(struct farmem_session *s)
{
	if (s->error_wq)
		destroy_workqueue(s->error_wq);
	if (s->connect_wq)
		destroy_workqueue(s->connect_wq);
	if (s->io_wq)
		destroy_workqueue(s->io_wq);
}

static void session_release(struct kref *kref)
{
	struct farmem_session *s =
		container_of(kref, struct farmem_session, kref);

	farmem_recovery_stop(s);
	cancel_delayed_work_sync(&s->set.grow_work);
	farmem_announce_flush(&s->announce);
	session_end_workqueues(s);
	mutex_destroy(&s->lock);
	kfree(s);
}

/* Each has a thread in reserve, its rescuer. */
static int session_make_workqueues(struct farmem_session *s)
{
	s->io_wq = alloc_workqueue("farmem_io", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	s->connect_wq = alloc_workqueue("farmem_connect",
					WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	s->error_wq = alloc_workqueue("farmem_error", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	if (s->io_wq && s->connect_wq && s->error_wq)
		return 0;
	session_end_workqueues(s);
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
	if (session_make_workqueues(s)) {
		kfree(s);
		return ERR_PTR(-ENOMEM);
	}
	farmem_session_init(s);
	farmem_recovery_init(s);
	farmem_heartbeat_init(s);
	farmem_queues_init(s);
	s->link.device_user.notifier_call = session_device_removed;
	s->config.connect_timeout = DEFAULT_TIMEOUT;
	s->config.peer_timeout = FARMEM_PEER_TIMEOUT_DEFAULT;
	s->incarnation = get_random_u64();
	farmem_session_enlist(s);
	return s;
}

void farmem_session_put(struct farmem_session *s)
{
	kref_put(&s->kref, session_release);
}
