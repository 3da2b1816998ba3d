// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "parse.h"
#include "placement.h"
#include "size.h"
#include "../ctl/commands.h"

/* One word of --server: ADDR[:PORT][@DOMAIN].  Without a domain it is the host's address. */
static int add_one(const struct cli_args *args, struct group *group, char *word)
{
	char *domain = strchr(word, '@');
	CLEANUP_FREE char *address = NULL;
	CLEANUP_FREE char *host = NULL;
	char *port, *bare;
	struct group_server *server;
	int rc;

	if (domain)
		*domain++ = '\0';
	rc = address_canonical(args->title, word, &address);
	if (rc)
		return rc;
	if (domain && (!*domain || !text_visible(domain)))
		return misuse(args->title, "--server %s@: a failure domain is a word of visible ASCII characters", word);
	host = text_copy(address);
	bare = host;
	if (!domain && split_address(host, &bare, &port))
		bare = host;
	server = record_server(group, address);
	if (!server) {
		record_add_server(group, address, domain ? domain : bare);
		return RC_OK;
	}
	server->drained = false;
	if (domain && strcmp(domain, server->domain))
		return misuse(args->title, "server %s is in failure domain %s already", address, server->domain);
	return RC_OK;
}

/** lender_add() - the servers that --server names join those of the group: an exit code */
int lender_add(const struct cli_args *args, struct group *group)
{
	CLEANUP_FREE char *list = text_copy(args->value[OPT_LENDER]);
	char *rest = list, *word;
	int rc = RC_OK;

	while (!rc && (word = strsep(&rest, ",")))
		rc = add_one(args, group, word);
	return rc;
}

/*
 * The session of this node to a server, to free, or NULL: one that is on, if there is one.  Of
 * one that a killed command left only the name may tell.
 */
static char *session_to(const char *address)
{
	char *found = NULL;

	EACH_NAME(session, object_names(SESSIONS)) {
		CLEANUP_FREE char *server = object_get(SESSIONS, *session.at, "server");
		CLEANUP_FREE char *normal = address_normal(server);

		if (strcmp(normal, address) && (*normal || strcmp(*session.at, address)))
			continue;
		if (object_powered(SESSIONS, *session.at)) {
			free(found);
			return text_copy(*session.at);
		}
		found = found ?: text_copy(*session.at);
	}
	return found;
}

/* It is to be made, or what a killed command left of it is to be gone on with. */
static bool wants_session(const char *session, const char *address)
{
	return !session || (!strcmp(session, address) && !object_powered(SESSIONS, session));
}

static bool is_live(const char *session)
{
	CLEANUP_FREE char *state = object_get(SESSIONS, session, "state");

	return state && !strcmp(state, "live");
}

/** lender_is_live() - is this node connected to the server with that address? */
bool lender_is_live(const char *address)
{
	CLEANUP_FREE char *session = session_to(address);

	return session && is_live(session);
}

/** lender_generation() - of the memory of a server when this node was connected to it last, to free; NULL: not known */
char *lender_generation(const char *address)
{
	CLEANUP_FREE char *session = session_to(address);

	return session ? object_get(SESSIONS, session, "generation") : NULL;
}

/** lender_may_hold() - is a server's memory the one that an orphan was left in, as far as is known? */
bool lender_may_hold(const struct group_chunk *orphan)
{
	CLEANUP_FREE char *now = lender_is_live(orphan->server) ? lender_generation(orphan->server) : NULL;

	return !orphan->generation || !now || !strcmp(now, orphan->generation);
}

/**
 * lender_wanted() - bytes that a server wants back from this node
 * @within: seconds until that is urgent
 */
uint64_t lender_wanted(const char *address, double *within)
{
	CLEANUP_FREE char *session = session_to(address);
	bool live = session && is_live(session);
	CLEANUP_FREE char *bytes = live ? object_get(SESSIONS, session, "server_wanted") : NULL;
	CLEANUP_FREE char *seconds = live ? object_get(SESSIONS, session, "server_wanted_within") : NULL;

	*within = seconds ? strtod(seconds, NULL) : 0;
	return bytes ? strtoull(bytes, NULL, 10) : 0;
}

/* An option of "volume create" that "session create" has as well. */
static bool is_of_session(const char *option)
{
	return strncmp(option, "--checksum", strlen("--checksum")) != 0;
}

static int connect_one(const struct group *group, struct group_server *server)
{
	struct plan words = { 0 };
	size_t i;

	plan_do(&words, "farmemctl", "session", "create", server->address, "--server", server->address,
		"--if-absent", NULL);
	for (i = 0; i < group->option_count; i++)
		if (is_of_session(group->options[i]))
			plan_add_word(&words, group->options[i]);
	return plan_carry_out(&words, false);
}

static bool get_bytes(const char *session, const char *attr, uint64_t *bytes)
{
	CLEANUP_FREE char *text = object_get(SESSIONS, session, attr);

	if (text)
		*bytes = strtoull(text, NULL, 10);
	return text;
}

/* Connect to a server, and ask what it has to lend: can it be reached? */
static bool ask(const struct group *group, struct group_server *server)
{
	CLEANUP_FREE char *session = session_to(server->address);
	uint64_t bytes;
	double within;

	if (wants_session(session, server->address) && !connect_one(group, server)) {
		free(session);
		session = session_to(server->address);
	}
	server->free = 0;
	if (!session || !is_live(session) || !get_bytes(session, "server_free", &bytes))
		return false;
	/* One that wants memory back takes none. */
	if (!lender_wanted(server->address, &within))
		server->free = bytes;
	get_bytes(session, "server_capacity", &server->capacity);
	get_bytes(session, "slab_size", &server->slab);
	return true;
}

static bool lie_on(const struct group_chunk *chunks, size_t count, const char *address)
{
	while (count--)
		if (!strcmp(chunks[count].server, address))
			return true;
	return false;
}

/**
 * lender_ask() - connect to servers of a group, and ask what they have to lend
 * @from: the first of them; the others follow
 *
 * One that can't be reached is drained for this time.  Return: how many can be.
 */
size_t lender_ask(struct group *group, size_t from)
{
	size_t i, reached = 0;

	for (i = from; i < group->server_count && !stop_requested(); i++)
		if (!group->servers[i].drained)
			reached += ask(group, &group->servers[i]);
	return reached;
}

/** lender_reach_orphans() - connect to drained servers that may hold memory for chunks that are no more */
void lender_reach_orphans(struct group *group)
{
	size_t i;

	for (i = 0; i < group->server_count && !stop_requested(); i++)
		if (group->servers[i].drained &&
		    lie_on(group->orphans, group->orphan_count, group->servers[i].address))
			ask(group, &group->servers[i]);
}

/** lender_connect() - ask all of them: RC_OK, or RC_FAILURE after saying why there is none */
int lender_connect(struct group *group)
{
	size_t reached = lender_ask(group, 0), used = 0, i;

	group->asked = true;
	if (stop_requested())
		return fail("interrupted");
	for (i = 0; i < group->server_count; i++)
		used += !group->servers[i].drained;
	if (!used) {
		fail("group %s: all of its servers are drained", group->name);
		return next_step("farmemctl group move %s --from ADDR --server OTHER-ADDR[@DOMAIN]", group->name);
	}
	return reached ? RC_OK : fail("group %s: none of its servers can be reached", group->name);
}

/** lender_reach() - connect to the servers that hold chunks, drained ones too; those that can't say so */
void lender_reach(struct group *group)
{
	size_t i;

	for (i = 0; i < group->server_count && !stop_requested(); i++) {
		CLEANUP_FREE char *session = session_to(group->servers[i].address);

		if (wants_session(session, group->servers[i].address) &&
		    lie_on(group->chunks, group->chunk_count, group->servers[i].address))
			connect_one(group, &group->servers[i]);
	}
}

static bool is_used(const char *session)
{
	EACH_NAME(volume, object_names(VOLUMES)) {
		CLEANUP_FREE char *used = object_get(VOLUMES, *volume.at, "session");

		if (used && !strcmp(used, session))
			return true;
	}
	return false;
}

/**
 * lender_let_go() - end the connections that no volume came to use
 *
 * By a process of its own: a lock that this one took would last as long as it does, and its
 * own children would wait for that.
 */
void lender_let_go(struct group *group)
{
	size_t i;

	for (i = 0; i < group->server_count; i++) {
		CLEANUP_FREE char *session = session_to(group->servers[i].address);
		/* Another command may do the same: then it is gone, or in use. */
		struct plan words = { .regardless = true, .quiet = true };

		/* A name of its own: somebody made it. */
		if (!session || strcmp(session, group->servers[i].address) || is_used(session))
			continue;
		plan_do(&words, "farmemctl", "session", "delete", session, NULL);
		plan_carry_out(&words, false);
	}
}

static uint64_t slabs_of(const struct group_server *server, uint64_t bytes)
{
	return server->slab ? (bytes + server->slab - 1) / server->slab * server->slab : bytes;
}

/** lender_take() - a server has so much less for others: it lends whole slabs */
void lender_take(struct group_server *server, uint64_t bytes)
{
	bytes = slabs_of(server, bytes);
	if (server->free != UINT64_MAX)
		server->free -= bytes < server->free ? bytes : server->free;
}

/** lender_give() - what lender_take() has taken, or a chunk that goes */
void lender_give(struct group_server *server, uint64_t bytes)
{
	if (server->free != UINT64_MAX)
		server->free += slabs_of(server, bytes);
}

/*
 * What servers are compared by.  Those of a directory are many groups': the emptiest one is
 * next.  Servers that a person named are this group's: it spreads over them.
 */
static uint64_t load_of(const struct group *group, const struct group_server *server)
{
	uint64_t bytes = 0;

	if (record_has_found_servers(group) && server->free <= server->capacity)
		return placement_use(server->capacity, server->free);
	EACH_CHUNK(chunk, group)
		if (!strcmp(chunk->server, server->address))
			bytes += chunk->size;
	return bytes;
}

/* The group's servers, but for one that is to be left. */
static struct place *list_places(const struct group *group, const char *not_on)
{
	struct place *places = checked(calloc(group->server_count, sizeof(*places)));
	size_t i;

	for (i = 0; i < group->server_count; i++) {
		const struct group_server *server = &group->servers[i];

		places[i] = (struct place) {
			.domain = server->domain,
			.load = load_of(group, server),
			.free = server->free,
			.sets = server->sets,
			.closed = server->drained || (not_on && !strcmp(server->address, not_on)),
		};
	}
	return places;
}

/**
 * lender_choose() - the server that is to hold one more chunk, or NULL: none can
 * @apart: the chunk with the other copy, in whose failure domain the new one must not be, or NULL
 * @not_on: a server that is to be left, NULL if none is
 * @any: whatever sets the servers are in
 */
struct group_server *lender_choose(struct group *group, uint64_t bytes, const struct group_chunk *apart,
				   const char *not_on, bool any)
{
	const struct group_server *server = apart ? record_server(group, apart->server) : NULL;
	const struct place other = {
		.domain = server ? server->domain : NULL,
		.sets = server && !any ? server->sets : 0,
	}, *others = &other;
	struct place *places = list_places(group, not_on);
	int at = placement_choose(places, group->server_count, bytes, &others, server ? 1 : 0,
				  !server && group->copies > 1);

	free(places);
	if (at < 0)
		return NULL;
	lender_take(&group->servers[at], bytes);
	return &group->servers[at];
}

static const char *why_not(const struct group_server *server, const struct group_server *other, uint64_t bytes,
			   const char *not_on)
{
	if (server->drained)
		return ": drained";
	if (not_on && !strcmp(server->address, not_on))
		return ": to be left";
	if (other && !strcmp(other->domain, server->domain))
		return ": in the failure domain of the other copy";
	if (other && other->sets && server->sets && !(other->sets & server->sets))
		return ": in no set of the other copy's server";
	return server->free < bytes ? ": too little" : other ? "" : ": no other one for its copy";
}

/** lender_refuse() - say why lender_choose() found none, and what helps: RC_FAILURE */
int lender_refuse(const struct group *group, uint64_t bytes, const struct group_chunk *apart, const char *not_on)
{
	const struct group_server *other = apart ? record_server(group, apart->server) : NULL;
	CLEANUP_FREE char *size = size_format(bytes);
	size_t i;

	fail("group %s: no server can take a chunk of %s%s", group->name, size,
	     other ? " that is to lie apart from its other copy" :
	     group->copies > 1 ? ", and one in another failure domain its copy" : "");
	for (i = 0; i < group->server_count; i++) {
		const struct group_server *server = &group->servers[i];
		CLEANUP_FREE char *left = server->free == UINT64_MAX ? text_copy("unknown") : size_format(server->free);

		fprintf(stderr, "  server %s: failure domain %s, %s free%s\n", server->address, server->domain,
			left, why_not(server, other, bytes, not_on));
	}
	return next_step("give create, grow or move one more --server ADDR[@DOMAIN], or create a smaller --chunk");
}
