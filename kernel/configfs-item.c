// SPDX-License-Identifier: GPL-2.0
/*
 * configfs-item.c - a directory of a session or a volume: allocated, pinned, switched.
 */
#include <linux/slab.h>

#include "configfs-item.h"

struct configfs_subsystem farmem_item_subsystem;

struct farmem_item *farmem_item_alloc(void)
{
	struct farmem_item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (item)
		mutex_init(&item->power_lock);
	return item;
}

/*
 * rmdir of what is pinned says EBUSY.  Fails when an rmdir was first, so pin
 * before switching on.  item->power_lock held.
 */
static int configfs_item_pin(struct farmem_item *item, bool on)
{
	int err = 0;

	lockdep_assert_held(&item->power_lock);
	if (item->builtin || item->pinned == on)
		return 0;
	if (on)
		err = configfs_depend_item_unlocked(&farmem_item_subsystem,
						    &item->group.cg_item);
	else
		configfs_undepend_item(&item->group.cg_item);
	if (!err)
		item->pinned = on;
	return err;
}

int farmem_item_switch_power(struct farmem_item *item, bool on,
			     int (*how)(struct farmem_item *item),
			     bool (*is_on)(struct farmem_item *item))
{
	int err;

	if (mutex_lock_interruptible(&item->power_lock))
		return -EINTR;
	err = on ? configfs_item_pin(item, true) : 0;
	if (!err)
		err = how(item);
	if (err == -EALREADY)
		err = 0;
	if (!is_on(item))
		configfs_item_pin(item, false);
	mutex_unlock(&item->power_lock);
	return err;
}
