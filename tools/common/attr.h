/* SPDX-License-Identifier: GPL-2.0 */
/*
 * attr.h - one-value files, and where the kernel's trees are.
 *
 * FARMEM_CONFIGFS, FARMEM_SYSFS, FARMEM_PROC, FARMEM_RUN and, for the rest, FARMEM_ROOT in
 * the environment move the roots, so that tests need neither root nor the module.
 */
#ifndef FARMEMCTL_ATTR_H
#define FARMEMCTL_ATTR_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"

const char *configfs_root(void);
const char *sysfs_root(void);
const char *proc_root(void);
const char *run_root(void);
const char *file_root(void);

char *text_format(const char *fmt, ...) PRINTF_LIKE(1);
char *text_copy(const char *text);
bool text_visible(const char *text);

bool file_missing(const char *path);
char *attr_read(const char *path);
int attr_write(const char *path, const char *value);
char *disk_attr(const char *device, const char *name);

char **name_list(const char *directory);
void name_list_free(char **names);

#endif
