/* SPDX-License-Identifier: GPL-2.0 */
/* options.h - what farmemd's command line and configuration file ask for */
#ifndef FARMEMD_OPTIONS_H
#define FARMEMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "farmem-proto.h"

#define OPTIONS_LISTEN_MAX	16
#define OPTIONS_CONTROL		"/run/farmem/farmemd.sock"	/* unless told */

/**
 * struct client_options - of one client, from "[client NAME]"
 * @next: list
 * @name: the client
 * @has_quota: @quota counts, not the general one
 * @quota: bytes, limit over all its volumes
 * @weight: 1 or more; one of weight 2 is asked for memory when it has twice as much as others
 */
struct client_options {
	struct client_options *next;
	char name[FARMEM_NAME_LEN];
	bool has_quota;
	uint64_t quota;
	unsigned int weight;
};

#define OPTIONS_WEIGHT_MAX	1000

/**
 * struct options - the whole configuration
 * @size: bytes of the pool
 * @spare: of them, that the machine may have back
 * @headroom: bytes that shall stay available to the machine; 0: an eighth of its memory
 * @notice: seconds that clients have to give memory back, until that is urgent
 * @slab_size: bytes of a slab, a power of two
 * @hugepage_size: 0, 2 MiB or 1 GiB, or of the file system of @pool
 * @quota: bytes that a client may have unless @clients says otherwise, 0 for
 *	no limit
 * @clients: for clients by name
 * @max_clients: clients that are connected or own volumes
 * @max_queues: queue pairs of one client
 * @lease: seconds that a silent client's volumes are kept, 0 for ever
 * @listen: addresses; none means all of them
 * @listen_count: how many
 * @pool: path of the file that the pool is kept in, NULL for none
 * @keys: path of the file of keys, NULL for none
 * @uuid: of this server, all zero for its own choice, see server_uuid()
 * @control: path of the control socket
 * @status_socket: path of the socket that shows the status alone, NULL for none
 * @metrics: where metrics are asked for by HTTP; AF_UNSPEC: nowhere
 * @config: path of the configuration file or NULL
 * @check: verify and exit
 * @show_config: print it and exit
 * @insecure: admit clients that have no key there
 * @verbose: log debug lines
 */
struct options {
	uint64_t size;
	uint64_t spare;
	uint64_t headroom;
	unsigned int notice;
	uint64_t slab_size;
	uint64_t hugepage_size;
	uint64_t quota;
	struct client_options *clients;
	unsigned int max_clients;
	unsigned int max_queues;
	unsigned int lease;
	struct sockaddr_storage listen[OPTIONS_LISTEN_MAX];
	unsigned int listen_count;
	char *pool;
	char *keys;
	uint8_t uuid[FARMEM_ID_LEN];
	char *control;
	char *status_socket;
	struct sockaddr_storage metrics;
	char *config;
	bool check;
	bool show_config;
	bool insecure;
	bool verbose;
};

/* An option: on the command line, in --help and, without its dashes, in farmemd.conf. */
struct option_row {
	const char *name;
	char letter;		/* its short name; 0: none */
	const char *argument;	/* NULL: a switch, which is yes or no in the file */
	const char *text;	/* of --help */
	/* Takes a value; returns NULL, or what is wrong with that.  NULL: it ends farmemd. */
	const char *(*set)(struct options *opt, const struct option_row *row, const char *value);
	size_t offset;		/* in struct options */
	unsigned int min, max;	/* of a number */
	const char *usual;	/* unless told; NULL: nothing, 0 or no */
	bool line_only;		/* not in the file */
	bool repeats;		/* may be given more than once */
};

#define OPTION_ROWS_MAX	32

/* All of them; behind the last one is one without a name. */
extern const struct option_row option_rows[];

/* options_find() - the option of a name or NULL */
const struct option_row *options_find(const char *name);

/**
 * options_set() - set one option by its long name
 * @opt: to change
 * @key: the long name without dashes
 * @value: text; NULL for an option without a value
 * @error: room for a message
 * @size: of @error
 *
 * Return: 0, -ENOENT for an unknown key, -EINVAL for a bad value; @error then
 * says what is allowed.
 */
int options_set(struct options *opt, const char *key, const char *value,
		char *error, size_t size);

/**
 * options_verify() - look for contradictions between options
 * @opt: all options set; size is cut to whole slabs, and with pool hugepage_size becomes
 *	that of its file system
 * @error: room for a message
 * @size: of @error
 *
 * Return: 0, or -EINVAL with a message in @error.
 */
int options_verify(struct options *opt, char *error, size_t size);

void options_defaults(struct options *opt);
void options_free(struct options *opt);

/**
 * options_quota() - bytes that a client of this name may have
 * @opt: with quota and clients
 * @name: the client's
 *
 * Return: the limit, UINT64_MAX when there is none.
 */
uint64_t options_quota(const struct options *opt, const char *name);

/* options_weight() - of a client of this name, see struct client_options; 1 unless told */
unsigned int options_weight(const struct options *opt, const char *name);

#endif /* FARMEMD_OPTIONS_H */
