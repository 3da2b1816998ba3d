// SPDX-License-Identifier: GPL-2.0
/*
 * configfs.c - sessions and volumes as directories, their settings as files.
 *
 * mkdir creates an object that is off, rmdir frees one that is off: while it
 * is on, configfs_depend_item_unlocked() makes rmdir say EBUSY.  What the
 * module parameters made is registered as a default group and belongs to
 * main.c.  Settings are guarded by the object's own lock.
 */
#include <linux/configfs.h>
#include <linux/ctype.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "block.h"
#include "configfs.h"
#include "frontswap.h"
#include "session.h"
#include "volume.h"

/**
 * struct item - a directory
 * @group: what configfs knows
 * @session: of a session's directory
 * @volume: of a volume's directory
 * @power_lock: held over switching on and off, with pinning
 * @builtin: made by the module parameters, not by mkdir
 * @pinned: on, rmdir is refused
 */
struct item {
	struct config_group group;
	struct farmem_session *session;
	struct farmem_volume *volume;
	struct mutex power_lock;
	bool builtin;
	bool pinned;
};

static struct configfs_subsystem subsystem;
static struct config_group sessions_group, volumes_group;
static struct item *shown_session, *shown_volume;

static struct item *to_item(struct config_item *ci)
{
	return container_of(to_config_group(ci), struct item, group);
}

int farmem_parse_size(const char *text, u64 *size)
{
	static const char suffixes[] = "KMGTPE";
	char number[24];
	const char *suffix;
	size_t len = strspn(text, "0123456789");
	unsigned int shift = 0;
	u64 n;

	if (!len || len >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, len);
	number[len] = '\0';
	if (kstrtoull(number, 10, &n) || !n)
		return -EINVAL;
	text += len;
	suffix = *text ? strchr(suffixes, toupper(*text)) : NULL;
	if (suffix) {
		shift = 10 * (suffix - suffixes + 1);
		text++;
	}
	if (strcmp(text, "") && strcmp(text, "\n"))
		return -EINVAL;
	if (n > U64_MAX >> shift)
		return -EINVAL;
	*size = n << shift;
	return 0;
}

bool farmem_name_valid(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') &&
	       strlen(name) < FARMEM_VOLUME_NAME_LEN;
}

/* A line from the user without its newline.  Return: 0 or -ENAMETOOLONG. */
static int copy_line(char *to, size_t room, const char *page, size_t len)
{
	if (len && page[len - 1] == '\n')
		len--;
	if (len >= room)
		return -ENAMETOOLONG;
	memcpy(to, page, len);
	to[len] = '\0';
	return 0;
}

/*
 * rmdir of what is pinned says EBUSY.  Fails when an rmdir was first, so pin
 * before switching on.  item->power_lock held.
 */
static int pin(struct item *item, bool on)
{
	int err = 0;

	lockdep_assert_held(&item->power_lock);
	if (item->builtin || item->pinned == on)
		return 0;
	if (on)
		err = configfs_depend_item_unlocked(&subsystem,
						    &item->group.cg_item);
	else
		configfs_undepend_item(&item->group.cg_item);
	if (!err)
		item->pinned = on;
	return err;
}

/* Switch with @how, pinned while it may be on; @is_on tells what came of it. */
static int switch_power(struct item *item, bool on, int (*how)(struct item *),
			bool (*is_on)(struct item *))
{
	int err;

	mutex_lock(&item->power_lock);
	err = on ? pin(item, true) : 0;
	if (!err)
		err = how(item);
	if (err == -EALREADY)
		err = 0;
	if (!is_on(item))
		pin(item, false);
	mutex_unlock(&item->power_lock);
	return err;
}

/* Sessions. */

static bool session_settable(const struct farmem_session *s)
{
	return (s->state == FARMEM_SESSION_DOWN ||
		s->state == FARMEM_SESSION_FAILED) && !s->user_count;
}

#define SESSION_SHOW(name, fmt, value)					\
	static ssize_t session_##name##_show(struct config_item *ci,	\
					     char *page)		\
	{								\
		struct farmem_session *s = to_item(ci)->session;	\
									\
		return sysfs_emit(page, fmt "\n", value);		\
	}

#define SESSION_STORE(name, set)					\
	static ssize_t session_##name##_store(struct config_item *ci,	\
					      const char *page, size_t len) \
	{								\
		struct farmem_session *s = to_item(ci)->session;	\
		int err = -EBUSY;					\
									\
		mutex_lock(&s->lock);					\
		if (session_settable(s))				\
			err = set;					\
		mutex_unlock(&s->lock);					\
		return err ?: len;					\
	}								\
	CONFIGFS_ATTR(session_, name)

#define SESSION_TEXT(name)						\
	SESSION_SHOW(name, "%s", s->name)				\
	SESSION_STORE(name, copy_line(s->name, sizeof(s->name), page, len))

static int set_queues(struct farmem_session *s, const char *page)
{
	unsigned int n;

	if (kstrtouint(page, 0, &n) || n > FARMEM_QUEUES_MAX)
		return -EINVAL;
	s->queues_max = n;
	return 0;
}

static int set_timeout(struct farmem_session *s, const char *page)
{
	unsigned int n;

	if (kstrtouint(page, 0, &n) || n < 1 || n > 300)
		return -EINVAL;
	s->connect_timeout = n;
	return 0;
}

SESSION_TEXT(server);
SESSION_TEXT(source);
SESSION_TEXT(client);
SESSION_SHOW(queues, "%u", s->queues_max)
SESSION_STORE(queues, set_queues(s, page));
SESSION_SHOW(connect_timeout, "%u", s->connect_timeout)
SESSION_STORE(connect_timeout, set_timeout(s, page));
SESSION_SHOW(takeover, "%d", s->takeover)
SESSION_STORE(takeover, kstrtobool(page, &s->takeover));

#define SESSION_RO(name, fmt, value)					\
	SESSION_SHOW(name, fmt, value)					\
	CONFIGFS_ATTR_RO(session_, name)

SESSION_RO(state, "%s", farmem_session_state_name(READ_ONCE(s->state)));
SESSION_RO(generation, "%016llx", s->generation);
SESSION_RO(slab_size, "%llu", s->slab_size);
SESSION_RO(queue_count, "%u", s->queues ? s->queue_count : 0);
SESSION_RO(server_capacity, "%llu", s->server_capacity);
SESSION_RO(server_free, "%llu", s->server_free);
SESSION_RO(lease, "%u", s->lease);
SESSION_RO(volumes, "%u", s->user_count);

static ssize_t session_reason_show(struct config_item *ci, char *page)
{
	char reason[FARMEM_REASON_LEN];

	farmem_session_copy_reason(to_item(ci)->session, reason,
				   sizeof(reason));
	return sysfs_emit(page, "%s\n", reason);
}
CONFIGFS_ATTR_RO(session_, reason);

static ssize_t session_device_show(struct config_item *ci, char *page)
{
	struct farmem_session *s = to_item(ci)->session;
	ssize_t n;

	mutex_lock(&s->lock);
	n = sysfs_emit(page, "%s\n", s->device ?
		       dev_name(&s->device->dev->dev) : s->local ? "local" : "");
	mutex_unlock(&s->lock);
	return n;
}
CONFIGFS_ATTR_RO(session_, device);

static ssize_t session_power_show(struct config_item *ci, char *page)
{
	struct farmem_session *s = to_item(ci)->session;

	return sysfs_emit(page, "%d\n",
			  READ_ONCE(s->state) != FARMEM_SESSION_DOWN);
}

static int session_on(struct item *item)
{
	return farmem_session_power_on(item->session);
}

static int session_off(struct item *item)
{
	return farmem_session_power_off(item->session);
}

static bool session_is_on(struct item *item)
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
	err = switch_power(to_item(ci), on, on ? session_on : session_off,
			   session_is_on);
	return err ?: len;
}
CONFIGFS_ATTR(session_, power);

static struct configfs_attribute *session_attrs[] = {
	&session_attr_server,
	&session_attr_source,
	&session_attr_client,
	&session_attr_queues,
	&session_attr_connect_timeout,
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
	&session_attr_lease,
	&session_attr_volumes,
	NULL,
};

static void session_release(struct config_item *ci)
{
	struct item *item = to_item(ci);

	if (!item->builtin)
		farmem_session_put(item->session);
	kfree(item);
}

static struct configfs_item_operations session_item_ops = {
	.release = session_release,
};

static const struct config_item_type session_type = {
	.ct_item_ops = &session_item_ops,
	.ct_attrs = session_attrs,
	.ct_owner = THIS_MODULE,
};

/* Volumes. */

#define VOLUME_SHOW(name, fmt, value)					\
	static ssize_t volume_##name##_show(struct config_item *ci,	\
					    char *page)			\
	{								\
		struct farmem_volume *v = to_item(ci)->volume;		\
		ssize_t n;						\
									\
		mutex_lock(&v->lock);					\
		n = sysfs_emit(page, fmt "\n", value);			\
		mutex_unlock(&v->lock);					\
		return n;						\
	}

#define VOLUME_STORE(name, set)						\
	static ssize_t volume_##name##_store(struct config_item *ci,	\
					     const char *page, size_t len) \
	{								\
		struct farmem_volume *v = to_item(ci)->volume;		\
		int err = -EBUSY;					\
									\
		mutex_lock(&v->lock);					\
		if (!v->powered)					\
			err = set;					\
		mutex_unlock(&v->lock);					\
		return err ?: len;					\
	}								\
	CONFIGFS_ATTR(volume_, name)

/* Another identity is another memory: its generation is not known yet. */
static int set_uuid(struct farmem_volume *v, const char *page, size_t len)
{
	char text[UUID_STRING_LEN + 1];
	uuid_t uuid;

	if (copy_line(text, sizeof(text), page, len) ||
	    uuid_parse(text, &uuid))
		return -EINVAL;
	v->uuid = uuid;
	v->generation = 0;
	return 0;
}

static int set_session(struct farmem_volume *v, const char *page, size_t len)
{
	int err = copy_line(v->session_name, sizeof(v->session_name), page,
			    len);

	if (!err)
		v->generation = 0;
	return err;
}

VOLUME_SHOW(session, "%s", v->session_name)
VOLUME_STORE(session, set_session(v, page, len));
VOLUME_SHOW(size, "%llu", v->powered ? v->size : v->wanted_size)
VOLUME_STORE(size, farmem_parse_size(page, &v->wanted_size));
VOLUME_SHOW(uuid, "%pUb", &v->uuid)
VOLUME_STORE(uuid, set_uuid(v, page, len));
VOLUME_SHOW(sync, "%d", v->want_sync)
VOLUME_STORE(sync, kstrtobool(page, &v->want_sync));

#define VOLUME_RO(name, fmt, value)					\
	VOLUME_SHOW(name, fmt, value)					\
	CONFIGFS_ATTR_RO(volume_, name)

VOLUME_RO(device, "%s", v->disk ? v->disk->disk_name : "");
VOLUME_RO(state, "%s", farmem_volume_state(v));
VOLUME_RO(reason, "%s", v->reason);

static ssize_t volume_power_show(struct config_item *ci, char *page)
{
	return sysfs_emit(page, "%d\n", to_item(ci)->volume->powered);
}

static int volume_on(struct item *item)
{
	return farmem_volume_power_on(item->volume);
}

static int volume_off(struct item *item)
{
	return farmem_volume_power_off(item->volume, false);
}

static int volume_give_back(struct item *item)
{
	return item->volume->powered ?
		farmem_volume_power_off(item->volume, true) : -ENODEV;
}

static bool volume_is_on(struct item *item)
{
	return item->volume->powered;
}

static ssize_t volume_power_store(struct config_item *ci, const char *page,
				  size_t len)
{
	bool on;
	int err;

	if (kstrtobool(page, &on))
		return -EINVAL;
	err = switch_power(to_item(ci), on, on ? volume_on : volume_off,
			   volume_is_on);
	return err ?: len;
}
CONFIGFS_ATTR(volume_, power);

static ssize_t volume_release_store(struct config_item *ci, const char *page,
				    size_t len)
{
	bool yes;
	int err;

	if (kstrtobool(page, &yes) || !yes)
		return -EINVAL;
	err = switch_power(to_item(ci), false, volume_give_back, volume_is_on);
	return err ?: len;
}
CONFIGFS_ATTR_WO(volume_, release);

static struct configfs_attribute *volume_attrs[] = {
	&volume_attr_session,
	&volume_attr_size,
	&volume_attr_uuid,
	&volume_attr_sync,
	&volume_attr_power,
	&volume_attr_release,
	&volume_attr_device,
	&volume_attr_state,
	&volume_attr_reason,
	NULL,
};

static void volume_release(struct config_item *ci)
{
	struct item *item = to_item(ci);

	if (!item->builtin)
		farmem_volume_free(item->volume);
	kfree(item);
}

static struct configfs_item_operations volume_item_ops = {
	.release = volume_release,
};

static const struct config_item_type volume_type = {
	.ct_item_ops = &volume_item_ops,
	.ct_attrs = volume_attrs,
	.ct_owner = THIS_MODULE,
};

/* The directories above. */

static struct item *alloc_item(void)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (item)
		mutex_init(&item->power_lock);
	return item;
}

static struct config_group *make_session(struct config_group *parent,
					 const char *name)
{
	struct item *item = alloc_item();

	if (!item)
		return ERR_PTR(-ENOMEM);
	item->session = farmem_session_create(name);
	if (IS_ERR(item->session)) {
		int err = PTR_ERR(item->session);

		kfree(item);
		return ERR_PTR(err);
	}
	config_group_init_type_name(&item->group, name, &session_type);
	return &item->group;
}

static struct config_group *make_volume(struct config_group *parent,
					const char *name)
{
	struct item *item = alloc_item();

	if (!item)
		return ERR_PTR(-ENOMEM);
	item->volume = farmem_volume_create(name);
	if (IS_ERR(item->volume)) {
		int err = PTR_ERR(item->volume);

		kfree(item);
		return ERR_PTR(err);
	}
	config_group_init_type_name(&item->group, name, &volume_type);
	return &item->group;
}

static void drop_session(struct config_group *parent, struct config_item *ci)
{
	farmem_session_delist(to_item(ci)->session);
	config_item_put(ci);
}

static struct configfs_group_operations sessions_ops = {
	.make_group = make_session,
	.drop_item = drop_session,
};

static struct configfs_group_operations volumes_ops = {
	.make_group = make_volume,
};

static const struct config_item_type sessions_type = {
	.ct_group_ops = &sessions_ops,
	.ct_owner = THIS_MODULE,
};

static const struct config_item_type volumes_type = {
	.ct_group_ops = &volumes_ops,
	.ct_owner = THIS_MODULE,
};

static ssize_t root_features_show(struct config_item *ci, char *page)
{
	return sysfs_emit(page, "rdma local%s%s%s\n",
			  FARMEM_HAVE_SYNC ? " sync" : "",
			  FARMEM_HAVE_RW_PAGE ? " rw_page" : "",
			  farmem_frontswap_available ? " frontswap" : "");
}
CONFIGFS_ATTR_RO(root_, features);

static struct configfs_attribute *root_attrs[] = {
	&root_attr_features,
	NULL,
};

static const struct config_item_type root_type = {
	.ct_attrs = root_attrs,
	.ct_owner = THIS_MODULE,
};

static struct item *register_item(struct config_group *parent,
				  const char *name,
				  const struct config_item_type *type,
				  struct farmem_session *s,
				  struct farmem_volume *v)
{
	struct item *item = alloc_item();
	int err;

	if (!item)
		return ERR_PTR(-ENOMEM);
	item->session = s;
	item->volume = v;
	item->builtin = true;
	config_group_init_type_name(&item->group, name, type);
	err = configfs_register_group(parent, &item->group);
	if (err) {
		config_group_put(&item->group);
		return ERR_PTR(err);
	}
	return item;
}

static void unregister_item(struct item *item)
{
	configfs_unregister_group(&item->group);
	config_group_put(&item->group);
}

int farmem_configfs_show(struct farmem_session *s, struct farmem_volume *v)
{
	shown_session = register_item(&sessions_group, s->name, &session_type,
				      s, NULL);
	if (IS_ERR(shown_session))
		return PTR_ERR(shown_session);
	shown_volume = register_item(&volumes_group, v->name, &volume_type,
				     NULL, v);
	if (IS_ERR(shown_volume)) {
		unregister_item(shown_session);
		return PTR_ERR(shown_volume);
	}
	return 0;
}

void farmem_configfs_hide(void)
{
	unregister_item(shown_volume);
	unregister_item(shown_session);
}

int farmem_configfs_init(void)
{
	config_group_init_type_name(&subsystem.su_group, "farmem", &root_type);
	mutex_init(&subsystem.su_mutex);
	config_group_init_type_name(&sessions_group, "sessions",
				    &sessions_type);
	config_group_init_type_name(&volumes_group, "volumes", &volumes_type);
	configfs_add_default_group(&sessions_group, &subsystem.su_group);
	configfs_add_default_group(&volumes_group, &subsystem.su_group);
	return configfs_register_subsystem(&subsystem);
}

void farmem_configfs_exit(void)
{
	configfs_unregister_subsystem(&subsystem);
}
