/* SPDX-License-Identifier: GPL-2.0 */
/* world.h - the servers of a simulated cluster, their chunks, and what is known of them */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "placement.h"

#define CHUNK		(1ULL << 30)	/* bytes */
#define GROUP_MAX	64		/* chunks */
#define NOWHERE		UINT16_MAX

enum policy { SETS, RANDOM, TWO_CHOICES };

/* What a client knows of loads: all of now; published ones, but those of its set of now; published ones. */
enum knowledge { FRESH, ASKED, PUBLISHED };

/* What is simulated; the same setting gives the same figures. */
struct setting {
	unsigned int servers;
	unsigned int racks;	/* failure domains; server N is in rack N % racks */
	bool uneven;		/* pools of 1, 2 and 4 parts, at random; else all the same */
	size_t chunks;
	unsigned int copies;
	unsigned int fill;	/* per cent of all pools that chunks * copies are */
	enum policy policy;
	unsigned int set_size;
	unsigned int permutations;
	unsigned int share;	/* chunks of a group before it takes one more set */
	enum knowledge knowledge;
	double rate;		/* groups that come in a second */
	double turns;		/* trace_churn(), when all chunks have come */
	unsigned int dying;	/* servers at once */
	uint64_t seed;
};

struct chunk {
	uint16_t at[PLACEMENT_COPIES_MAX];
};

struct group {
	unsigned int count;
	struct chunk chunks[GROUP_MAX];
};

struct world {
	const struct setting *setting;
	uint64_t random;
	double now;			/* seconds */
	struct place *real;		/* what is */
	struct place *known;		/* what was published last */
	uint64_t *pools;		/* bytes */
	double *published;		/* when, in seconds */
	char (*racks)[12];		/* their names */
	struct placement_set *sets;
	size_t set_count;
	size_t *of_permutation;		/* how many of them; one permutation's come behind the other's */
	struct group *groups;
	size_t group_count, group_room;
	size_t chunk_count;
	/* Counted from the beginning. */
	size_t publications;
	size_t refusals;
	size_t sets_taken;
};

/* Ends the program without memory. */
void *checked(void *memory);

struct world *world_new(const struct setting *setting);
void world_free(struct world *world);
void world_cut(struct world *world, uint64_t seed);
/* Servers went, and as many others came by their numbers: the sets follow. */
void world_mend(struct world *world, const uint32_t *gone, unsigned int count);

/* A number in (0, 1]. */
double world_fraction(struct world *world);
/* Time goes on; servers publish what has changed by 1/16 of a pool, at most every 10 s. */
void world_advance(struct world *world, double seconds);

/* False: the server refuses, it has no room. */
bool world_take(struct world *world, uint32_t server);
void world_give(struct world *world, uint32_t server);
/* Neither those of now nor those that read what is published place on it. */
void world_close(struct world *world, uint32_t server, bool closed);

struct group *world_add_group(struct world *world);
void world_remove_group(struct world *world, size_t at);

/* The fullest server's use over the mean use of all. */
double world_imbalance(const struct world *world);

#endif /* SIM_WORLD_H */
