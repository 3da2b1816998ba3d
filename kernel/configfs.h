/* SPDX-License-Identifier: GPL-2.0 */
/*
 * configfs.h - the control surface: /sys/kernel/config/farmem.
 */
#ifndef FARMEM_CONFIGFS_H
#define FARMEM_CONFIGFS_H

struct farmem_session;
struct farmem_volume;

/**
 * farmem_configfs_init() - make the directories
 * @s: the session that the module parameters made, or NULL
 * @v: their volume; both stay the caller's
 *
 * Context: may sleep.  Return: 0 or a negative errno.
 */
int farmem_configfs_init(struct farmem_session *s, struct farmem_volume *v);

/** farmem_configfs_exit() - remove the directories, of which none is a process's. */
void farmem_configfs_exit(void);

#endif /* FARMEM_CONFIGFS_H */
