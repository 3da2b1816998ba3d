/* SPDX-License-Identifier: GPL-2.0 */
/* list.h - what the directory has, as JSON for farmemctl */
#ifndef AGENT_LIST_H
#define AGENT_LIST_H

#include <systemd/sd-event.h>

#include "etcd.h"

/**
 * list_servers() - print all servers and their loads
 * @event: the loop that @etcd works in; it runs until etcd has answered
 * @etcd: where
 *
 * One line: {"version": 1, "servers": [...], "sets": [[UUID, ...], ...]}.  A server whose load
 * is not known lacks its fields.  The sets are those of all permutations.
 *
 * Return: an exit code, after saying what failed.
 */
int list_servers(sd_event *event, struct etcd *etcd);

#endif /* AGENT_LIST_H */
