// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "lvm.h"
#include "metric.h"

/* A group, as it was when the command began. */
struct sight {
	struct group group;
	bool readable;
	const char *state;
	char *node;
};

struct sights {
	struct sight *all;
	size_t count;
};

/* EACH_SIGHT(sight, sights) - a loop over the groups whose records could be read */
#define EACH_SIGHT(sight, sights) \
	for (const struct sight *sight = (sights)->all; sight < (sights)->all + (sights)->count; sight++) \
		if (!sight->readable) \
			continue; \
		else

static void put_readable(const struct sights *sights)
{
	struct metric metric = { "farmem_group_readable", "gauge", "whether the node can read the group's record", false };
	size_t i;

	for (i = 0; i < sights->count; i++)
		metric_put(stdout, &metric, METRIC_LABELS({ "group", sights->all[i].group.name }),
			   sights->all[i].readable ? "1" : "0");
}

static void put_info(const struct sights *sights)
{
	struct metric info = { "farmem_group_info", "gauge", "what belongs to a group", false };
	struct metric size = { "farmem_group_size_bytes", "gauge", "capacity of the group", false };

	EACH_SIGHT(sight, sights) {
		CLEANUP_FREE char *copies = text_format("%u", sight->group.copies);

		metric_put(stdout, &info,
			   METRIC_LABELS({ "group", sight->group.name }, { "device", sight->node },
					 { "copies", copies }), "1");
	}
	EACH_SIGHT(sight, sights) {
		CLEANUP_FREE char *bytes = text_format("%" PRIu64, sight->group.size);

		metric_put(stdout, &size, METRIC_LABELS({ "group", sight->group.name }), bytes);
	}
}

static void put_states(const struct sights *sights)
{
	struct metric metric = { "farmem_group_state", "gauge", "1: the group has this state", false };
	const char *const *state;

	EACH_SIGHT(sight, sights)
		for (state = group_states; *state; state++)
			metric_put(stdout, &metric,
				   METRIC_LABELS({ "group", sight->group.name }, { "state", *state }),
				   strcmp(*state, sight->state) ? "0" : "1");
}

/* A group without copies has no arrays. */
static char *array_of(const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	return group->copies > 1 ? text_copy(strrchr(path, '/') + 1) : NULL;
}

static void put_chunks(const struct sights *sights)
{
	struct metric metric = { "farmem_group_chunk_info", "gauge", "a volume that holds a part of a group", false };

	EACH_SIGHT(sight, sights)
		EACH_CHUNK(chunk, &sight->group) {
			CLEANUP_FREE char *array = array_of(&sight->group, chunk->pair);

			metric_put(stdout, &metric,
				   METRIC_LABELS({ "group", sight->group.name }, { "volume", chunk->volume },
						 { "server", chunk->server }, { "array", array }), "1");
		}
}

static void put_copied(const struct sights *sights)
{
	struct metric metric = { "farmem_group_copied_ratio", "gauge",
				 "how much of what an array copies or compares is done", false };
	unsigned int pair, permille;

	EACH_SIGHT(sight, sights)
		for (pair = 0; pair < member_pairs(&sight->group); pair++) {
			CLEANUP_FREE char *array = array_of(&sight->group, pair);
			CLEANUP_FREE char *ratio = NULL;

			if (!group_moves(&sight->group, pair, &permille))
				continue;
			ratio = text_format("%u.%03u", permille / 1000, permille % 1000);
			metric_put(stdout, &metric,
				   METRIC_LABELS({ "group", sight->group.name }, { "array", array }), ratio);
		}
}

/* What is wrong with a record is said once, on standard error. */
static struct sights sights_take(void)
{
	struct sights sights = { 0 };

	EACH_NAME(name, record_names()) {
		struct sight *sight;

		sights.all = checked(reallocarray(sights.all, sights.count + 1, sizeof(*sights.all)));
		sight = &sights.all[sights.count++];
		*sight = (struct sight) { 0 };
		sight->readable = !record_load(*name.at, &sight->group);
		if (!sight->readable)
			continue;
		sight->state = group_state(&sight->group);
		sight->node = lvm_node(sight->group.name);
	}
	return sights;
}

static void sights_free(struct sights *sights)
{
	while (sights->count > 0) {
		struct sight *sight = &sights->all[--sights->count];

		record_free(&sight->group);
		free(sight->node);
	}
	free(sights->all);
}

/**
 * group_put_metrics() - print the metrics of this node's groups, if it has any
 *
 * A record that can't be read does not spoil the others: of it there is farmem_group_readable 0.
 */
void group_put_metrics(void)
{
	struct sights sights = sights_take();

	put_readable(&sights);
	put_info(&sights);
	put_states(&sights);
	put_chunks(&sights);
	put_copied(&sights);
	sights_free(&sights);
}
