/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor-node.h - what this node is, before it is examined: its kind, and farmemd.conf.
 */
#ifndef FARMEMCTL_DOCTOR_NODE_H
#define FARMEMCTL_DOCTOR_NODE_H

#include <stdbool.h>

struct doctor_config;

struct doctor_config *doctor_config_read(void);
void doctor_config_free(struct doctor_config *config);
unsigned int doctor_node_kind(const char *node, bool server, const struct doctor_config *config,
			      bool *guessed);

#endif
