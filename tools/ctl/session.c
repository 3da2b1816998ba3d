// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "attr.h"
#include "cli.h"
#include "commands.h"
#include "object.h"
#include "parse.h"

/* A row of the table is the session's name. */
static char *get_name(const void *row, const struct column *column)
{
	return text_copy(row);
}

static char *get_attr(const void *row, const struct column *column)
{
	return object_get(SESSIONS, row, column->name);
}

static char *get_reason(const void *row, const struct column *column)
{
	return object_reason(SESSIONS, row);
}

static const struct column columns[] = {
	{ "name", "name of the session", COLUMN_TEXT, true, get_name },
	{ "server", "address of the memory server", COLUMN_TEXT, true, get_attr },
	{ "state", "down, connecting, live, recovering, failed or closing", COLUMN_TEXT, true, get_attr },
	{ "device", "RDMA device, or local", COLUMN_TEXT, true, get_attr },
	{ "queue_count", "queue pairs in use", COLUMN_NUMBER, true, get_attr },
	{ "volumes", "volumes that are powered on", COLUMN_NUMBER, true, get_attr },
	{ "server_capacity", "memory that the server lends", COLUMN_BYTES, false, get_attr },
	{ "server_free", "free memory of the server at the last heartbeat", COLUMN_BYTES, false, get_attr },
	{ "server_pressure", "percent of time in which tasks of the memory node waited for memory", COLUMN_TEXT, false, get_attr },
	{ "server_wanted", "memory of this node's volumes that the server wants back", COLUMN_BYTES, false, get_attr },
	{ "server_wanted_within", "seconds until that is urgent", COLUMN_NUMBER, false, get_attr },
	{ "slab_size", "unit in which the server lends", COLUMN_BYTES, false, get_attr },
	{ "generation", "number of the server's memory: it changes when that memory is lost", COLUMN_TEXT, false, get_attr },
	{ "lease", "seconds that the server keeps this node's memory after it loses the node; 0: until released", COLUMN_NUMBER, false, get_attr },
	{ "client", "this node's name towards the server", COLUMN_TEXT, false, get_attr },
	{ "key", "where this node's key is; empty: this node has no key", COLUMN_TEXT, false, get_attr },
	{ "source", "local address", COLUMN_TEXT, false, get_attr },
	{ "queues", "cap of queue pairs; 0: automatic", COLUMN_NUMBER, false, get_attr },
	{ "takeover", "whether the session fences off another client of its name", COLUMN_BOOL, false, get_attr },
	{ "connect_timeout", "seconds that connecting may take", COLUMN_NUMBER, false, get_attr },
	{ "reconnect_delay", "seconds between the first attempts to reconnect; 0: none", COLUMN_NUMBER, false, get_attr },
	{ "reconnect_max", "seconds between any two attempts at most", COLUMN_NUMBER, false, get_attr },
	{ "heartbeat", "seconds between two heartbeats; 0: none", COLUMN_NUMBER, false, get_attr },
	{ "peer_timeout", "seconds until a server that acknowledges nothing is gone", COLUMN_NUMBER, false, get_attr },
	{ "power", "whether the session is switched on", COLUMN_BOOL, false, get_attr },
	{ "reason", "why the session is not live", COLUMN_TEXT, true, get_reason },
};

const struct table session_table = TABLE("sessions", columns);

/** session_list() - farmemctl session list */
int session_list(const struct cli_args *args)
{
	return object_list(args, SESSIONS, "farmemctl session create NAME --server ADDR");
}

/** session_show() - farmemctl session show NAME */
int session_show(const struct cli_args *args)
{
	return module_check() ? RC_FAILURE : object_show(args, SESSIONS, args->name);
}

/* One that failed for good can be set and switched on again, as one that is off. */
static bool is_on(const char *session)
{
	CLEANUP_FREE char *state = object_get(SESSIONS, session, "state");

	return object_powered(SESSIONS, session) && state && strcmp(state, "failed");
}

/*
 * Set an attribute that the user gave; one that already has the value is left
 * alone, so that a session that is on can be shared.
 */
static int set_attr(const char *session, const char *attr, const char *value)
{
	CLEANUP_FREE char *now = NULL;

	if (!value)
		return RC_OK;
	now = object_get(SESSIONS, session, attr);
	if (now && !strcmp(now, value))
		return RC_OK;
	if (is_on(session)) {
		CLEANUP_FREE char *setting = text_format("%s=%s", attr, now ? now : "?");
		CLEANUP_FREE char *option = cli_words(setting);

		fail("session %s is connected already, with %s", session, option);
		return next_step("leave that option out; or connect as another client: farmemctl session create NAME --server ADDR --client OTHER ..., then give the volume --session NAME");
	}
	return object_set(SESSIONS, session, attr, value);
}

#define SETTINGS 9

/* What the command line asks of a session, to end with settings_end(). */
struct settings {
	struct setting all[SETTINGS];
	char *key;
};

static void settings_end(struct settings *settings)
{
	free(settings->key);
}

static int settings_parse(const struct cli_args *args, struct settings *settings)
{
	const char *client = args->value[OPT_CLIENT];
	int rc;

	settings->key = NULL;
	if (client && (!*client || !text_visible(client)))
		return misuse(args->title, "--client: give visible ASCII characters without blanks");
	rc = key_reference(args, args->value[OPT_KEY], &settings->key);
	if (rc)
		return rc;
	memcpy(settings->all, (const struct setting[SETTINGS]) {
		{ "key", settings->key, SETTING_TEXT },
		{ "source", args->value[OPT_SOURCE], SETTING_ADDRESS },
		{ "client", client, SETTING_TEXT },
		{ "queues", args->value[OPT_QUEUES], SETTING_NUMBER },
		{ "connect_timeout", args->value[OPT_CONNECT_TIMEOUT], SETTING_NUMBER },
		{ "reconnect_delay", args->value[OPT_RECONNECT_DELAY], SETTING_NUMBER },
		{ "reconnect_max", args->value[OPT_RECONNECT_MAX], SETTING_NUMBER },
		{ "heartbeat", args->value[OPT_HEARTBEAT], SETTING_NUMBER },
		{ "peer_timeout", args->value[OPT_PEER_TIMEOUT], SETTING_SECONDS },
	}, sizeof(settings->all));
	return RC_OK;
}

static int configure(const struct cli_args *args, const char *session)
{
	struct settings settings __attribute__((cleanup(settings_end)));
	int rc = settings_parse(args, &settings);
	size_t i;

	for (i = 0; !rc && i < SETTINGS; i++)
		rc = set_attr(session, settings.all[i].attr, settings.all[i].value);
	return rc ? rc : set_attr(session, "takeover", args->value[OPT_TAKEOVER] ? "1" : NULL);
}

/**
 * session_check() - does a volume that exists use the session that the command asks for?
 * @session: that of the volume args->name
 *
 * Return: an exit code.
 */
int session_check(const struct cli_args *args, const char *session)
{
	const struct setting named = { "session", args->value[OPT_SESSION], SETTING_TEXT };
	struct settings settings __attribute__((cleanup(settings_end)));
	CLEANUP_FREE char *now = object_get(SESSIONS, session, "server");
	CLEANUP_FREE char *server = NULL;
	int rc = settings_parse(args, &settings);
	size_t i;

	if (!rc && args->value[OPT_SERVER])
		rc = address_canonical(args->title, args->value[OPT_SERVER], &server);
	if (!rc)
		rc = setting_check(args->name, &named, session);
	if (!rc)
		rc = setting_check(args->name, &(struct setting) { "server", server, SETTING_ADDRESS }, now);
	for (i = 0; !rc && i < SETTINGS; i++) {
		CLEANUP_FREE char *value = object_get(SESSIONS, session, settings.all[i].attr);

		rc = setting_check(args->name, &settings.all[i], value);
	}
	return rc;
}

static int power_on(const char *session, struct undo *undo)
{
	if (is_on(session))
		return RC_OK;
	if (object_power(SESSIONS, session, true))
		return RC_FAILURE;
	undo_power(undo, SESSIONS, session);
	if (stop_requested())
		return fail("interrupted");
	return RC_OK;
}

static int make(const char *session, struct undo *undo)
{
	if (object_make(SESSIONS, session))
		return RC_FAILURE;
	undo_make(undo, SESSIONS, session);
	return RC_OK;
}

/* The address of its server, as address_canonical() has it, to free. */
static char *server_of(const char *session)
{
	CLEANUP_FREE char *server = object_get(SESSIONS, session, "server");

	return address_normal(server);
}

/**
 * session_lock() - lock a session, and its server: lock_take()'s answer
 * @server: its address; NULL if the session knows it
 *
 * A command holds the server's lock while it looks which sessions reach that server.
 */
int session_lock(const char *session, const char *server)
{
	CLEANUP_FREE char *own = NULL;

	if (lock_take(SESSIONS, session))
		return RC_FAILURE;
	if (!server)
		server = own = server_of(session);
	return lock_take("servers", server);
}

/* Does it reach the server as that client? */
static bool is_client(const char *session, const char *server, const char *client)
{
	CLEANUP_FREE char *own_server = server_of(session);
	CLEANUP_FREE char *own_client = object_get(SESSIONS, session, "client");

	return !strcmp(own_server, server) && own_client && !strcmp(own_client, client) &&
	       object_powered(SESSIONS, session);
}

/*
 * The session of this node that is the client --client at a server, to free; NULL if
 * there is none.  A second one would be refused there, or fence the first.
 */
static char *find_connected(const struct cli_args *args, const char *server)
{
	const char *client = args->value[OPT_CLIENT];
	struct utsname host;

	if (!client)
		client = uname(&host) ? "" : host.nodename;
	EACH_NAME(session, object_names(SESSIONS))
		if (is_client(*session.at, server, client))
			return text_copy(*session.at);
	return NULL;
}

static int refuse_takeover(const struct cli_args *args, const char *session)
{
	if (!args->value[OPT_TAKEOVER] || !is_on(session))
		return RC_OK;
	fail("session %s of this node is connected as that client: --takeover would end the I/O of that session's volumes",
	     session);
	return next_step("run the same command without --takeover");
}

/*
 * A session named after the server: it has none yet if the command that made it was
 * killed, and another one if a person gave it that name.
 */
static int adopt(const char *session, const char *server)
{
	CLEANUP_FREE char *own = server_of(session);

	if (!*own)
		return set_attr(session, "server", server);
	if (!strcmp(own, server))
		return RC_OK;
	fail("session %s exists already, and belongs to server %s", session, own);
	return next_step("farmemctl session create NAME --server %s; then give the volume --session NAME",
			 server);
}

/*
 * The session that reaches the server already, or one named after the server: the latter
 * may be off, beside another one that is that client.
 */
static int obtain_for_server(const struct cli_args *args, struct undo *undo, char **session)
{
	CLEANUP_FREE char *server = NULL;
	int rc;

	rc = address_canonical(args->title, args->value[OPT_SERVER], &server);
	if (rc)
		return rc;
	if (session_lock(server, server))
		return RC_FAILURE;
	*session = find_connected(args, server);
	if (*session)
		return refuse_takeover(args, *session);
	*session = text_copy(server);
	if (!object_exists(SESSIONS, server))
		return make(server, undo) || set_attr(server, "server", server);
	rc = adopt(server, server);
	return rc ? rc : refuse_takeover(args, server);
}

/**
 * session_obtain() - the session that a new volume is to use, switched on and locked
 * @session: its name goes here, to free
 *
 * Return: an exit code.
 */
int session_obtain(const struct cli_args *args, struct undo *undo, char **session)
{
	const char *named = args->value[OPT_SESSION];
	int rc;

	if (named) {
		*session = text_copy(named);
		if (session_lock(named, NULL) || object_require(SESSIONS, named))
			return RC_FAILURE;
		rc = refuse_takeover(args, named);
	} else {
		rc = obtain_for_server(args, undo, session);
	}
	if (!rc)
		rc = configure(args, *session);
	return rc ? rc : power_on(*session, undo);
}

/* A session of another name to the same server, as the same client. */
static int refuse_second(const struct cli_args *args, const char *server)
{
	CLEANUP_FREE char *own = find_connected(args, server);

	if (!own)
		return RC_OK;
	fail("session %s of this node is already this client at %s", own, server);
	return next_step("farmemctl volume create NAME --size SIZE --session %s    (or another --client here)",
			 own);
}

static int print_created(const struct cli_args *args, const char *server)
{
	const void *row = args->name;

	if (args->value[OPT_JSON])
		return table_print(args, &row, 1);
	printf("Session %s is connected to %s\n", args->name, server);
	printf("Next:  farmemctl volume create NAME --size SIZE --session %s\n", args->name);
	printf("Undo:  farmemctl session delete %s\n", args->name);
	return RC_OK;
}

/** session_create() - farmemctl session create NAME --server ADDR [--if-absent] */
int session_create(const struct cli_args *args)
{
	CLEANUP_FREE char *server = NULL;
	struct undo undo = { 0 };
	int rc;

	rc = name_check(args->title, SESSIONS, args->name);
	if (!rc)
		rc = address_canonical(args->title, args->value[OPT_SERVER], &server);
	if (rc)
		return rc;
	if (module_check())
		return RC_FAILURE;
	stop_catch();
	if (session_lock(args->name, server))
		return RC_FAILURE;
	if (args->value[OPT_IF_ABSENT] && object_powered(SESSIONS, args->name))
		return RC_OK;
	rc = object_powered(SESSIONS, args->name) ? RC_OK : refuse_second(args, server);
	if (rc)
		return rc;
	/* One that is there is off: a command that was killed may have left it. */
	if (args->value[OPT_IF_ABSENT] && object_exists(SESSIONS, args->name))
		rc = adopt(args->name, server);
	else
		rc = make(args->name, &undo) || set_attr(args->name, "server", server);
	if (!rc)
		rc = configure(args, args->name);
	if (!rc)
		rc = power_on(args->name, &undo);
	if (rc) {
		undo_run(&undo);
		return rc;
	}
	undo_forget(&undo);
	return print_created(args, server);
}

/*
 * A volume that uses the session, to free; NULL if there is none.  One that is
 * off only remembers the session's name: it counts if @off does.
 */
static char *find_user(const char *session, bool off)
{
	EACH_NAME(volume, object_names(VOLUMES)) {
		CLEANUP_FREE char *used = object_get(VOLUMES, *volume.at, "session");

		if (used && !strcmp(used, session) && (off || object_powered(VOLUMES, *volume.at)))
			return text_copy(*volume.at);
	}
	return NULL;
}

static int power_off(const char *session)
{
	if (!object_powered(SESSIONS, session))
		return RC_OK;
	return object_power(SESSIONS, session, false);
}

/** session_delete() - farmemctl session delete NAME */
int session_delete(const struct cli_args *args)
{
	CLEANUP_FREE char *user = NULL;
	int rc;

	if (module_check() || session_lock(args->name, NULL) ||
	    object_require(SESSIONS, args->name))
		return RC_FAILURE;
	user = find_user(args->name, false);
	if (user) {
		fail("session %s is in use by volume %s", args->name, user);
		return next_step("farmemctl volume delete %s", user);
	}
	if (power_off(args->name))
		return RC_FAILURE;
	rc = object_remove(SESSIONS, args->name);
	if (rc == -EPERM) {
		printf("Session %s is off. Module parameters made it: rmmod farmem removes it\n",
		       args->name);
		return RC_OK;
	}
	if (rc) {
		fail("session %s can't be removed: %s", args->name, strerror(-rc));
		return next_step("farmemctl volume list");
	}
	printf("Session %s is deleted\n", args->name);
	return RC_OK;
}

/** session_drop_derived() - delete a session, locked, that came with a volume now gone */
void session_drop_derived(const char *session)
{
	CLEANUP_FREE char *server = object_get(SESSIONS, session, "server");
	CLEANUP_FREE char *user = find_user(session, true);
	int rc;

	if (user || !server || strcmp(server, session) || power_off(session))
		return;
	rc = object_remove(SESSIONS, session);
	if (!rc) {
		printf("Session %s is deleted: no volume used it any more\n", session);
	} else {
		fail("session %s is off, but can't be removed: %s", session, strerror(-rc));
		next_step("farmemctl session delete %s", session);
	}
}
