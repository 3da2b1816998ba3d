/* SPDX-License-Identifier: GPL-2.0 */
/*
 * configfs.h - the control surface: /sys/kernel/config/farmem.
 */
#ifndef FARMEM_CONFIGFS_H
#define FARMEM_CONFIGFS_H

struct farmem_session;
struct farmem_volume;

/**
 * farmem_configfs_show() - show what the module parameters made
 * @s: the session, @v: the volume; both stay the caller's
 *
 * Context: may sleep.  Return: 0 or a negative errno.
 */
int farmem_configfs_show(struct farmem_session *s, struct farmem_volume *v);
void farmem_configfs_hide(void);

int farmem_configfs_init(void);
void farmem_configfs_exit(void);

#endif /* FARMEM_CONFIGFS_H */
