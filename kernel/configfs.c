// SPDX-License-Identifier: GPL-2.0
/*
 * configfs.c - sessions and volumes as directories.
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
#include "configfs-item.h"
#include "configfs.h"
#include "frontswap.h"
#include "session.h"
#include "volume.h"

static struct configfs_subsystem subsystem;
static struct config_group sessions_group, volumes_group;
static struct farmem_item *shown_session, *shown_volume;

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

bool farmem_text_valid(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

bool farmem_name_valid(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && farmem_text_valid(name);
}

int farmem_copy_line(char *to, size_t room, const char *page, size_t len)
{
	if (len && page[len - 1] == '\n')
		len--;
	if (len >= room)
		return -ENAMETOOLONG;
	memcpy(to, page, len);
	to[len] = '\0';
	return 0;
}

int farmem_copy_word(char *to, size_t room, const char *page, size_t len)
{
	char text[FARMEM_ADDR_LEN];
	int err = farmem_copy_line(text, min(room, sizeof(text)), page, len);

	if (!err && !farmem_text_valid(text))
		err = -EINVAL;
	if (!err)
		strscpy(to, text, room);
	return err;
}

/*
 * rmdir of what is pinned says EBUSY.  Fails when an rmdir was first, so pin
 * before switching on.  item->power_lock held.
 */
static int pin(struct farmem_item *item, bool on)
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

int farmem_switch_power(struct farmem_item *item, bool on,
			int (*how)(struct farmem_item *item),
			bool (*is_on)(struct farmem_item *item))
{
	int err;

	if (mutex_lock_interruptible(&item->power_lock))
		return -EINTR;
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

static struct farmem_item *alloc_item(void)
{
	struct farmem_item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (item)
		mutex_init(&item->power_lock);
	return item;
}

static struct config_group *make_session(struct config_group *parent,
					 const char *name)
{
	struct farmem_item *item;

	if (!farmem_name_valid(name))
		return ERR_PTR(-EINVAL);
	item = alloc_item();
	if (!item)
		return ERR_PTR(-ENOMEM);
	item->session = farmem_session_create(name);
	if (IS_ERR(item->session)) {
		int err = PTR_ERR(item->session);

		kfree(item);
		return ERR_PTR(err);
	}
	config_group_init_type_name(&item->group, name, &farmem_session_item_type);
	return &item->group;
}

static struct config_group *make_volume(struct config_group *parent,
					const char *name)
{
	struct farmem_item *item;

	if (!farmem_name_valid(name))
		return ERR_PTR(-EINVAL);
	item = alloc_item();
	if (!item)
		return ERR_PTR(-ENOMEM);
	item->volume = farmem_volume_create(name);
	if (IS_ERR(item->volume)) {
		int err = PTR_ERR(item->volume);

		kfree(item);
		return ERR_PTR(err);
	}
	config_group_init_type_name(&item->group, name, &farmem_volume_item_type);
	return &item->group;
}

static void drop_session(struct config_group *parent, struct config_item *ci)
{
	farmem_session_delist(farmem_to_item(ci)->session);
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

static struct farmem_item *
register_item(struct config_group *parent, const char *name,
	      const struct config_item_type *type, struct farmem_session *s,
	      struct farmem_volume *v)
{
	struct farmem_item *item = alloc_item();
	int err;

	if (!item)
		return ERR_PTR(-ENOMEM);
	item->session = s;
	item->volume = v;
	item->builtin = true;
	config_group_init_type_name(&item->group, name, type);
	/* A long name takes memory; configfs looks at it without asking. */
	err = config_item_name(&item->group.cg_item) ?
		configfs_register_group(parent, &item->group) : -ENOMEM;
	if (err) {
		config_group_put(&item->group);
		return ERR_PTR(err);
	}
	return item;
}

static void unregister_item(struct farmem_item *item)
{
	configfs_unregister_group(&item->group);
	config_group_put(&item->group);
}

int farmem_configfs_show(struct farmem_session *s, struct farmem_volume *v)
{
	shown_session = register_item(&sessions_group, s->name, &farmem_session_item_type,
				      s, NULL);
	if (IS_ERR(shown_session))
		return PTR_ERR(shown_session);
	shown_volume = register_item(&volumes_group, v->name, &farmem_volume_item_type,
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
