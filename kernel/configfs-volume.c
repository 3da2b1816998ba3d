// SPDX-License-Identifier: GPL-2.0
/*
 * configfs-volume.c - a volume's settings and state as files.
 */
#include <linux/configfs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "configfs-item.h"
#include "configfs.h"
#include "text.h"
#include "volume.h"

#define VOLUME_SHOW(name, fmt, value)					\
	static ssize_t volume_##name##_show(struct config_item *ci,	\
					    char *page)			\
	{								\
		struct farmem_volume *v = farmem_item_of(ci)->volume;		\
		ssize_t n;						\
									\
		if (mutex_lock_interruptible(&v->lock))			\
			return -EINTR;					\
		n = sysfs_emit(page, fmt "\n", value);			\
		mutex_unlock(&v->lock);					\
		return n;						\
	}

#define VOLUME_STORE(name, set)						\
	static ssize_t volume_##name##_store(struct config_item *ci,	\
					     const char *page, size_t len) \
	{								\
		struct farmem_volume *v = farmem_item_of(ci)->volume;		\
		int err = -EBUSY;					\
									\
		if (mutex_lock_interruptible(&v->lock))			\
			return -EINTR;					\
		if (!v->powered)					\
			err = set;					\
		mutex_unlock(&v->lock);					\
		return err ?: len;					\
	}								\
	CONFIGFS_ATTR(volume_, name)

/* Another identity is another memory: its generation is not known yet. */
static int configfs_set_uuid(struct farmem_volume *v, const char *page, size_t len)
{
	char text[UUID_STRING_LEN + 1];
	uuid_t uuid;

	if (farmem_text_copy_line(text, sizeof(text), page, len) ||
	    uuid_parse(text, &uuid))
		return -EINVAL;
	v->memory.uuid = uuid;
	v->memory.generation = 0;
	return 0;
}

static int configfs_set_session(struct farmem_volume *v, const char *page, size_t len)
{
	int err = farmem_text_copy_word(v->session_name, sizeof(v->session_name), page,
					len);

	if (!err)
		v->memory.generation = 0;
	return err;
}

VOLUME_SHOW(session, "%s", v->session_name)
VOLUME_STORE(session, configfs_set_session(v, page, len));
VOLUME_SHOW(size, "%llu", v->powered ? v->memory.size : v->memory.wanted_size)
VOLUME_STORE(size, farmem_text_parse_size(page, &v->memory.wanted_size));
VOLUME_SHOW(uuid, "%pUb", &v->memory.uuid)
VOLUME_STORE(uuid, configfs_set_uuid(v, page, len));
VOLUME_SHOW(sync, "%d", v->want_sync)
VOLUME_STORE(sync, kstrtobool(page, &v->want_sync));
VOLUME_SHOW(checksum, "%s", v->memory.want_checksums ? "crc32c" : "none")
VOLUME_STORE(checksum, farmem_text_parse_checksum(page, &v->memory.want_checksums));

static ssize_t volume_io_deadline_show(struct config_item *ci, char *page)
{
	int deadline = READ_ONCE(farmem_item_of(ci)->volume->memory.policy.io_deadline);
	char text[FARMEM_SECONDS_LEN] = "-1";

	if (deadline != FARMEM_DEADLINE_FOR_EVER)
		farmem_text_of_seconds(text, deadline);
	return sysfs_emit(page, "%s\n", text);
}

/* What waits does as it is told now, if the volume is on. */
static void configfs_volume_update(struct farmem_volume *v)
{
	if (percpu_ref_tryget_live(&v->io)) {
		farmem_park_update(v);
		percpu_ref_put(&v->io);
	}
}

/*
 * At any time, and without the volume's lock: its holder may be the one that waits,
 * for a disk that is just being added and read.
 */
static ssize_t volume_io_deadline_store(struct config_item *ci,
					const char *page, size_t len)
{
	struct farmem_volume *v = farmem_item_of(ci)->volume;
	int deadline;

	if (farmem_verdict_parse_deadline(page, &deadline))
		return -EINVAL;
	WRITE_ONCE(v->memory.policy.io_deadline, deadline);
	configfs_volume_update(v);
	return len;
}
CONFIGFS_ATTR(volume_, io_deadline);

static ssize_t volume_partner_show(struct config_item *ci, char *page)
{
	char partner[FARMEM_VOLUME_NAME_LEN];

	farmem_pair_copy_partner(&farmem_item_of(ci)->volume->memory, partner);
	return sysfs_emit(page, "%s\n", partner);
}

/* As io_deadline. */
static ssize_t volume_partner_store(struct config_item *ci, const char *page, size_t len)
{
	struct farmem_volume *v = farmem_item_of(ci)->volume;
	int err = farmem_pair_set_partner(&v->memory, page, len);

	if (err)
		return err;
	configfs_volume_update(v);
	return len;
}
CONFIGFS_ATTR(volume_, partner);

static ssize_t volume_stale_show(struct config_item *ci, char *page)
{
	return sysfs_emit(page, "%d\n",
			  READ_ONCE(farmem_item_of(ci)->volume->memory.pair.stale));
}
CONFIGFS_ATTR_RO(volume_, stale);

#define VOLUME_RO(name, fmt, value)					\
	VOLUME_SHOW(name, fmt, value)					\
	CONFIGFS_ATTR_RO(volume_, name)

VOLUME_RO(device, "%s", v->disk ? v->disk->disk_name : "");
VOLUME_RO(state, "%s", farmem_volume_state(v));

/* Of a volume that failed under way its session knows why. */
static ssize_t volume_reason_show(struct config_item *ci, char *page)
{
	struct farmem_volume *v = farmem_item_of(ci)->volume;
	char reason[FARMEM_REASON_LEN];

	if (mutex_lock_interruptible(&v->lock))
		return -EINTR;
	if (v->powered && farmem_memory_lost(&v->memory))
		strscpy(reason, farmem_memory_lost_text(&v->memory),
			sizeof(reason));
	else if (v->powered && farmem_memory_away(&v->memory) &&
		 farmem_session_live(v->memory.session))
		strscpy(reason, v->memory.reason, sizeof(reason));
	else if (v->powered && !farmem_session_live(v->memory.session))
		farmem_session_copy_reason(v->memory.session, reason, sizeof(reason));
	else
		strscpy(reason, v->reason, sizeof(reason));
	mutex_unlock(&v->lock);
	return sysfs_emit(page, "%s\n", reason);
}
CONFIGFS_ATTR_RO(volume_, reason);

static ssize_t volume_power_show(struct config_item *ci, char *page)
{
	return sysfs_emit(page, "%d\n", farmem_item_of(ci)->volume->powered);
}

static int configfs_volume_on(struct farmem_item *item)
{
	return farmem_volume_power_on(item->volume);
}

static int configfs_volume_off(struct farmem_item *item)
{
	return farmem_volume_power_off(item->volume, false);
}

static int configfs_volume_give_back(struct farmem_item *item)
{
	return item->volume->powered ?
		farmem_volume_power_off(item->volume, true) : -ENODEV;
}

static bool configfs_volume_is_on(struct farmem_item *item)
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
	err = farmem_item_switch_power(farmem_item_of(ci), on,
				       on ? configfs_volume_on : configfs_volume_off,
				       configfs_volume_is_on);
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
	err = farmem_item_switch_power(farmem_item_of(ci), false, configfs_volume_give_back,
				       configfs_volume_is_on);
	return err ?: len;
}
CONFIGFS_ATTR_WO(volume_, release);

static struct configfs_attribute *volume_attrs[] = {
	&volume_attr_session,
	&volume_attr_size,
	&volume_attr_uuid,
	&volume_attr_sync,
	&volume_attr_checksum,
	&volume_attr_io_deadline,
	&volume_attr_partner,
	&volume_attr_stale,
	&volume_attr_power,
	&volume_attr_release,
	&volume_attr_device,
	&volume_attr_state,
	&volume_attr_reason,
	NULL,
};

static void configfs_volume_release(struct config_item *ci)
{
	struct farmem_item *item = farmem_item_of(ci);

	if (!item->builtin)
		farmem_volume_free(item->volume);
	kfree(item);
}

static struct configfs_item_operations volume_item_ops = {
	.release = configfs_volume_release,
};

const struct config_item_type farmem_volume_item_type = {
	.ct_item_ops = &volume_item_ops,
	.ct_attrs = volume_attrs,
	.ct_owner = THIS_MODULE,
};
