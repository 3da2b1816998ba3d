/* SPDX-License-Identifier: GPL-2.0 */
/*
 * interface.h - this node's network interfaces, as `ip -j address show` lists them.
 */
#ifndef FARMEMCTL_INTERFACE_H
#define FARMEMCTL_INTERFACE_H

#include <stdbool.h>

#include <jansson.h>

json_t *interface_list(void);
bool interface_is_up(json_t *interface);
bool interface_has_address(json_t *interface);

#endif
