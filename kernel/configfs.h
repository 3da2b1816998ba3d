/* SPDX-License-Identifier: GPL-2.0 */
/*
 * configfs.h - the control surface: /sys/kernel/config/farmem.
 */
#ifndef FARMEM_CONFIGFS_H
#define FARMEM_CONFIGFS_H

#include <linux/types.h>

struct farmem_session;
struct farmem_volume;

/**
 * farmem_parse_size() - "4G", "512M", bytes
 * @text: from the user, perhaps with a newline
 * @size: bytes
 *
 * Return: 0, or -EINVAL for anything else behind the number, zero, or more
 * than fits.
 */
int farmem_parse_size(const char *text, u64 *size);

/**
 * farmem_text_valid() - visible ASCII, no blanks
 *
 * What is shown in logs, on terminals and in JSON, here and on the server, is what it
 * looks like.
 */
bool farmem_text_valid(const char *text);

/** farmem_name_valid() - may this be the name of a session or, if short, of a volume? */
bool farmem_name_valid(const char *name);

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
