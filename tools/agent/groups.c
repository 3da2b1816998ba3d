// SPDX-License-Identifier: GPL-2.0
/*
 * groups.c - reads each second what the watcher of this node's groups has written, and tells
 * etcd what is news of it.
 *
 * Owns the keys status/NODE/NAME.  A lease is wanted as long as there are groups.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "attr.h"
#include "directory.h"
#include "groups.h"
#include "publication.h"
#include "trouble.h"

#define FILE_PATH	"/farmem-groups/groups.json"
#define FILE_VERSION	1
#define FILE_SECONDS	60
#define LOOK_USEC	1000000ull
/* How far a copy is changes all the time. */
#define NEWS_SECONDS	10

/* A group that the file has, or that etcd still has. */
struct known {
	struct known *next;
	char *name;
	char *state;	/* as etcd was told */
	json_t *value;	/* of the file; NULL: the group is gone */
	struct publication publication;
};

struct groups {
	const char *node;
	sd_event_source *timer;
	struct lease lease;
	struct known *known;
	struct trouble trouble;
	const char *unread;	/* what is wrong with the file, as it was said; NULL: nothing */
};

static void groups_lease_changed(void *data, const char *error)
{
	struct groups *groups = data;
	struct known *known;

	for (known = groups->known; known; known = known->next)
		publication_forget(&known->publication);
	if (error || groups->lease.id)
		trouble_tell(&groups->trouble, "groups: ", &groups->lease, error);
}

static void groups_told(void *data, const struct publication *publication, const char *error)
{
	struct groups *groups = data;

	trouble_tell(&groups->trouble, "groups: ", publication, error);
}

static struct known *groups_obtain(struct groups *groups, const char *name)
{
	struct known *known;

	for (known = groups->known; known; known = known->next)
		if (!strcmp(known->name, name))
			return known;
	known = checked(calloc(1, sizeof(*known)));
	*known = (struct known){
		.next = groups->known, .name = text_copy(name),
		.publication = {
			.lease = &groups->lease, .key = text_format(DIRECTORY_STATUS "%s/%s", groups->node, name),
			.told = groups_told, .data = groups,
		},
	};
	return groups->known = known;
}

static void groups_drop(struct groups *groups, struct known **at)
{
	struct known *old = *at;

	*at = old->next;
	/* It will never succeed. */
	if (groups->trouble.with == &old->publication)
		groups->trouble.is = false;
	publication_close(&old->publication);
	json_decref(old->value);
	free(old->name);
	free(old->state);
	free(old);
}

/* Nobody is to wait for another state to be known. */
static void groups_tell(struct known *known)
{
	struct publication *publication = &known->publication;
	const char *state = json_string_value(json_object_get(known->value, "state"));
	char *text;

	if (!publication_may(publication) ||
	    (!publication_is_old(publication) && known->state && state && !strcmp(state, known->state) &&
	     publication_now() < publication->at + NEWS_SECONDS))
		return;
	text = checked(json_dumps(known->value, JSON_COMPACT));
	if (!publication_is_old(publication) && !strcmp(text, publication->text)) {
		free(text);
		return;
	}
	free(known->state);
	known->state = text_copy(state ? state : "");
	publication_tell(publication, text);
}

/* Return: false as long as etcd may have a group that is gone. */
static bool groups_withdraw(struct known *known)
{
	if (!known->publication.there)
		return true;
	if (publication_may(&known->publication))
		publication_withdraw(&known->publication);
	return false;
}

static void groups_publish(struct groups *groups)
{
	struct known **at = &groups->known;

	while (*at) {
		if ((*at)->value)
			groups_tell(*at);
		else if (groups_withdraw(*at)) {
			groups_drop(groups, at);
			continue;
		}
		at = &(*at)->next;
	}
}

/* A name is a part of a key. */
static bool groups_is_name(const char *name)
{
	return name && text_visible(name) && !strchr(name, '/');
}

/* The watcher writes it every two seconds. */
static bool groups_is_old(const char *path)
{
	struct stat st;

	return !stat(path, &st) && time(NULL) - st.st_mtime > FILE_SECONDS;
}

/* What the file has; NULL: there is no file, which is no error, or *@why says what is wrong. */
static json_t *groups_read(const char **why)
{
	CLEANUP_FREE char *path = text_format("%s" FILE_PATH, run_root());
	json_t *all, *list = NULL;
	json_error_t error;
	int version;

	errno = 0;
	all = json_load_file(path, 0, &error);
	*why = all || errno == ENOENT ? NULL : errno ? strerrordesc_np(errno) : "it is no JSON";
	if (all && (json_unpack(all, "{s:i, s:o}", "version", &version, "groups", &list) || version != FILE_VERSION))
		*why = "it is of another release";
	else if (all && groups_is_old(path))
		*why = "its watcher has not written it for a minute";
	list = *why ? NULL : json_incref(list);
	json_decref(all);
	return list;
}

static void groups_say(struct groups *groups, const char *why)
{
	if (why && (!groups->unread || strcmp(why, groups->unread)))
		fail("groups: %s" FILE_PATH ": %s; the directory does not know them", run_root(), why);
	groups->unread = why;
}

static void groups_look(struct groups *groups)
{
	struct known *known;
	const char *why;
	json_t *list = groups_read(&why), *group;
	size_t i;

	groups_say(groups, why);
	for (known = groups->known; known; known = known->next) {
		json_decref(known->value);
		known->value = NULL;
	}
	json_array_foreach(list, i, group) {
		const char *name = json_string_value(json_object_get(group, "name"));

		if (!groups_is_name(name))
			continue;
		known = groups_obtain(groups, name);
		json_decref(known->value);
		known->value = json_incref(group);
	}
	json_decref(list);
	groups_publish(groups);
	lease_want(&groups->lease, groups->known);
}

static int groups_tick(sd_event_source *source, uint64_t usec, void *data)
{
	groups_look(data);
	sd_event_source_set_time_relative(source, LOOK_USEC);
	sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
	return 0;
}

struct groups *groups_open(sd_event *event, struct etcd *etcd, const char *node, unsigned int ttl)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	if (!groups)
		return NULL;
	groups->node = node;
	groups->lease = (struct lease){ .etcd = etcd, .ttl = ttl, .changed = groups_lease_changed, .data = groups };
	if (lease_open(&groups->lease, event) >= 0 &&
	    sd_event_add_time_relative(event, &groups->timer, CLOCK_MONOTONIC, 0, 0, groups_tick, groups) >= 0)
		return groups;
	groups_close(groups);
	return NULL;
}

void groups_close(struct groups *groups)
{
	if (!groups)
		return;
	sd_event_source_disable_unref(groups->timer);
	while (groups->known)
		groups_drop(groups, &groups->known);
	lease_close(&groups->lease);
	free(groups);
}

int64_t groups_lease(const struct groups *groups)
{
	return groups->lease.id;
}
