// SPDX-License-Identifier: GPL-2.0
/*
 * configfs-session.c - a session's settings and state as files.
 */
#include <linux/configfs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "configfs-item.h"
#include "heartbeat.h"
#include "recovery.h"
#include "retry.h"
#include "session-key.h"
#include "session-power.h"
#include "session.h"
#include "text.h"

static bool configfs_session_settable(const struct farmem_session *s)
{
	return (s->state == FARMEM_SESSION_DOWN ||
		s->state == FARMEM_SESSION_FAILED) && !s->user_count;
}

#define SESSION_SHOW(name, fmt, value)					\
	static ssize_t session_##name##_show(struct config_item *ci,	\
					     char *page)		\
	{								\
		struct farmem_session *s = farmem_item_of(ci)->session;	\
									\
		return sysfs_emit(page, fmt "\n", value);		\
	}

#define SESSION_STORE(name, set)					\
	static ssize_t session_##name##_store(struct config_item *ci,	\
					      const char *page, size_t len) \
	{								\
		struct farmem_session *s = farmem_item_of(ci)->session;	\
		int err = -EBUSY;					\
									\
		if (farmem_session_lock(s))				\
			return -EINTR;					\
		if (configfs_session_settable(s))				\
			err = set;					\
		mutex_unlock(&s->lock);					\
		return err ?: len;					\
	}								\
	CONFIGFS_ATTR(session_, name)

#define SESSION_TEXT(name)						\
	SESSION_SHOW(name, "%s", s->config.name)			\
	SESSION_STORE(name, farmem_text_copy_word(s->config.name,	\
						  sizeof(s->config.name), page, len))

static int configfs_set_queues(struct farmem_session *s, const char *page)
{
	unsigned int n;

	if (kstrtouint(page, 0, &n) || n > FARMEM_QUEUES_MAX)
		return -EINVAL;
	s->config.queues_max = n;
	return 0;
}

static int configfs_set_seconds(unsigned int *to, unsigned int least,
				unsigned int most, const char *page)
{
	unsigned int n;

	if (kstrtouint(page, 0, &n) || n < least || n > most)
		return -EINVAL;
	*to = n;
	return 0;
}

SESSION_TEXT(server);
SESSION_TEXT(source);
SESSION_TEXT(client);
SESSION_SHOW(queues, "%u", s->config.queues_max)
SESSION_STORE(queues, configfs_set_queues(s, page));
SESSION_SHOW(connect_timeout, "%u", s->config.connect_timeout)
SESSION_STORE(connect_timeout, configfs_set_seconds(&s->config.connect_timeout, 1, 300, page));
SESSION_SHOW(reconnect_delay, "%u", s->config.reconnect_delay)
SESSION_STORE(reconnect_delay,
	      configfs_set_seconds(&s->config.reconnect_delay, 0, FARMEM_RECONNECT_MOST, page));
SESSION_SHOW(reconnect_max, "%u", s->config.reconnect_max)
SESSION_STORE(reconnect_max,
	      configfs_set_seconds(&s->config.reconnect_max, 1, FARMEM_RECONNECT_MOST, page));
SESSION_SHOW(heartbeat, "%u", s->config.heartbeat)
SESSION_STORE(heartbeat, configfs_set_seconds(&s->config.heartbeat, 0, FARMEM_HEARTBEAT_MAX, page));
SESSION_SHOW(peer_timeout, "%s",
	     farmem_text_of_seconds((char [FARMEM_SECONDS_LEN]){}, s->config.peer_timeout))
SESSION_STORE(peer_timeout, farmem_retry_parse_timeout(page, &s->config.peer_timeout));
SESSION_SHOW(takeover, "%d", s->config.takeover)
SESSION_STORE(takeover, kstrtobool(page, &s->config.takeover));

SESSION_SHOW(key, "%s", s->config.key)

static ssize_t session_key_store(struct config_item *ci, const char *page,
				 size_t len)
{
	char ref[FARMEM_KEY_REF_LEN];
	int err;

	err = farmem_text_copy_line(ref, sizeof(ref), page, len);
	if (!err)
		err = farmem_session_key_set(farmem_item_of(ci)->session, ref);
	return err ?: len;
}
CONFIGFS_ATTR(session_, key);

#define SESSION_RO(name, fmt, value)					\
	SESSION_SHOW(name, fmt, value)					\
	CONFIGFS_ATTR_RO(session_, name)

SESSION_RO(state, "%s", farmem_session_state_name(READ_ONCE(s->state)));
SESSION_RO(generation, "%016llx", s->link.generation);
SESSION_RO(slab_size, "%llu", s->link.slab_size);
SESSION_RO(queue_count, "%u", s->set.queues ? s->set.count : 0);
SESSION_RO(server_capacity, "%llu", s->link.capacity);
SESSION_RO(server_free, "%llu", READ_ONCE(s->link.free));
SESSION_RO(server_wanted, "%llu", READ_ONCE(s->link.wanted));
SESSION_RO(server_wanted_within, "%u", READ_ONCE(s->link.within));
SESSION_RO(lease, "%u", s->link.lease);
SESSION_RO(volumes, "%u", s->user_count);

static ssize_t session_server_pressure_show(struct config_item *ci, char *page)
{
	u32 pressure = READ_ONCE(farmem_item_of(ci)->session->link.pressure);

	return sysfs_emit(page, "%u.%02u\n", pressure / 100, pressure % 100);
}
CONFIGFS_ATTR_RO(session_, server_pressure);

static ssize_t session_reason_show(struct config_item *ci, char *page)
{
	char reason[FARMEM_REASON_LEN];

	farmem_session_copy_reason(farmem_item_of(ci)->session, reason,
				   sizeof(reason));
	return sysfs_emit(page, "%s\n", reason);
}
CONFIGFS_ATTR_RO(session_, reason);

static ssize_t session_device_show(struct config_item *ci, char *page)
{
	struct farmem_session *s = farmem_item_of(ci)->session;
	ssize_t n;

	if (farmem_session_lock(s))
		return -EINTR;
	n = sysfs_emit(page, "%s\n", s->link.device ?
		       dev_name(&s->link.device->dev->dev) : s->local ? "local" : "");
	mutex_unlock(&s->lock);
	return n;
}
CONFIGFS_ATTR_RO(session_, device);

static ssize_t session_power_show(struct config_item *ci, char *page)
{
	struct farmem_session *s = farmem_item_of(ci)->session;

	return sysfs_emit(page, "%d\n",
			  READ_ONCE(s->state) != FARMEM_SESSION_DOWN);
}

static int configfs_session_on(struct farmem_item *item)
{
	return farmem_session_power_on(item->session);
}

static int configfs_session_off(struct farmem_item *item)
{
	return farmem_session_power_off(item->session);
}

static bool configfs_session_is_on(struct farmem_item *item)
{
	return READ_ONCE(item->session->state) != FARMEM_SESSION_DOWN;
}

static ssize_t session_power_store(struct config_item *ci, const char *page,
				   size_t len)
{
	bool on;
	int err;

	if (kstrtobool(page, &on))
		return -EINVAL;
	err = farmem_item_switch_power(farmem_item_of(ci), on,
				       on ? configfs_session_on : configfs_session_off,
				       configfs_session_is_on);
	return err ?: len;
}
CONFIGFS_ATTR(session_, power);

static struct configfs_attribute *session_attrs[] = {
	&session_attr_server,
	&session_attr_source,
	&session_attr_client,
	&session_attr_key,
	&session_attr_queues,
	&session_attr_connect_timeout,
	&session_attr_reconnect_delay,
	&session_attr_reconnect_max,
	&session_attr_heartbeat,
	&session_attr_peer_timeout,
	&session_attr_takeover,
	&session_attr_power,
	&session_attr_state,
	&session_attr_reason,
	&session_attr_generation,
	&session_attr_slab_size,
	&session_attr_queue_count,
	&session_attr_device,
	&session_attr_server_capacity,
	&session_attr_server_free,
	&session_attr_server_pressure,
	&session_attr_server_wanted,
	&session_attr_server_wanted_within,
	&session_attr_lease,
	&session_attr_volumes,
	NULL,
};

static void configfs_session_release(struct config_item *ci)
{
	struct farmem_item *item = farmem_item_of(ci);

	if (!item->builtin)
		farmem_session_put(item->session);
	kfree(item);
}

static struct configfs_item_operations session_item_ops = {
	.release = configfs_session_release,
};

const struct config_item_type farmem_session_item_type = {
	.ct_item_ops = &session_item_ops,
	.ct_attrs = session_attrs,
	.ct_owner = THIS_MODULE,
};
