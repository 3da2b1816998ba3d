/* SPDX-License-Identifier: GPL-2.0 */
/*
 * configfs-item.h - what the directories of sessions and volumes share.
 */
#ifndef FARMEM_CONFIGFS_ITEM_H
#define FARMEM_CONFIGFS_ITEM_H

#include <linux/configfs.h>
#include <linux/mutex.h>

struct farmem_session;
struct farmem_volume;

/**
 * struct farmem_item - a directory
 * @group: what configfs knows
 * @session: of a session's directory
 * @volume: of a volume's directory
 * @power_lock: held over switching on and off, with pinning
 * @builtin: made by the module parameters, not by mkdir
 * @pinned: on, rmdir is refused
 */
struct farmem_item {
	struct config_group group;
	struct farmem_session *session;
	struct farmem_volume *volume;
	struct mutex power_lock;
	bool builtin;
	bool pinned;
};

static inline struct farmem_item *farmem_item_of(struct config_item *ci)
{
	return container_of(to_config_group(ci), struct farmem_item,
			    group);
}

/* What all of them are registered with. */
extern struct configfs_subsystem farmem_item_subsystem;

extern const struct config_item_type farmem_session_item_type;
extern const struct config_item_type farmem_volume_item_type;

/** farmem_item_alloc() - a directory to be.  May sleep.  Return: it or NULL. */
struct farmem_item *farmem_item_alloc(void);

/**
 * farmem_item_switch_power() - on or off, with rmdir refused while on
 * @item: the directory
 * @on: pin it first
 * @how: does it; -EALREADY counts as done
 * @is_on: what came of it
 *
 * Context: may sleep as long as @how does.  Return: 0 or a negative errno.
 */
int farmem_item_switch_power(struct farmem_item *item, bool on,
			     int (*how)(struct farmem_item *item),
			     bool (*is_on)(struct farmem_item *item));

#endif /* FARMEM_CONFIGFS_ITEM_H */
