/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record.h - what a node knows of a group: a file for each, /var/lib/farmem/groups/NAME.json
 *
 * The record says what the group is meant to be.  What md and LVM do at the moment is read
 * from the kernel each time (array.h).
 */
#ifndef GROUP_RECORD_H
#define GROUP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "volume-file.h"

#define GROUP_FOLDER	"/var/lib/farmem"	/* below file_root(); root's alone */
#define GROUP_NAME_MAX	VOLUME_FILE_GROUP_NAME	/* "NAME-N" is a volume, "NAME-pN" an array */
#define GROUP_COPIES	2	/* at most */
#define GROUP_SETS	60	/* of servers that were found, at most */

/**
 * struct group_server - a server that a group may use
 * @address: as "volume create --server" takes it
 * @domain: what fails together: no two copies lie in one
 * @drained: it gets no chunk any more
 * @sets: a bit for each of the group's sets that it is in: copies of a chunk lie in one set;
 *	0: its server was named by a person, and shares chunks with any
 * @free: bytes that it has to lend, UINT64_MAX if that is not known
 * @capacity: bytes that it lends in all, 0 if that is not known
 * @slab: what it lends at once, 0 if that is not known
 *
 * What is known of its memory is no part of the record.
 */
struct group_server {
	char *address;
	char *domain;
	bool drained;
	uint64_t sets;
	uint64_t free;
	uint64_t capacity;
	uint64_t slab;
};

/**
 * struct group_chunk - a volume that holds a part of a group
 * @volume: its name
 * @uuid: its identity on the server, which no other volume ever had: it begins as zeros
 * @server: its server's address
 * @pair: number of the pair that it is in; of a group without copies its own
 * @size: bytes
 * @current: it may hold the newest bytes; of a chunk without a copy: it does
 * @kept: its server was away when it was deleted, and still holds the memory
 * @generation: of the server's memory that it was left in; NULL: not known
 * @stays: no server has room for it; no part of the record
 */
struct group_chunk {
	char *volume;
	char *uuid;
	char *server;
	unsigned int pair;
	uint64_t size;
	bool current;
	bool kept;
	char *generation;
	bool stays;
};

/**
 * struct group - a record
 * @name: of the group, and of its volume group
 * @size: bytes that its device has, or is to have
 * @chunk: bytes of it that lie in one chunk, at most
 * @copies: 1 or 2
 * @next: number that the next chunk gets
 * @made: false as long as "group create" is not over
 * @clean: its device is off, and all current chunks of a pair hold the same bytes
 * @options: words for "volume create"
 * @option_count: of them
 * @servers: that it may use
 * @server_count: of them
 * @chunks: that it has
 * @chunk_count: of them
 * @orphans: chunks that it has no more, whose memory is still lent
 * @orphan_count: of them
 * @may_find: the cluster's directory is to be asked for more servers if it needs some
 * @asked: its servers have been asked what they have; no part of the record, as the one before
 */
struct group {
	char *name;
	uint64_t size;
	uint64_t chunk;
	unsigned int copies;
	unsigned int next;
	bool made;
	bool clean;
	char **options;
	size_t option_count;
	struct group_server *servers;
	size_t server_count;
	struct group_chunk *chunks;
	size_t chunk_count;
	struct group_chunk *orphans;
	size_t orphan_count;
	bool may_find;
	bool asked;
};

int record_check_name(const char *command, const char *name);
char **record_names(void);
bool record_any(void);
bool record_exists(const char *name);
bool record_look(const char *name, struct group *group);
int record_load(const char *name, struct group *group);
int record_save(const struct group *group);
int record_remove(const struct group *group);
void record_free(struct group *group);

void record_add_option(struct group *group, char *word);
struct group_server *record_add_server(struct group *group, const char *address, const char *domain);
struct group_chunk *record_add_chunk(struct group *group, const char *server, unsigned int pair, uint64_t size);
void record_drop_chunk(struct group *group, const char *volume);
void record_drop_orphan(struct group *group, struct group_chunk *orphan);
struct group_server *record_server(const struct group *group, const char *address);
bool record_has_found_servers(const struct group *group);
struct group_chunk *record_chunk(const struct group *group, const char *volume);

/* EACH_CHUNK(chunk, group) - a loop over its chunks; EACH_LEG: those of one pair */
#define EACH_CHUNK(chunk, group) \
	for (struct group_chunk *chunk = (group)->chunks; chunk < (group)->chunks + (group)->chunk_count; chunk++)
#define EACH_LEG(chunk, group, number) \
	EACH_CHUNK(chunk, group) \
		if (chunk->pair != (number)) \
			continue; \
		else

#endif /* GROUP_RECORD_H */
