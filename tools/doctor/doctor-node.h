/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor-node.h - what several checks ask about this node, and its kind.
 */
#ifndef FARMEMCTL_DOCTOR_NODE_H
#define FARMEMCTL_DOCTOR_NODE_H

#include "finding.h"

char *doctor_module_field(struct doctor *doctor, const char *name);
bool doctor_has_module(const struct doctor *doctor, const char *module);
bool doctor_module_builtin(const struct doctor *doctor, const char *module);
bool doctor_module_loaded(const char *module);
unsigned int doctor_farmemd_pid(void);
char *doctor_line(const char *path, const char *key);
void doctor_install(struct doctor *doctor, const char *debian, const char *rpm);
void doctor_install_kernel(struct doctor *doctor);
unsigned int doctor_node_kind(const char *node, bool server, bool lends, bool *guessed);

#endif
