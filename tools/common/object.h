/* SPDX-License-Identifier: GPL-2.0 */
/*
 * object.h - the sessions and volumes that configfs holds.
 *
 * Owns the layout of /sys/kernel/config/farmem: every other file names an
 * object by its kind, SESSIONS or VOLUMES, and its name, and never builds a path.
 */
#ifndef FARMEMCTL_OBJECT_H
#define FARMEMCTL_OBJECT_H

#include <stdbool.h>

struct cli_args;

/* Kinds double as the names of their directories. */
#define SESSIONS "sessions"
#define VOLUMES "volumes"

bool module_is_coming(void);
bool module_is_loaded(void);
int module_check(void);
int name_check(const char *command, const char *kind, const char *name);

bool object_exists(const char *kind, const char *name);
char *volume_named(const char *given);
char *volume_wanted(const struct cli_args *args);
bool object_powered(const char *kind, const char *name);
int object_require(const char *kind, const char *name);
char **object_names(const char *kind);
char *object_path(const char *kind, const char *name);
const char *const *object_states(const char *kind);

char *object_get(const char *kind, const char *name, const char *attr);
int object_set(const char *kind, const char *name, const char *attr,
	       const char *value);
void object_progress(const char *kind, const char *name, const char *doing);
int object_power(const char *kind, const char *name, bool on);
int object_make(const char *kind, const char *name);
int object_remove(const char *kind, const char *name);

int object_list(const struct cli_args *args, const char *kind, const char *next);
int object_show(const struct cli_args *args, const char *kind, const char *name);
char *object_complaint(const char *kind, const char *name);
char *object_reason(const char *kind, const char *name);
void object_advise(const char *reason);

#endif
