/* SPDX-License-Identifier: GPL-2.0 */
/* client.h - what a client of a simulated cluster decides */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "world.h"

/* A new group of so many chunks, 1 to GROUP_MAX. Return: how many of them found a place. */
unsigned int client_create(struct world *world, unsigned int chunks);

/*
 * A copy leaves its server, which is closed: it finds another one, where its group's other
 * copies allow. Return: false, and it stays, if there is none.
 */
bool client_move(struct world *world, struct chunk *chunk, unsigned int copy);

#endif /* SIM_CLIENT_H */
