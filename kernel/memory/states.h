/* SPDX-License-Identifier: GPL-2.0 */
/*
 * states.h - page states between the server's bytes and the zero map and lost map.
 */
#ifndef FARMEM_STATES_H
#define FARMEM_STATES_H

struct farmem_memory;

enum farmem_states_way {
	FARMEM_STATES_LOAD,	/* the maps become what the server says */
	FARMEM_STATES_STORE,	/* the server is told what the maps say */
	FARMEM_STATES_MERGE,	/* what the server has lost is lost here too */
};

/**
 * farmem_states_sync() - move all of a volume's page states
 * @m: its session's queues take requests; the session's lock held
 * @way: whereto
 *
 * Context: may sleep, each chunk as long as a transfer may.
 * Return: 0, or a negative errno with the session's reason set.
 */
int farmem_states_sync(struct farmem_memory *m, enum farmem_states_way way);

#endif /* FARMEM_STATES_H */
