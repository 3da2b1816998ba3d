// SPDX-License-Identifier: GPL-2.0
/*
 * options.c - the options, and what each allows.
 *
 * Owns the table of keys that the command line and farmemd.conf share.  Called by
 * command-line.c and config.c for each that is given.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farmemd-options.h"
#include "parse.h"
#include "pool-size.h"
#include "size.h"

#define MAX_CLIENTS	65536

const struct option options_long[] = {
	{ "size",	 required_argument, NULL, 's' },
	{ "listen",	 required_argument, NULL, 'l' },
	{ "config",	 required_argument, NULL, 'c' },
	{ "hugepages",	 required_argument, NULL, 'H' },
	{ "slab-size",	 required_argument, NULL, 'S' },
	{ "quota",	 required_argument, NULL, 'q' },
	{ "max-clients", required_argument, NULL, 'C' },
	{ "max-queues",	 required_argument, NULL, 'Q' },
	{ "lease",	 required_argument, NULL, 'L' },
	{ "pool",	 required_argument, NULL, 'P' },
	{ "keys",	 required_argument, NULL, 'K' },
	{ "uuid",	 required_argument, NULL, 'u' },
	{ "control",	 required_argument, NULL, 'p' },
	{ "insecure",	 no_argument,	    NULL, 'i' },
	{ "check",	 no_argument,	    NULL, 'k' },
	{ "verbose",	 no_argument,	    NULL, 'v' },
	{ "version",	 no_argument,	    NULL, 'V' },
	{ "help",	 no_argument,	    NULL, 'h' },
	{ NULL,		 0,		    NULL, 0 },
};

void options_defaults(struct options *opt)
{
	memset(opt, 0, sizeof(*opt));
	opt->slab_size = 16ull << 20;
	opt->max_clients = 256;
	opt->max_queues = 96;
	opt->control = strdup(OPTIONS_CONTROL);
}

void options_free(struct options *opt)
{
	struct quota *quota;

	while ((quota = opt->quotas)) {
		opt->quotas = quota->next;
		free(quota);
	}
	free(opt->pool);
	free(opt->keys);
	free(opt->control);
	free(opt->config);
	opt->pool = NULL;
	opt->keys = NULL;
	opt->control = NULL;
	opt->config = NULL;
}

static int options_set_path(char **path, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*path);
	*path = copy;
	return 0;
}

static int options_set_listen(struct options *opt, const char *value, char *error, size_t size)
{
	if (opt->listen_count == OPTIONS_LISTEN_MAX) {
		snprintf(error, size, "listen: at most %d addresses", OPTIONS_LISTEN_MAX);
		return -EINVAL;
	}
	if (parse_address(value, FARMEM_DEFAULT_PORT, &opt->listen[opt->listen_count])) {
		snprintf(error, size,
			 "listen: '%.60s' is not a numeric address such as 10.0.0.1:7471 or [fd00::1]:7471",
			 value);
		return -EINVAL;
	}
	opt->listen_count++;
	return 0;
}

static int options_set_flag(bool *flag, const char *key, const char *value, char *error,
			    size_t size)
{
	if (!value || !strcmp(value, "yes")) {
		*flag = true;
	} else if (!strcmp(value, "no")) {
		*flag = false;
	} else {
		snprintf(error, size, "%s: '%.40s' is neither yes nor no", key, value);
		return -EINVAL;
	}
	return 0;
}

static int options_set_size(uint64_t *size, const char *key, const char *value,
			    char *error, size_t error_size)
{
	if (!size_parse(value, size))
		return 0;
	snprintf(error, error_size, "%s: '%.40s' is not a size such as 512M or 4G", key, value);
	return -EINVAL;
}

static int options_set_hugepages(struct options *opt, const char *value, char *error, size_t size)
{
	uint64_t bytes;

	if (!size_parse(value, &bytes) && (bytes == 2ull << 20 || bytes == 1ull << 30)) {
		opt->hugepage_size = bytes;
		return 0;
	}
	snprintf(error, size, "hugepages: '%.40s' is neither 2M nor 1G", value);
	return -EINVAL;
}

static int options_set_slab_size(struct options *opt, const char *value, char *error, size_t size)
{
	uint64_t bytes;

	if (!size_parse(value, &bytes) && bytes >= FARMEM_SLAB_MIN &&
	    bytes <= FARMEM_SLAB_MAX && !(bytes & (bytes - 1))) {
		opt->slab_size = bytes;
		return 0;
	}
	snprintf(error, size, "slab-size: '%.40s' is not a power of two from 1M to 1G", value);
	return -EINVAL;
}

/* All zero is what an option that was not given looks like. */
static int options_set_uuid(struct options *opt, const char *value, char *error, size_t size)
{
	static const uint8_t none[FARMEM_ID_LEN];

	if (!parse_uuid(value, opt->uuid) && memcmp(opt->uuid, none, sizeof(none)))
		return 0;
	snprintf(error, size, "uuid: '%.60s' is not a UUID: 32 hexadecimal digits, not all of them 0",
		 value);
	return -EINVAL;
}

static int options_set_count(unsigned int *count, const char *key, const char *value,
			     unsigned int min, unsigned int max, char *error, size_t size)
{
	uint64_t number;

	if (parse_number(value, min, max, &number)) {
		snprintf(error, size, "%s: '%.40s' is not a number from %u to %u",
			 key, value, min, max);
		return -EINVAL;
	}
	*count = number;
	return 0;
}

static int options_set_by_letter(struct options *opt, int letter, const char *key,
				 const char *value, char *error, size_t size)
{
	switch (letter) {
	case 's':
		return options_set_size(&opt->size, key, value, error, size);
	case 'q':
		return options_set_size(&opt->quota, key, value, error, size);
	case 'l':
		return options_set_listen(opt, value, error, size);
	case 'c':
		return options_set_path(&opt->config, value);
	case 'P':
		return options_set_path(&opt->pool, value);
	case 'K':
		return options_set_path(&opt->keys, value);
	case 'u':
		return options_set_uuid(opt, value, error, size);
	case 'p':
		return options_set_path(&opt->control, value);
	case 'H':
		return options_set_hugepages(opt, value, error, size);
	case 'S':
		return options_set_slab_size(opt, value, error, size);
	case 'C':
		return options_set_count(&opt->max_clients, key, value, 1, MAX_CLIENTS, error,
					 size);
	case 'Q':
		return options_set_count(&opt->max_queues, key, value, 1, FARMEM_QUEUES_MAX, error,
					 size);
	case 'L':
		return options_set_count(&opt->lease, key, value, 0, UINT32_MAX / 1000, error,
					 size);
	case 'i':
		return options_set_flag(&opt->insecure, key, value, error, size);
	case 'k':
		return options_set_flag(&opt->check, key, value, error, size);
	case 'v':
		return options_set_flag(&opt->verbose, key, value, error, size);
	}
	return -ENOENT;
}

int options_set(struct options *opt, const char *key, const char *value,
		char *error, size_t size)
{
	const struct option *known;

	for (known = options_long; known->name; known++)
		if (!strcmp(known->name, key))
			return options_set_by_letter(opt, known->val, key, value, error, size);
	snprintf(error, size, "unknown key '%.40s'", key);
	return -ENOENT;
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

	if (!opt->size) {
		snprintf(error, size, "no --size; give the amount of memory to lend, for example --size 4G");
		return -EINVAL;
	}
	if (opt->size < opt->slab_size || opt->size > FARMEM_CAPACITY_MAX) {
		snprintf(error, size, "size: %s is not between a slab (%s) and 64T",
			 format_size(opt->size, a), format_size(opt->slab_size, b));
		return -EINVAL;
	}
	opt->size -= opt->size % opt->slab_size;
	if (!opt->keys && !opt->insecure && !opt->check) {
		snprintf(error, size, "neither --keys nor --insecure; give --keys FILE ('farmemctl key derive' makes its lines), or --insecure to admit every client that reaches the port");
		return -EINVAL;
	}
	return opt->pool ? options_verify_pool(opt, error, size) : 0;
}

uint64_t options_quota(const struct options *opt, const char *name)
{
	const struct quota *quota;

	for (quota = opt->quotas; quota; quota = quota->next)
		if (!strcmp(quota->name, name))
			return quota->bytes;
	return opt->quota ? opt->quota : UINT64_MAX;
}
