// SPDX-License-Identifier: GPL-2.0
#include "place.h"

#include <string.h>

static bool is_better(const struct place *a, const struct place *b)
{
	return a->used != b->used ? a->used < b->used : a->free > b->free;
}

int place_choose(const struct place *places, size_t count, uint64_t bytes, const char *taken)
{
	int best = -1;
	size_t i;

	for (i = 0; i < count; i++) {
		if (places[i].closed || places[i].free < bytes || (taken && !strcmp(taken, places[i].domain)))
			continue;
		if (best < 0 || is_better(&places[i], &places[best]))
			best = i;
	}
	return best;
}
