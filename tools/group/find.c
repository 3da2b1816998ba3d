// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "attr.h"
#include "cli.h"
#include "farmem-proto.h"
#include "parse.h"
#include "placement.h"
#include "size.h"
#include "../ctl/commands.h"

/* What the directory knows, as placement.h takes it. */
struct cluster {
	json_t *list;
	const char **uuid;	/* of @list, as the domains of @places */
	char **address;
	struct place *places;
	uint64_t *size;
	size_t count;
	struct placement_set *sets;
	size_t set_count;
	uint64_t slab;		/* the largest unit of lending */
	uint64_t random;
};

/*
 * The address of a server that the group knows it by, or else the first one that a session
 * takes, to free; NULL: none does.
 */
static char *usable_address(const struct group *group, const json_t *addresses)
{
	struct sockaddr_storage parsed;
	char *first = NULL, *address;
	json_t *word;
	size_t i;

	json_array_foreach(addresses, i, word) {
		if (parse_address(json_string_value(word) ?: "", FARMEM_DEFAULT_PORT, &parsed))
			continue;
		address = address_normal(json_string_value(word));
		if (record_server(group, address)) {
			free(first);
			return address;
		}
		if (first)
			free(address);
		else
			first = address;
	}
	return first;
}

static bool is_known(const struct cluster *cluster, const char *address)
{
	size_t i;

	for (i = 0; i < cluster->count; i++)
		if (!strcmp(cluster->address[i], address))
			return true;
	return false;
}

/* A node writes what it likes about itself: what no command could take is left out. */
static void add_server(struct cluster *cluster, const struct group *group, const json_t *server)
{
	const char *uuid = json_string_value(json_object_get(server, "uuid"));
	const char *domain = json_string_value(json_object_get(server, "domain"));
	json_int_t size = json_integer_value(json_object_get(server, "size"));
	json_int_t available = json_integer_value(json_object_get(server, "free"));
	json_int_t slab = json_integer_value(json_object_get(server, "slab_size"));
	char *address = usable_address(group, json_object_get(server, "addresses"));
	const struct group_server *had = address ? record_server(group, address) : NULL;

	/* It has been asked. */
	if (had && available >= 0 && (uint64_t)available > had->free)
		available = (json_int_t)had->free;

	if (!uuid || !domain || !*domain || !text_visible(domain) || strchr(domain, ',') || !address ||
	    is_known(cluster, address) || size <= 0 || available < 0 || available > size || slab <= 0 ||
	    slab > FARMEM_SLAB_MAX) {
		free(address);
		return;
	}
	cluster->slab = (uint64_t)slab > cluster->slab ? (uint64_t)slab : cluster->slab;
	cluster->uuid[cluster->count] = uuid;
	cluster->address[cluster->count] = address;
	cluster->size[cluster->count] = size;
	cluster->places[cluster->count++] = (struct place) {
		.domain = domain,
		.load = placement_use(size, available),
		.free = available,
		/* The group took it for another rack's: its chunks there may have copies in this one. */
		.closed = json_is_true(json_object_get(server, "cordoned")) ||
			  (had && (had->drained || strcmp(had->domain, domain))),
	};
}

static void add_set(struct cluster *cluster, const json_t *list)
{
	struct placement_set *set = &cluster->sets[cluster->set_count];
	json_t *word;
	size_t i, k;

	set->count = 0;
	json_array_foreach(list, i, word)
		for (k = 0; k < cluster->count && set->count < PLACEMENT_SET_MAX; k++)
			if (json_string_value(word) && !strcmp(json_string_value(word), cluster->uuid[k]))
				set->server[set->count++] = k;
	if (set->count)
		cluster->set_count++;
}

static void read_list(struct cluster *cluster, const struct group *group)
{
	json_t *servers = json_object_get(cluster->list, "servers"), *sets = json_object_get(cluster->list, "sets"), *item;
	size_t i, room = json_array_size(servers) + 1;

	cluster->uuid = checked(calloc(room, sizeof(*cluster->uuid)));
	cluster->address = checked(calloc(room, sizeof(*cluster->address)));
	cluster->size = checked(calloc(room, sizeof(*cluster->size)));
	cluster->places = checked(calloc(room, sizeof(*cluster->places)));
	cluster->sets = checked(calloc(json_array_size(sets) + 1, sizeof(*cluster->sets)));
	json_array_foreach(servers, i, item)
		add_server(cluster, group, item);
	json_array_foreach(sets, i, item)
		add_set(cluster, item);
}

static void free_cluster(struct cluster *cluster)
{
	while (cluster->count)
		free(cluster->address[--cluster->count]);
	free(cluster->uuid);
	free(cluster->address);
	free(cluster->size);
	free(cluster->places);
	free(cluster->sets);
	json_decref(cluster->list);
}

/* The group's next bit for a set; 0: it has as many as it may. */
static uint64_t next_bit(const struct group *group)
{
	uint64_t used = 0;
	size_t i;

	for (i = 0; i < group->server_count; i++)
		used |= group->servers[i].sets;
	used = ~used & ((1ull << GROUP_SETS) - 1);
	return used & -used;
}

/* Does the group have that set already? */
static bool has_set(const struct group *group, const struct cluster *cluster, const struct placement_set *set)
{
	uint64_t common = UINT64_MAX;
	size_t i;

	for (i = 0; i < set->count; i++) {
		const struct group_server *server = record_server(group, cluster->address[set->server[i]]);

		/* One that was named shares chunks with any. */
		common &= !server ? 0 : server->sets ? server->sets : UINT64_MAX;
	}
	return common;
}

/*
 * All servers of a set: those that hold no chunk yet are where a lost copy goes.  False: the
 * group has it already, or as many as it may.
 */
static bool add_servers(struct group *group, const struct cluster *cluster, const struct placement_set *set)
{
	uint64_t bit = has_set(group, cluster, set) ? 0 : next_bit(group);
	size_t i;

	for (i = 0; bit && i < set->count; i++) {
		const char *address = cluster->address[set->server[i]];
		struct group_server *server = record_server(group, address);

		if (server && !server->sets)
			continue;
		if (!server)
			server = record_add_server(group, address, cluster->places[set->server[i]].domain);
		server->sets |= bit;
	}
	return bit;
}

/* A group that has all sets that it may have stays in them. */
static void limit_sets(const struct group *group, struct cluster *cluster)
{
	size_t i, left = 0;

	if (next_bit(group))
		return;
	for (i = 0; i < cluster->set_count; i++)
		if (has_set(group, cluster, &cluster->sets[i]))
			cluster->sets[left++] = cluster->sets[i];
	cluster->set_count = left;
}

/* A chunk in all its copies in that set, as far as the directory knows. */
static bool place_chunk(struct cluster *cluster, const struct placement_set *set, uint64_t bytes, unsigned int copies)
{
	struct place of_set[PLACEMENT_SET_MAX];
	uint32_t at[PLACEMENT_COPIES_MAX];
	unsigned int copy;

	placement_gather(cluster->places, set, of_set);
	if (!placement_chunk(of_set, set->count, bytes, copies, at))
		return false;
	for (copy = 0; copy < copies; copy++) {
		uint32_t server = set->server[at[copy]];

		cluster->places[server].free -= bytes;
		cluster->places[server].load = placement_use(cluster->size[server], cluster->places[server].free);
	}
	return true;
}

static int choose_sets(struct cluster *cluster, struct group *group, uint64_t bytes, uint64_t chunks)
{
	CLEANUP_FREE char *size = size_format(bytes);
	struct placement_set set = { 0 };
	uint64_t i;
	long at;

	for (i = 0; i < chunks; i++) {
		if (i % PLACEMENT_SHARE && place_chunk(cluster, &set, bytes, group->copies))
			continue;
		limit_sets(group, cluster);
		at = placement_pick(cluster->places, cluster->sets, cluster->set_count, bytes, group->copies,
				    &cluster->random);
		if (at < 0)
			break;
		set = cluster->sets[at];
		place_chunk(cluster, &set, bytes, group->copies);
		add_servers(group, cluster, &set);
	}
	if (i == chunks)
		return RC_OK;
	fail("group %s: no set of servers has room for chunk %llu of %llu, of %s in %u cop%s", group->name,
	     (unsigned long long)i + 1, (unsigned long long)chunks, size, group->copies, group->copies > 1 ? "ies" : "y");
	return next_step("farmemctl cluster servers; or a smaller --chunk");
}

static int read_directory(struct cluster *cluster, const struct group *group, const char *config)
{
	cluster->list = agent_list(config, "--servers");
	if (!cluster->list)
		return RC_FAILURE;
	if (getrandom(&cluster->random, sizeof(cluster->random), 0) != sizeof(cluster->random))
		cluster->random = clock_ms();
	read_list(cluster, group);
	return RC_OK;
}

static int refuse_list(const struct cluster *cluster)
{
	if (!json_object_get(cluster->list, "sets")) {
		fail("farmem-agent is of another release: it knows no sets");
		return next_step("install both programs from one release of farmem");
	}
	if (!cluster->count) {
		fail("the directory has no servers that this node could use");
		return next_step("farmemctl cluster servers");
	}
	fail("the directory has no sets of servers yet");
	return next_step("sets = 600 in /etc/farmem/agent.conf of a node, and systemctl restart farmem-agent there");
}

/**
 * find_servers() - servers for so many chunks more, from the cluster's directory
 *
 * They join those of the group, which asks them itself: what the directory knows may be old.
 * Return: RC_OK, or RC_FAILURE after saying what failed.
 */
int find_servers(const struct cli_args *args, struct group *group, uint64_t each, uint64_t chunks)
{
	struct cluster cluster = { 0 };
	int rc;

	if (read_directory(&cluster, group, args->value[OPT_CONFIG]))
		return next_step("or name the servers: --server ADDR[@DOMAIN]");
	if (!cluster.set_count)
		rc = refuse_list(&cluster);
	else
		rc = choose_sets(&cluster, group, (each + cluster.slab - 1) / cluster.slab * cluster.slab, chunks);
	free_cluster(&cluster);
	return rc;
}

/* Only sets that a server is in. */
static void keep_sets_of(struct cluster *cluster, size_t server)
{
	size_t i, k, left = 0;

	for (i = 0; i < cluster->set_count; i++) {
		for (k = 0; k < cluster->sets[i].count && cluster->sets[i].server[k] != server;)
			k++;
		if (k < cluster->sets[i].count)
			cluster->sets[left++] = cluster->sets[i];
	}
	cluster->set_count = left;
}

/*
 * The sets and servers that a chunk's other copy leaves: false if the directory does not know
 * its server, or has it in another failure domain than the group, so that a person is to decide.
 */
static bool close_for(struct cluster *cluster, const struct group_server *other, bool any)
{
	size_t i, at = cluster->count;

	for (i = 0; i < cluster->count; i++)
		if (!strcmp(cluster->address[i], other->address))
			at = i;
	if (at == cluster->count || strcmp(cluster->places[at].domain, other->domain))
		return false;
	for (i = 0; i < cluster->count; i++)
		cluster->places[i].closed |= !strcmp(cluster->places[i].domain, other->domain);
	if (!any)
		keep_sets_of(cluster, at);
	return true;
}

/* A set of which this node reaches no new server: the group has not so many that it may waste one. */
static void take_back(struct group *group, size_t had, uint64_t bit)
{
	size_t i;

	for (i = 0; i < had; i++)
		group->servers[i].sets &= ~bit;
	while (group->server_count > had) {
		struct group_server *server = &group->servers[--group->server_count];

		free(server->address);
		free(server->domain);
	}
	group->may_find = false;
	record_save(group);
}

/* One more set with room for one chunk; unless @any one of the other copy's server. */
static bool add_set_for(struct group *group, uint64_t bytes, const struct group_chunk *apart,
			const char *not_on, bool any)
{
	const struct group_server *other = apart ? record_server(group, apart->server) : NULL;
	size_t had = group->server_count, i;
	uint64_t bit = next_bit(group);
	struct cluster cluster = { 0 };
	bool added;
	long at = -1;

	group->may_find &= bit && !stop_requested();
	if (!group->may_find)
		return false;
	group->may_find = !read_directory(&cluster, group, NULL);
	if (!group->may_find)
		return false;
	for (i = 0; i < cluster.count; i++)
		cluster.places[i].closed |= not_on && !strcmp(cluster.address[i], not_on);
	if (!other || close_for(&cluster, other, any))
		at = placement_pick(cluster.places, cluster.sets, cluster.set_count, bytes, 1, &cluster.random);
	added = at >= 0 && add_servers(group, &cluster, &cluster.sets[at]);
	free_cluster(&cluster);
	/* The record first: a session that it does not know would be nobody's. */
	if (!added || !group->asked || record_save(group) || group->server_count == had)
		return added;
	if (!lender_ask(group, had))
		take_back(group, had, bit);
	return group->may_find;
}

/**
 * find_server() - the server that is to hold one more chunk, of the group's or of the directory's
 * @apart: the chunk with the other copy, in whose failure domain the new one must not be, or NULL
 * @not_on: a server that is to be left, NULL if none is
 * @any: the copy is missing, or is in the way of its server's programs: it may lie outside the
 *	other one's sets if these have no room
 *
 * The directory is asked if @group->may_find; pointers to servers of the group are invalid
 * then.  Return: NULL: none can take it.
 */
struct group_server *find_server(struct group *group, uint64_t bytes, const struct group_chunk *apart,
				 const char *not_on, bool any)
{
	struct group_server *server = lender_choose(group, bytes, apart, not_on, false);

	while (!server && add_set_for(group, bytes, apart, not_on, false))
		server = lender_choose(group, bytes, apart, not_on, false);
	if (!server && any)
		server = lender_choose(group, bytes, apart, not_on, true);
	while (!server && any && add_set_for(group, bytes, apart, not_on, true))
		server = lender_choose(group, bytes, apart, not_on, true);
	return server;
}
