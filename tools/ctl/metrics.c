// SPDX-License-Identifier: GPL-2.0
/*
 * The module's metrics; counters are the columns of stats.  All that may fail comes before the
 * first line is printed.  A group's record that can't be read is a metric, and no failure.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "commands.h"
#include "histogram.h"
#include "metric.h"
#include "object.h"
#include "server-metrics.h"
#include "../group/group.h"

/* A volume or session, as it was when the command began. */
struct object {
	char *name;
	char *state;
	char *device;
	char *session;		/* of a volume */
	char *server;
};

struct objects {
	const char *kind;
	struct object *all;
	size_t count;
};

static const char *word_of(const struct objects *objects)
{
	return strcmp(objects->kind, VOLUMES) ? "session" : "volume";
}

/* A sample for each state that an object may have: 1 of the one it has, 0 of the others. */
static void put_states(const struct objects *objects, const char *name, const char *help)
{
	struct metric metric = { name, "gauge", help, false };
	bool volumes = !strcmp(objects->kind, VOLUMES);
	const char *const *state;
	size_t i;

	for (i = 0; i < objects->count; i++) {
		const struct object *object = &objects->all[i];

		for (state = object_states(objects->kind); object->state && *state; state++)
			metric_put(stdout, &metric,
				   METRIC_LABELS({ word_of(objects), object->name },
						 { "server", volumes ? NULL : object->server },
						 { "state", *state }),
				   strcmp(*state, object->state) ? "0" : "1");
	}
}

/* A number that configfs has of each object. */
static void put_attr(const struct objects *objects, const char *attr, const char *name,
		     const char *help)
{
	struct metric metric = { name, "gauge", help, false };
	size_t i;

	for (i = 0; i < objects->count; i++) {
		CLEANUP_FREE char *value = object_get(objects->kind, objects->all[i].name, attr);

		metric_put(stdout, &metric,
			   METRIC_LABELS({ word_of(objects), objects->all[i].name }), value);
	}
}

static void put_counter(const struct objects *volumes, const struct column *column)
{
	bool grows = stats_kind(column) == COUNTER_GROWS;
	CLEANUP_FREE char *name = text_format("farmem_volume_%s%s", column->name,
					      grows ? "_total" : "");
	struct metric metric = { name, grows ? "counter" : "gauge", column->text, false };
	size_t i;

	for (i = 0; i < volumes->count; i++) {
		CLEANUP_FREE char *value = stats_read(volumes->all[i].device, column->name);

		metric_put(stdout, &metric, METRIC_LABELS({ "volume", volumes->all[i].name }), value);
	}
}

/*
 * Cumulative, and in seconds.  There is no sum: the module counts in buckets alone, and any
 * sum would be a guess.
 */
static void put_histogram(struct metric *metric, const char *volume, const char *operation,
			  const struct histogram *histogram)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < histogram->buckets; i++) {
		bool last = i + 1 == histogram->buckets;
		CLEANUP_FREE char *bound = last ? text_copy("+Inf") :
			text_format("%.15g", histogram_bound(histogram, i) / 1e9);
		CLEANUP_FREE char *value = text_format("%" PRIu64, seen += histogram->count[i]);

		metric_put_part(stdout, metric, "_bucket",
				METRIC_LABELS({ "volume", volume }, { "operation", operation },
					      { "le", bound }), value);
		if (last)
			metric_put_part(stdout, metric, "_count",
					METRIC_LABELS({ "volume", volume },
						      { "operation", operation }), value);
	}
}

static void put_latency(const struct objects *volumes)
{
	struct metric measured = { "farmem_volume_latency_measured", "gauge",
				   "whether the volume's durations are counted now", false };
	struct metric metric = { "farmem_volume_latency_seconds", "histogram",
				 "durations of requests; operation fault: reads of swap that a task waits for, counted as reads too", false };
	const char *const *kind;
	size_t i;

	for (i = 0; i < volumes->count; i++) {
		const struct object *volume = &volumes->all[i];
		CLEANUP_FREE char *on = disk_attr(volume->device, "farmem/latency");

		metric_put(stdout, &measured, METRIC_LABELS({ "volume", volume->name }), on);
	}
	for (i = 0; i < volumes->count; i++)
		for (kind = latency_kinds; *kind; kind++) {
			struct histogram histogram;

			latency_read(volumes->all[i].device, *kind, &histogram);
			put_histogram(&metric, volumes->all[i].name, *kind, &histogram);
		}
}

static void put_volumes(const struct objects *volumes)
{
	struct metric info = { "farmem_volume_info", "gauge", "what belongs to a volume", false };
	size_t i;

	for (i = 0; i < volumes->count; i++) {
		const struct object *volume = &volumes->all[i];
		CLEANUP_FREE char *uuid = object_get(VOLUMES, volume->name, "uuid");

		metric_put(stdout, &info,
			   METRIC_LABELS({ "volume", volume->name }, { "device", volume->device },
					 { "session", volume->session },
					 { "server", volume->server }, { "uuid", uuid }), "1");
	}
	put_states(volumes, "farmem_volume_state", "1: the volume has this state");
	put_attr(volumes, "size", "farmem_volume_size_bytes", "capacity of the volume");
	for (i = 0; i < stats_table.count; i++)
		if (stats_kind(&stats_table.columns[i]) != COUNTER_NONE)
			put_counter(volumes, &stats_table.columns[i]);
	put_latency(volumes);
}

static void put_sessions(const struct objects *sessions)
{
	put_states(sessions, "farmem_session_state", "1: the session has this state");
	put_attr(sessions, "queue_count", "farmem_session_queues", "queue pairs in use");
	put_attr(sessions, "volumes", "farmem_session_volumes", "volumes that are powered on");
	put_attr(sessions, "server_capacity", "farmem_session_server_capacity_bytes",
		 "memory that the server lends");
	put_attr(sessions, "server_free", "farmem_session_server_free_bytes",
		 "free memory of the server at the last heartbeat");
}

static struct objects objects_take(const char *kind)
{
	struct objects objects = { .kind = kind };

	EACH_NAME(name, object_names(kind)) {
		struct object *object;

		objects.all = checked(reallocarray(objects.all, objects.count + 1,
						   sizeof(*objects.all)));
		object = &objects.all[objects.count++];
		object->name = text_copy(*name.at);
		object->state = object_get(kind, *name.at, "state");
		object->device = object_get(kind, *name.at, "device");
		object->session = object_get(kind, *name.at, "session");
		object->server = object->session ? object_get(SESSIONS, object->session, "server") :
						   object_get(kind, *name.at, "server");
	}
	return objects;
}

static void objects_free(struct objects *objects)
{
	while (objects->count > 0) {
		struct object *object = &objects->all[--objects->count];

		free(object->name);
		free(object->state);
		free(object->device);
		free(object->session);
		free(object->server);
	}
	free(objects->all);
}

static void put_module(void)
{
	CLEANUP_FREE char *version = attr_read("%s/module/farmem/version", sysfs_root());
	struct metric info = { "farmem_module_info", "gauge", "the module that is loaded", false };
	struct objects sessions = objects_take(SESSIONS);
	struct objects volumes = objects_take(VOLUMES);

	metric_put(stdout, &info, METRIC_LABELS({ "version", version }), "1");
	put_volumes(&volumes);
	put_sessions(&sessions);
	objects_free(&sessions);
	objects_free(&volumes);
}

/* 0 or an error's number.  A socket that nobody may look at tells nothing of farmemd. */
static int server_look(const char *path)
{
	return access(path, R_OK | W_OK) ? errno : 0;
}

/** metrics_run() - farmemctl metrics */
int metrics_run(const struct cli_args *args)
{
	bool loaded = !file_missing("%s/module/farmem", sysfs_root());
	CLEANUP_FREE char *path = server_control(args);
	int error = server_look(path);
	bool served = error != ENOENT && error != ENOTDIR;
	json_t *status = NULL, *clients = NULL;

	if (error == EACCES) {
		fail("%s: permission denied", path);
		return next_step("run farmemctl as root");
	}
	if (!loaded && !served && !record_any()) {
		fail("there is nothing to measure: the farmem module is not loaded, and farmemd has no socket %s",
		     path);
		return next_step("modprobe farmem    (on a memory node: systemctl start farmemd)");
	}
	if (loaded && module_check())
		return RC_FAILURE;
	if (served)
		status = server_ask(args, "status");
	if (status)
		clients = server_ask(args, "clients");
	if (loaded)
		put_module();
	group_put_metrics();
	if (served)
		server_metrics_put(stdout, status, clients);
	json_decref(status);
	json_decref(clients);
	return RC_OK;
}
