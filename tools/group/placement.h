/* SPDX-License-Identifier: GPL-2.0 */
/*
 * placement.h - on which servers chunks go: pure, without a look at the machine
 *
 * A server's chunks have their copies on few others, those of its sets (copysets): so few
 * pairs of servers lose a chunk when both die. Cidon et al., "Copysets: Reducing the Frequency
 * of Data Loss in Cloud Storage", USENIX ATC 2013. Callers: group/lender.c,
 * agent/lender.c, and tests/sim.
 */
#ifndef GROUP_PLACEMENT_H
#define GROUP_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Servers in a set, and sets of a server: it shares chunks with at most 2 * (4 - 1) others. */
#define PLACEMENT_SET		4
#define PLACEMENT_PERMUTATIONS	2
/* A group takes one more set after so many chunks: a set's load goes up in small steps. */
#define PLACEMENT_SHARE		4

#define PLACEMENT_SET_MAX	8
#define PLACEMENT_COPIES_MAX	3

/**
 * struct place - a server that a chunk may go to
 * @domain: what fails together with it
 * @load: how much it has, in a unit that all places share: the bytes of the group that is
 *	placed, or placement_use()
 * @free: bytes that it has to lend, as far as is known; UINT64_MAX: it is not
 * @sets: a bit for each set that it is in: copies of a chunk lie in one set; 0: anywhere
 * @closed: it gets none: it is cordoned, or nothing is known of it
 */
struct place {
	const char *domain;
	uint64_t load;
	uint64_t free;
	uint64_t sets;
	bool closed;
};

/**
 * struct placement_set - servers that share chunks
 * @count: of them, 1 to PLACEMENT_SET_MAX
 * @server: their indices
 */
struct placement_set {
	uint32_t count;
	uint32_t server[PLACEMENT_SET_MAX];
};

/**
 * placement_random() - the next of a sequence of random numbers
 * @state: any value begins a sequence
 *
 * splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014, with the constants of Vigna's public-domain splitmix64.c. Return: 0 to UINT64_MAX.
 */
uint64_t placement_random(uint64_t *state);

/**
 * placement_below() - a random number below a bound
 * @state: as of placement_random()
 * @bound: 1 to UINT32_MAX
 *
 * Return: 0 to @bound - 1.
 */
uint32_t placement_below(uint64_t *state, uint32_t bound);

/**
 * placement_use() - how much of a pool is used
 * @size: bytes of the pool
 * @free: bytes of it that are free, at most @size
 *
 * Return: in 1/65536 of the pool; all of it when there is no pool.
 */
uint64_t placement_use(uint64_t size, uint64_t free);

/* A server's load is news after a change of 1/16 of its pool, and not more often than that. */
#define PLACEMENT_NEWS		16
#define PLACEMENT_NEWS_SECONDS	10

/**
 * placement_is_news() - are others to be told what is free?
 * @size: bytes of the pool
 * @was: bytes of it that were free when they were told last
 * @is: bytes that are
 */
bool placement_is_news(uint64_t size, uint64_t was, uint64_t is);

/**
 * placement_choose() - the server for one copy of a chunk
 * @places: those that there are
 * @count: of them
 * @bytes: of the chunk
 * @others: where the chunk's other copies lie
 * @other_count: of them; 0: @others is not read
 * @more: one more copy is to lie beside this one: only a server that leaves a place for it
 *
 * The one with the least load; of equals the one with most room, and of these the first.
 * Return: its index, or -1: none has room, a domain of its own, and a set that it shares with
 * each of the others.
 */
int placement_choose(const struct place *places, size_t count, uint64_t bytes,
		     const struct place *const *others, size_t other_count, bool more);

/**
 * placement_chunk() - the servers for all copies of a chunk
 * @places: those that a group may use
 * @count: of them
 * @bytes: of the chunk
 * @copies: 1 to PLACEMENT_COPIES_MAX
 * @at: receives an index for each copy
 *
 * Each is chosen as by placement_choose().
 * Return: false if they can't all be placed.
 */
bool placement_chunk(const struct place *places, size_t count, uint64_t bytes, unsigned int copies,
		     uint32_t *at);

/**
 * placement_gather() - the places of a set's servers, in its order
 * @places: all servers
 * @set: what to gather
 * @of_set: receives @set->count places
 *
 * For placement_chunk(), whose indices are then those of @set->server.
 */
void placement_gather(const struct place *places, const struct placement_set *set, struct place *of_set);

/**
 * placement_set_count() - how many sets placement_cut() makes
 * @servers: how many there are
 * @size: servers in a set at most, 1 to PLACEMENT_SET_MAX
 * @permutations: sets that each server is in
 *
 * Return: how many; 0 without servers.
 */
size_t placement_set_count(size_t servers, unsigned int size, unsigned int permutations);

/**
 * placement_cut() - cut permutations of all servers into sets
 * @places: all servers, closed ones too; only their domains count
 * @count: of them
 * @size: servers in a set at most, 1 to PLACEMENT_SET_MAX
 * @permutations: sets that each server is in
 * @seed: the same seed and the same servers in the same order give the same sets
 * @sets: receives placement_set_count() sets
 *
 * The sets of one permutation have @size servers, or one or more fewer where @count can't be
 * divided: none is much smaller than another. A domain's servers are spread over all sets, so
 * a set has two of a domain only if the domain has more servers than a permutation has sets.
 * Return: false without memory.
 */
bool placement_cut(const struct place *places, size_t count, unsigned int size,
		   unsigned int permutations, uint64_t seed, struct placement_set *sets);

/**
 * placement_mend() - have the sets of one permutation follow the servers that come and go
 * @places: all servers, closed ones too; only their domains count
 * @count: of them
 * @size: servers in a set, 2 to PLACEMENT_SET_MAX / 2
 * @seed: as of placement_cut()
 * @sets: of that permutation, with the servers that are gone taken out, and room for @count
 * @set_count: of them, 0 or more; is set to how many there are
 *
 * Few pairs of servers are new: a server that has come takes the place of one that is gone.
 * @size * @size and more without such a place, of @size domains and more, are cut into sets of
 * their own.  Fewer join sets that have none of their domain, and a set of twice @size is cut
 * in two: so a set has up to 2 * @size - 1 servers.  A set whose servers are all of one
 * domain, and one with a server alone, is none.
 * Return: false without memory, with all as it was.
 */
bool placement_mend(const struct place *places, size_t count, unsigned int size, uint64_t seed,
		    struct placement_set *sets, size_t *set_count);

/**
 * placement_pick() - a set for the next chunks of a group
 * @places: all servers, with placement_use() as their load
 * @sets: of placement_cut()
 * @count: of them
 * @bytes: of a chunk
 * @copies: of it, 1 to PLACEMENT_COPIES_MAX
 * @random: as of placement_random()
 *
 * The emptier of two random sets: Mitzenmacher, "The power of two choices in randomized load
 * balancing", IEEE TPDS 12(10), 2001. If neither can take a chunk, any that can.
 * Return: its index, or -1: none can.
 */
long placement_pick(const struct place *places, const struct placement_set *sets, size_t count,
		    uint64_t bytes, unsigned int copies, uint64_t *random);

#endif /* GROUP_PLACEMENT_H */
