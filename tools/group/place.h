/* SPDX-License-Identifier: GPL-2.0 */
/* place.h - on which server a new chunk goes: pure, without a look at the machine */
#ifndef GROUP_PLACE_H
#define GROUP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct place - a server that a chunk may go to
 * @domain: what fails together with it
 * @used: bytes that the group has there
 * @free: bytes that it has to lend, as far as is known; UINT64_MAX: it is not
 * @closed: it gets none
 */
struct place {
	const char *domain;
	uint64_t used;
	uint64_t free;
	bool closed;
};

/**
 * place_choose() - the server for a chunk, or -1: none has room and a domain of its own
 * @places: those that there are
 * @count: of them
 * @bytes: of the chunk
 * @taken: the domain of the chunk's other copy, or NULL
 *
 * The one that holds least of the group, so that a server's death touches little of it; of
 * equals the one with most room, and of these the first.
 */
int place_choose(const struct place *places, size_t count, uint64_t bytes, const char *taken);

#endif /* GROUP_PLACE_H */
