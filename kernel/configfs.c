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
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "block.h"
#include "configfs-item.h"
#include "configfs.h"
#include "frontswap.h"
#include "session-power.h"
#include "session.h"
#include "text.h"
#include "volume.h"

static struct config_group sessions_group, volumes_group;
static struct farmem_item *shown_session, *shown_volume;

static struct config_group *configfs_make_session(struct config_group *parent,
						  const char *name)
{
	struct farmem_item *item;

	if (!farmem_text_name_valid(name))
		return ERR_PTR(-EINVAL);
	item = farmem_item_alloc();
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

static struct config_group *configfs_make_volume(struct config_group *parent,
						 const char *name)
{
	struct farmem_item *item;

	if (!farmem_text_name_valid(name))
		return ERR_PTR(-EINVAL);
	item = farmem_item_alloc();
	if (!item)
		return ERR_PTR(-ENOMEM);
	item->volume = farmem_volume_create(name, &farmem_block_ops);
	if (IS_ERR(item->volume)) {
		int err = PTR_ERR(item->volume);

		kfree(item);
		return ERR_PTR(err);
	}
	config_group_init_type_name(&item->group, name, &farmem_volume_item_type);
	return &item->group;
}

static void configfs_drop_session(struct config_group *parent, struct config_item *ci)
{
	farmem_session_delist(farmem_item_of(ci)->session);
	config_item_put(ci);
}

static struct configfs_group_operations sessions_ops = {
	.make_group = configfs_make_session,
	.drop_item = configfs_drop_session,
};

static struct configfs_group_operations volumes_ops = {
	.make_group = configfs_make_volume,
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

static struct farmem_item *configfs_add_item(struct config_group *parent, const char *name,
					     const struct config_item_type *type)
{
	struct farmem_item *item = farmem_item_alloc();

	if (!item)
		return NULL;
	item->builtin = true;
	config_group_init_type_name(&item->group, name, type);
	/* A long name takes memory; configfs looks at it without asking. */
	if (!config_item_name(&item->group.cg_item)) {
		config_group_put(&item->group);
		return NULL;
	}
	configfs_add_default_group(&item->group, parent);
	return item;
}

static int configfs_add_items(struct farmem_session *s, struct farmem_volume *v)
{
	shown_session = configfs_add_item(&sessions_group, s->name, &farmem_session_item_type);
	if (!shown_session)
		return -ENOMEM;
	shown_session->session = s;
	shown_volume = configfs_add_item(&volumes_group, v->name, &farmem_volume_item_type);
	if (!shown_volume)
		return -ENOMEM;
	shown_volume->volume = v;
	return 0;
}

static void configfs_put_items(void)
{
	if (shown_volume)
		config_group_put(&shown_volume->group);
	if (shown_session)
		config_group_put(&shown_session->group);
}

int farmem_configfs_init(struct farmem_session *s, struct farmem_volume *v)
{
	int err = 0;

	config_group_init_type_name(&farmem_item_subsystem.su_group, "farmem", &root_type);
	mutex_init(&farmem_item_subsystem.su_mutex);
	config_group_init_type_name(&sessions_group, "sessions",
				    &sessions_type);
	config_group_init_type_name(&volumes_group, "volumes", &volumes_type);
	configfs_add_default_group(&sessions_group, &farmem_item_subsystem.su_group);
	configfs_add_default_group(&volumes_group, &farmem_item_subsystem.su_group);
	/* Before a process can make directories of the same names. */
	if (s)
		err = configfs_add_items(s, v);
	if (!err)
		err = configfs_register_subsystem(&farmem_item_subsystem);
	if (err)
		configfs_put_items();
	return err;
}

void farmem_configfs_exit(void)
{
	configfs_unregister_subsystem(&farmem_item_subsystem);
	configfs_put_items();
}
