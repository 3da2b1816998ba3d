// SPDX-License-Identifier: GPL-2.0
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"

#define RECORD_VERSION	1
#define PAIRS_MAX	65535
#define SUFFIX		".json"

static char *path_of(const char *name)
{
	return text_format("%s" GROUP_FOLDER "/groups/%s" SUFFIX, file_root(), name);
}

/** record_check_name() - may a group have that name?  RC_OK or RC_USAGE */
int record_check_name(const char *command, const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	if (*name && *name != '-' && !name[strspn(name, plain)] && strlen(name) <= GROUP_NAME_MAX)
		return RC_OK;
	return misuse(command, "\"%s\" is not a name for a group: give 1 to %d letters, digits, '_' and '-', the first no '-'",
		      text_visible(name) ? name : "?", GROUP_NAME_MAX);
}

/** record_names() - the groups of this node, for name_list_free(); NULL: there is no folder */
char **record_names(void)
{
	char **all = name_list("%s" GROUP_FOLDER "/groups", file_root());
	char **name, **kept = all;

	for (name = all; name && *name; name++) {
		size_t length = strlen(*name);

		if (length > strlen(SUFFIX) && !strcmp(*name + length - strlen(SUFFIX), SUFFIX)) {
			(*name)[length - strlen(SUFFIX)] = '\0';
			*kept++ = *name;
		} else {
			free(*name);
		}
	}
	if (all)
		*kept = NULL;
	return all;
}

/** record_any() - has this node a group? */
bool record_any(void)
{
	EACH_NAME(known, record_names())
		return true;
	return false;
}

/** record_exists() - has this node a group of that name? */
bool record_exists(const char *name)
{
	EACH_NAME(known, record_names())
		if (!strcmp(*known.at, name))
			return true;
	return false;
}

/** record_add_option() - a word for "volume create"; the record frees it */
void record_add_option(struct group *group, char *word)
{
	group->options = checked(reallocarray(group->options, group->option_count + 1, sizeof(char *)));
	group->options[group->option_count++] = word;
}

/** record_add_server() - one more that the group may use */
struct group_server *record_add_server(struct group *group, const char *address, const char *domain)
{
	struct group_server *server;

	group->servers = checked(reallocarray(group->servers, group->server_count + 1, sizeof(*server)));
	server = &group->servers[group->server_count++];
	*server = (struct group_server) {
		.address = text_copy(address),
		.domain = text_copy(domain),
		.free = UINT64_MAX,
	};
	return server;
}

static struct group_chunk *list_add(struct group_chunk **list, size_t *count, const struct group_chunk *chunk)
{
	*list = checked(reallocarray(*list, *count + 1, sizeof(*chunk)));
	(*list)[*count] = *chunk;
	return &(*list)[(*count)++];
}

static void list_remove(struct group_chunk *list, size_t *count, struct group_chunk *chunk)
{
	(*count)--;
	memmove(chunk, chunk + 1, (list + *count - chunk) * sizeof(*chunk));
}

/**
 * record_add_chunk() - a new chunk, with a name that the group never had
 *
 * Return: valid until the next one is added or dropped.
 */
struct group_chunk *record_add_chunk(struct group *group, const char *server, unsigned int pair, uint64_t size)
{
	const struct group_chunk chunk = {
		.volume = text_format("%s-%u", group->name, group->next++),
		.uuid = checked(attr_read("%s/sys/kernel/random/uuid", proc_root())),
		.server = text_copy(server),
		.pair = pair,
		.size = size,
	};

	return list_add(&group->chunks, &group->chunk_count, &chunk);
}

static void free_chunk(struct group_chunk *chunk)
{
	free(chunk->volume);
	free(chunk->uuid);
	free(chunk->server);
	free(chunk->generation);
}

/** record_drop_chunk() - the volume is gone; one whose memory is still lent is an orphan now */
void record_drop_chunk(struct group *group, const char *volume)
{
	struct group_chunk *chunk = record_chunk(group, volume);
	struct group_chunk copy;

	if (!chunk)
		return;
	copy = *chunk;
	list_remove(group->chunks, &group->chunk_count, chunk);
	if (copy.kept)
		list_add(&group->orphans, &group->orphan_count, &copy);
	else
		free_chunk(&copy);
}

/** record_drop_orphan() - its memory has gone back */
void record_drop_orphan(struct group *group, struct group_chunk *orphan)
{
	free_chunk(orphan);
	list_remove(group->orphans, &group->orphan_count, orphan);
}

/** record_server() - the server of that address, or NULL */
struct group_server *record_server(const struct group *group, const char *address)
{
	size_t i;

	for (i = 0; i < group->server_count; i++)
		if (!strcmp(group->servers[i].address, address))
			return &group->servers[i];
	return NULL;
}

/** record_has_found_servers() - were servers of the group found, and not all of them named? */
bool record_has_found_servers(const struct group *group)
{
	size_t i;

	for (i = 0; i < group->server_count; i++)
		if (group->servers[i].sets)
			return true;
	return false;
}

/** record_chunk() - the chunk that is that volume, or NULL */
struct group_chunk *record_chunk(const struct group *group, const char *volume)
{
	EACH_CHUNK(chunk, group)
		if (!strcmp(chunk->volume, volume))
			return chunk;
	return NULL;
}

static int unpack_servers(struct group *group, json_t *list, json_error_t *error)
{
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item) {
		const char *address, *domain;
		struct group_server *server;
		int drained = false;
		json_int_t sets = 0;

		if (json_unpack_ex(item, error, 0, "{ss ss s?b s?I}", "address", &address,
				   "domain", &domain, "drained", &drained, "sets", &sets))
			return -EINVAL;
		server = record_add_server(group, address, domain);
		server->drained = drained;
		server->sets = sets;
	}
	return 0;
}

/* What no farmemctl writes. */
static int spoiled(json_error_t *error, const char *field)
{
	snprintf(error->text, sizeof(error->text), "\"%s\" is spoiled", field);
	return -EINVAL;
}

static int unpack_chunks(struct group_chunk **to, size_t *count, json_t *list, json_error_t *error)
{
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item) {
		const char *volume, *uuid, *server, *generation = NULL;
		int pair, current;
		json_int_t size;

		if (json_unpack_ex(item, error, 0, "{ss ss ss si sI sb s?s}", "volume", &volume, "uuid", &uuid,
				   "server", &server, "pair", &pair, "size", &size, "current", &current,
				   "generation", &generation))
			return -EINVAL;
		if (pair < 0 || pair > PAIRS_MAX || size < 0)
			return spoiled(error, "chunks");
		list_add(to, count, &(struct group_chunk) {
			.volume = text_copy(volume), .uuid = text_copy(uuid), .server = text_copy(server),
			.pair = pair, .size = size, .current = current, .generation = text_copy(generation),
		});
	}
	return 0;
}

static int unpack(struct group *group, json_t *all, json_error_t *error)
{
	json_t *options, *servers, *chunks, *orphans, *item;
	json_int_t size, chunk;
	int version, copies, next, made, clean = false;
	size_t i;

	if (json_unpack_ex(all, error, 0, "{si}", "version", &version))
		return -EINVAL;
	if (version != RECORD_VERSION) {
		snprintf(error->text, sizeof(error->text), "version %d is not known to this farmemctl", version);
		return -EINVAL;
	}
	if (json_unpack_ex(all, error, 0, "{sI sI si si sb s?b so so so so}", "size", &size, "chunk", &chunk,
			   "copies", &copies, "next", &next, "made", &made, "clean", &clean,
			   "options", &options, "servers", &servers, "chunks", &chunks,
			   "orphans", &orphans))
		return -EINVAL;
	group->size = size;
	group->chunk = chunk;
	group->copies = copies;
	group->next = next;
	group->made = made;
	group->clean = clean;
	if (copies < 1 || copies > GROUP_COPIES)
		return spoiled(error, "copies");
	json_array_foreach(options, i, item) {
		const char *option = json_string_value(item);

		if (!option || strncmp(option, "--", 2) || !strchr(option, '='))
			return spoiled(error, "options");
		record_add_option(group, text_copy(option));
	}
	return unpack_servers(group, servers, error) ?:
	       unpack_chunks(&group->chunks, &group->chunk_count, chunks, error) ?:
	       unpack_chunks(&group->orphans, &group->orphan_count, orphans, error);
}

static int read_whole(const char *path, struct group *group, json_error_t *error)
{
	json_t *all = json_load_file(path, 0, error);
	int err = all ? unpack(group, all, error) : -EINVAL;

	json_decref(all);
	return err;
}

/**
 * record_load() - read a group's record
 * @group: filled in, for record_free(), also after an error
 *
 * Return: RC_OK, or RC_FAILURE after saying what is wrong.
 */
int record_load(const char *name, struct group *group)
{
	CLEANUP_FREE char *path = path_of(name);
	json_error_t error;

	*group = (struct group) { .name = text_copy(name) };
	if (!read_whole(path, group, &error))
		return RC_OK;
	if (!access(path, F_OK))
		return fail("%s:%d: %s", path, error.line, error.text);
	fail("there is no group \"%s\" on this node", name);
	return next_step("farmemctl group list");
}

/** record_look() - the same without a word: true if it could be read */
bool record_look(const char *name, struct group *group)
{
	CLEANUP_FREE char *path = path_of(name);
	json_error_t error;

	*group = (struct group) { .name = text_copy(name) };
	return !read_whole(path, group, &error);
}

static json_t *pack_chunks(const struct group_chunk *chunks, size_t count)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{ss ss ss si sI sb ss*}", "volume", chunks[i].volume,
						      "uuid", chunks[i].uuid, "server", chunks[i].server,
						      "pair", chunks[i].pair, "size", (json_int_t)chunks[i].size,
						      "current", chunks[i].current,
						      "generation", chunks[i].generation));
	return list;
}

static json_t *pack(const struct group *group)
{
	json_t *options = json_array(), *servers = json_array();
	size_t i;

	for (i = 0; i < group->option_count; i++)
		json_array_append_new(options, json_string(group->options[i]));
	for (i = 0; i < group->server_count; i++)
		json_array_append_new(servers, json_pack("{ss ss sb sI}", "address", group->servers[i].address,
							 "domain", group->servers[i].domain,
							 "drained", group->servers[i].drained,
							 "sets", (json_int_t)group->servers[i].sets));
	return json_pack("{si sI sI si si sb sb so so so so}", "version", RECORD_VERSION,
			 "size", (json_int_t)group->size, "chunk", (json_int_t)group->chunk,
			 "copies", group->copies, "next", group->next, "made", group->made, "clean", group->clean,
			 "options", options, "servers", servers,
			 "chunks", pack_chunks(group->chunks, group->chunk_count),
			 "orphans", pack_chunks(group->orphans, group->orphan_count));
}

/* It is on the disk when this returns, whole or not at all: a crash must not leave half of it. */
static int write_whole(const char *path, json_t *all)
{
	CLEANUP_FREE char *new = text_format("%s.new", path);
	CLEANUP_FREE char *folder = text_format("%s" GROUP_FOLDER "/groups", file_root());
	int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (json_dumpfd(all, fd, JSON_INDENT(1)) || fsync(fd))
		err = errno ? -errno : -EIO;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(new, path))
		err = -errno;
	if (err)
		unlink(new);
	fd = err ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	return err;
}

/** record_save() - RC_OK, or RC_FAILURE after saying why the record could not be written */
int record_save(const struct group *group)
{
	CLEANUP_FREE char *top = text_format("%s" GROUP_FOLDER, file_root());
	CLEANUP_FREE char *folder = text_format("%s/groups", top);
	CLEANUP_FREE char *path = path_of(group->name);
	json_t *all = checked(pack(group));
	int err;

	mkdir(top, 0755);
	mkdir(folder, 0700);
	err = write_whole(path, all);
	json_decref(all);
	return err ? fail("%s can't be written: %s", path, strerror(-err)) : RC_OK;
}

/** record_remove() - the group is gone: RC_OK or RC_FAILURE */
int record_remove(const struct group *group)
{
	CLEANUP_FREE char *path = path_of(group->name);

	if (!unlink(path) || errno == ENOENT)
		return RC_OK;
	return fail("%s can't be removed: %s", path, strerror(errno));
}

void record_free(struct group *group)
{
	EACH_CHUNK(chunk, group)
		free_chunk(chunk);
	while (group->orphan_count)
		free_chunk(&group->orphans[--group->orphan_count]);
	while (group->server_count--) {
		free(group->servers[group->server_count].address);
		free(group->servers[group->server_count].domain);
	}
	while (group->option_count--)
		free(group->options[group->option_count]);
	free(group->chunks);
	free(group->orphans);
	free(group->servers);
	free(group->options);
	free(group->name);
}
