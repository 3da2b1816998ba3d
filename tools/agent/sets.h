/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sets.h - which servers share chunks, as etcd has it, and how that follows servers
 *
 * The value of /farmem/1/copysets is {"permutations": [[[UUID, ...], ...], ...]}: of each
 * permutation its sets, and of each set its servers.  ../group/placement.h says what sets are for.
 */
#ifndef AGENT_SETS_H
#define AGENT_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../group/placement.h"

#define SETS_KEY	"copysets"	/* below DIRECTORY */

/**
 * struct sets - all sets of a cluster
 * @uuid: the servers that are in them
 * @count: of them
 * @set: of each permutation its sets, which name servers by their place in @uuid
 * @sets: how many
 */
struct sets {
	char **uuid;
	size_t count;
	struct placement_set *set[PLACEMENT_PERMUTATIONS];
	size_t sets[PLACEMENT_PERMUTATIONS];
};

/**
 * struct sets_server - a server that the directory knows
 * @uuid: of farmemd
 * @domain: what fails together with it
 */
struct sets_server {
	const char *uuid;
	const char *domain;
};

/**
 * struct sets_memory - since when servers are not as the sets have them
 * @patience: milliseconds after which a server that is gone loses its place
 * @settle: milliseconds without one more that is new, after which new ones get theirs; after
 *	@patience they do anyway
 * @change: of those servers
 * @count: of them
 * @looked: clock_ms() of the last call
 * @lost: since when most of all servers are gone; 0: they are not
 * @held: that lasts for longer than @patience
 */
struct sets_memory {
	long patience;
	long settle;
	struct sets_change {
		char *uuid;
		bool gone;	/* else it is new */
		long since;	/* clock_ms() */
	} *change;
	size_t count;
	long looked;
	long lost;
	bool held;
};

/**
 * sets_read() - what the value of the key says
 * @sets: filled in, for sets_free(), whatever is returned
 * @text: the value
 *
 * Return: false if it is none, or has a server twice in a permutation, or not in each.
 */
bool sets_read(struct sets *sets, const char *text);

/* sets_text() - the value for the key, to free */
char *sets_text(const struct sets *sets);

void sets_free(struct sets *sets);

/**
 * sets_follow() - have the sets follow the servers that are there
 * @sets: changed, if so
 * @servers: that the directory knows
 * @count: of them
 * @memory: of earlier calls; @patience and @settle set, and all else 0 for the first one
 * @now: clock_ms()
 * @seed: for those that have no place yet
 *
 * As long as more than half of the servers are gone at one time, none loses its place; after
 * that each has all of its time again.  So has it for a time in which nobody looked.  A change
 * of a domain shows when servers come or go.
 * Return: are they changed?
 */
bool sets_follow(struct sets *sets, const struct sets_server *servers, size_t count,
		 struct sets_memory *memory, long now, uint64_t seed);

void sets_forget(struct sets_memory *memory);

#endif /* AGENT_SETS_H */
