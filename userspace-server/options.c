// SPDX-License-Identifier: GPL-2.0
/*
 * options.c - farmemd's options, and what each allows.
 *
 * Owns their one table: the command line, --help and from it the shell's completion, and
 * the keys of farmemd.conf come from it, and tests/cli/cases/farmemd-drift.sh holds the
 * man pages to it.  Called by command-line.c and config.c for each that is given.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "options.h"
#include "parse.h"
#include "pool-size.h"
#include "size.h"
#include "util.h"

#define MAX_CLIENTS	65536

static void *options_member(struct options *opt, const struct option_row *row)
{
	return (char *)opt + row->offset;
}

static const char *options_set_path(struct options *opt, const struct option_row *row,
				    const char *value)
{
	char **path = options_member(opt, row);
	char *copy = strdup(value);

	if (!copy)
		return "does not fit: out of memory";
	free(*path);
	*path = copy;
	return NULL;
}

static const char *options_set_listen(struct options *opt, const struct option_row *row,
				      const char *value)
{
	(void)row;
	if (opt->listen_count == OPTIONS_LISTEN_MAX)
		return "is one too many, of at most 16 addresses";
	if (parse_address(value, FARMEM_DEFAULT_PORT, &opt->listen[opt->listen_count]))
		return "is not a numeric address such as 10.0.0.1:7471 or [fd00::1]:7471";
	opt->listen_count++;
	return NULL;
}

static const char *options_set_metrics(struct options *opt, const struct option_row *row,
				       const char *value)
{
	return parse_port(value, options_member(opt, row)) ?
	       "is neither a port such as 9471 nor a numeric address with one, such as 10.0.0.1:9471" : NULL;
}

static const char *options_set_flag(struct options *opt, const struct option_row *row,
				    const char *value)
{
	bool *flag = options_member(opt, row);

	if (value && strcmp(value, "yes") && strcmp(value, "no"))
		return "is neither yes nor no";
	*flag = !value || !strcmp(value, "yes");
	return NULL;
}

static const char *options_set_size(struct options *opt, const struct option_row *row,
				    const char *value)
{
	return size_parse(value, options_member(opt, row)) ? "is not a size such as 512M or 4G" : NULL;
}

/* SIZE, or MIN..MAX: what is free above MIN is the machine's while that needs it. */
static const char *options_set_pool_size(struct options *opt, const struct option_row *row,
					 const char *value)
{
	const char *dots = strstr(value, "..");
	uint64_t least, most;
	char text[32];

	(void)row;
	snprintf(text, sizeof(text), "%.*s", (int)min(dots ? dots - value : 31, 31), value);
	if (size_parse(text, &least) || size_parse(dots ? dots + 2 : value, &most) || least > most)
		return "is neither a size such as 512M or 4G, nor two such as 1G..4G";
	opt->size = most;
	opt->spare = most - least;
	return NULL;
}

static const char *options_set_huge(struct options *opt, const struct option_row *row,
				    const char *value)
{
	uint64_t bytes;

	if (size_parse(value, &bytes) || (bytes != 2ull << 20 && bytes != 1ull << 30))
		return "is neither 2M nor 1G";
	*(uint64_t *)options_member(opt, row) = bytes;
	return NULL;
}

static const char *options_set_slab(struct options *opt, const struct option_row *row,
				    const char *value)
{
	uint64_t bytes;

	if (size_parse(value, &bytes) || bytes < FARMEM_SLAB_MIN || bytes > FARMEM_SLAB_MAX ||
	    bytes & (bytes - 1))
		return "is not a power of two from 1M to 1G";
	*(uint64_t *)options_member(opt, row) = bytes;
	return NULL;
}

/* All zero is what an option that was not given looks like. */
static const char *options_set_uuid(struct options *opt, const struct option_row *row,
				    const char *value)
{
	static const uint8_t none[FARMEM_ID_LEN];
	uint8_t *uuid = options_member(opt, row);

	if (parse_uuid(value, uuid) || !memcmp(uuid, none, sizeof(none)))
		return "is not a UUID: 32 hexadecimal digits, not all of them 0";
	return NULL;
}

static const char *options_set_number(struct options *opt, const struct option_row *row,
				      const char *value)
{
	static char wrong[64];
	unsigned int *member = options_member(opt, row);
	uint64_t number;

	if (parse_number(value, row->min, row->max, &number)) {
		snprintf(wrong, sizeof(wrong), "is not a number from %u to %u", row->min, row->max);
		return wrong;
	}
	*member = number;
	return NULL;
}

/* An option, and the member of struct options that takes it. */
#define OPTION(name_, letter_, argument_, text_, how, member, ...) \
	{ .name = name_, .letter = letter_, .argument = argument_, .text = text_, \
	  .set = how, .offset = offsetof(struct options, member), ##__VA_ARGS__ }

const struct option_row option_rows[] = {
	OPTION("size", 's', "SIZE", "memory to lend, for example 4G; with 1G..4G this machine\n"
	       "has back what is free above 1G while it needs that", options_set_pool_size, size),
	OPTION("headroom", 0, "SIZE", "with MIN..MAX: give memory back while less than SIZE is\n"
	       "available (default: an eighth of this machine's)", options_set_size, headroom),
	OPTION("notice", 0, "SECONDS", "with MIN..MAX: time that clients have to give memory back,\n"
	       "until that is urgent", options_set_number, notice, .max = 86400, .usual = "60"),
	OPTION("listen", 'l', "ADDR:PORT", "address to listen on, may be repeated; IPv6 as [ADDR]:PORT\n"
	       "(default: all addresses, port 7471)", options_set_listen, listen, .repeats = true),
	OPTION("config", 'c', "FILE", "read options from FILE; the command line wins",
	       options_set_path, config, .line_only = true),
	OPTION("hugepages", 0, "2M|1G", "take the memory from huge pages of 2M or 1G",
	       options_set_huge, hugepage_size),
	OPTION("slab-size", 0, "SIZE", "unit of lending, a power of two",
	       options_set_slab, slab_size, .usual = "16M"),
	OPTION("quota", 0, "SIZE", "most memory that one client may have (default: no limit)",
	       options_set_size, quota),
	OPTION("max-clients", 0, "N", "clients that may have a session or memory",
	       options_set_number, max_clients, .min = 1, .max = MAX_CLIENTS, .usual = "256"),
	OPTION("max-queues", 0, "N", "queue pairs that one client may have",
	       options_set_number, max_queues, .min = 1, .max = FARMEM_QUEUES_MAX, .usual = "96"),
	OPTION("lease", 0, "SECONDS", "release the memory of a client that was silent\n"
	       "for SECONDS (default 0: never)", options_set_number, lease, .max = UINT32_MAX / 1000),
	OPTION("pool", 0, "FILE", "keep the memory in FILE, on tmpfs or hugetlbfs; the next\n"
	       "farmemd takes over FILE and the data in it", options_set_path, pool),
	OPTION("keys", 0, "FILE", "admit the clients that have a line in FILE: NAME UUID\n"
	       "KEY, as 'farmemctl key derive' prints it", options_set_path, keys),
	OPTION("uuid", 0, "UUID", "UUID of this server; keys are derived for it (default:\n"
	       "made from the machine's ID and the control socket's path)", options_set_uuid, uuid),
	OPTION("control", 0, "PATH", "control socket", options_set_path, control, .usual = OPTIONS_CONTROL),
	OPTION("status-socket", 0, "PATH", "socket that tells the status, and no more, to the group\n"
	       "of a folder with the set-group-ID bit", options_set_path, status_socket),
	OPTION("metrics", 0, "ADDR:PORT", "answer Prometheus there by HTTP; PORT alone: on 127.0.0.1",
	       options_set_metrics, metrics),
	OPTION("insecure", 0, NULL, "admit clients that have no key, too", options_set_flag, insecure),
	OPTION("check", 0, NULL, "verify this configuration on this machine and exit",
	       options_set_flag, check, .line_only = true),
	OPTION("show-config", 0, NULL, "print this configuration as JSON and exit",
	       options_set_flag, show_config, .line_only = true),
	OPTION("verbose", 'v', NULL, "log more", options_set_flag, verbose),
	OPTION("version", 'V', NULL, "print the version and exit", NULL, check, .line_only = true),
	OPTION("help", 'h', NULL, "print this and exit", NULL, check, .line_only = true),
	{ .name = NULL },
};

_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) <= OPTION_ROWS_MAX, "option_rows");

void options_defaults(struct options *opt)
{
	const struct option_row *row;

	memset(opt, 0, sizeof(*opt));
	for (row = option_rows; row->name; row++)
		if (row->usual)
			row->set(opt, row, row->usual);
}

void options_free(struct options *opt)
{
	struct client_options *client;

	while ((client = opt->clients)) {
		opt->clients = client->next;
		free(client);
	}
	free(opt->pool);
	free(opt->keys);
	free(opt->control);
	free(opt->status_socket);
	free(opt->config);
	memset(opt, 0, sizeof(*opt));
}

const struct option_row *options_find(const char *name)
{
	const struct option_row *row;

	for (row = option_rows; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

int options_set(struct options *opt, const char *key, const char *value,
		char *error, size_t size)
{
	const struct option_row *row = options_find(key);
	const char *wrong;

	if (!row || !row->set) {
		snprintf(error, size, "unknown key '%.40s'", key);
		return -ENOENT;
	}
	wrong = row->set(opt, row, value);
	if (wrong)
		snprintf(error, size, "%s: '%.60s' %s", key, value, wrong);
	return wrong ? -EINVAL : 0;
}

/* The pages of a file are those of its file system. */
static int options_verify_pool(struct options *opt, char *error, size_t size)
{
	if (opt->hugepage_size) {
		snprintf(error, size, "hugepages: with --pool the file system provides them; leave out --hugepages, mount a hugetlbfs and put the file there");
		return -EINVAL;
	}
	if (pool_size_hugepage(opt->pool, &opt->hugepage_size)) {
		snprintf(error, size, "pool: '%.80s' is not on a file system in memory; put it on tmpfs (/dev/shm, /run) or hugetlbfs",
			 opt->pool);
		return -EINVAL;
	}
	return 0;
}

int options_verify(struct options *opt, char *error, size_t size)
{
	char a[SIZE_TEXT], b[SIZE_TEXT];
	uint64_t floor;

	if (!opt->size) {
		snprintf(error, size, "no --size; give the amount of memory to lend, for example --size 4G");
		return -EINVAL;
	}
	if (opt->size < opt->slab_size || opt->size > FARMEM_CAPACITY_MAX) {
		snprintf(error, size, "size: %s is not between a slab (%s) and 64T",
			 format_size(opt->size, a), format_size(opt->slab_size, b));
		return -EINVAL;
	}
	floor = opt->size - opt->spare;
	opt->size -= opt->size % opt->slab_size;
	opt->spare = opt->size - (floor - floor % opt->slab_size);
	if (opt->headroom && !opt->spare) {
		snprintf(error, size, "headroom: all of --size stays taken; give --size MIN..MAX, or leave out --headroom");
		return -EINVAL;
	}
	if (!opt->keys && !opt->insecure && !opt->check) {
		snprintf(error, size, "neither --keys nor --insecure; give --keys FILE ('farmemctl key derive' makes its lines), or --insecure to admit every client that reaches the port");
		return -EINVAL;
	}
	if (opt->status_socket && !strcmp(opt->status_socket, opt->control)) {
		snprintf(error, size, "status-socket: '%.60s' is the control socket; give another path", opt->control);
		return -EINVAL;
	}
	if (opt->pool && options_verify_pool(opt, error, size))
		return -EINVAL;
	if (!opt->spare || !opt->hugepage_size || !(opt->slab_size % opt->hugepage_size))
		return 0;
	snprintf(error, size, "size: memory comes and goes in whole huge pages; give a --slab-size that is a multiple of %uM, or one size",
		 (unsigned int)(opt->hugepage_size >> 20));
	return -EINVAL;
}

static const struct client_options *options_client(const struct options *opt, const char *name)
{
	const struct client_options *client = opt->clients;

	while (client && strcmp(client->name, name))
		client = client->next;
	return client;
}

uint64_t options_quota(const struct options *opt, const char *name)
{
	const struct client_options *client = options_client(opt, name);

	if (client && client->has_quota)
		return client->quota;
	return opt->quota ? opt->quota : UINT64_MAX;
}

unsigned int options_weight(const struct options *opt, const char *name)
{
	const struct client_options *client = options_client(opt, name);

	return client ? client->weight : 1;
}
