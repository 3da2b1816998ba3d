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

static inline struct farmem_item *farmem_to_item(struct config_item *ci)
{
	return container_of(to_config_group(ci), struct farmem_item,
			    group);
}

extern const struct config_item_type farmem_session_item_type;
extern const struct config_item_type farmem_volume_item_type;

/** farmem_copy_line() - without its newline.  Return: 0 or -ENAMETOOLONG. */
int farmem_copy_line(char *to, size_t room, const char *page, size_t len);

/** farmem_copy_word() - the same of visible ASCII.  Return: also -EINVAL, with @to as it was. */
int farmem_copy_word(char *to, size_t room, const char *page, size_t len);

/**
 * farmem_switch_power() - on or off, with rmdir refused while on
 * @item: the directory
 * @on: pin it first
 * @how: does it; -EALREADY counts as done
 * @is_on: what came of it
 *
 * Context: may sleep as long as @how does.  Return: 0 or a negative errno.
 */
int farmem_switch_power(struct farmem_item *item, bool on,
			int (*how)(struct farmem_item *item),
			bool (*is_on)(struct farmem_item *item));

#endif /* FARMEM_CONFIGFS_ITEM_H */
