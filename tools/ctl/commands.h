/* SPDX-License-Identifier: GPL-2.0 */
/*
 * commands.h - farmemctl's commands, and what they share, by file.
 */
#ifndef FARMEMCTL_COMMANDS_H
#define FARMEMCTL_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "table.h"

struct cli_args;
struct histogram;
struct json_t;

extern const struct table volume_table, session_table, server_table, loan_table, stats_table,
	latency_table, top_table, cluster_servers_table, cluster_groups_table, cluster_status_table;

/*
 * undo.c: what a command has made so far, so that a failure takes it back.
 */
#define UNDO_MAX 4	/* a session and a volume, each made and powered on */

struct undo {
	struct undo_step {
		const char *kind;
		char *name;
		bool power;		/* switch off, otherwise remove */
	} step[UNDO_MAX];
	int count;
};

void undo_make(struct undo *undo, const char *kind, const char *name);
void undo_power(struct undo *undo, const char *kind, const char *name);
void undo_run(struct undo *undo);
void undo_forget(struct undo *undo);

/*
 * stats.c, latency.c: reports, one after the other.  They sample one volume, or all that have
 * a disk if @only is NULL; @report is the one before.
 */
struct report_ops {
	void (*refresh)(struct rows *report, const char *only, bool delta);
	void (*free)(struct rows *report);
};

extern const struct report_ops latency_ops;

/*
 * stop.c: SIGINT and SIGTERM as a request to finish in good order.
 *
 * A command that changes things calls stop_catch(): the signal interrupts the call it is
 * in, and stop_requested() tells that everything must be taken back.  A command that loops
 * also calls stop_block(): the signal arrives only inside stop_wait(), so that it is never
 * lost between a test and a wait.
 */
void stop_catch(void);
void stop_block(void);
bool stop_requested(void);
bool stop_wait(int fd, double seconds);

/*
 * lock.c: commands that change the same object take turns.
 *
 * A command looks at an object, and then acts: another command must not change it in
 * between.  An object is locked by its name, so that a command does not wait for a server
 * that another command waits for.  Locks are taken in this order: a volume, a session, a
 * server.  The kernel releases all of them when the process ends.
 */
bool lock_is_taken(const char *kind, const char *name);
int lock_take(const char *kind, const char *name);

/* uevent.c: what the kernel tells of its objects, as it happens. */
#define UEVENT_MAX	8192	/* the kernel's is 2048 and a path */

/* A message: NUL-terminated strings, the first "action@devpath". */
struct uevent {
	char text[UEVENT_MAX + 1];
	size_t length;
};

int uevent_open(void);
int uevent_receive(int fd, struct uevent *event);
const char *uevent_get(const struct uevent *event, const char *key);

/* setting.c: is a setting of an object the one that was asked for? */
enum setting_kind {
	SETTING_TEXT,
	SETTING_NUMBER,
	SETTING_SECONDS,
	SETTING_UUID,
	SETTING_ADDRESS,
};

struct setting {
	const char *attr;
	const char *value;	/* NULL: nothing was asked for */
	enum setting_kind kind;
};

bool setting_same(enum setting_kind kind, const char *a, const char *b);
int setting_check(const char *volume, const struct setting *setting, const char *now);

/* holder.c: what uses a farmem disk: swap, a mount, a device on top of it. */
char *holder_find(const char *device);
int holder_refuse(const char *device);
int holder_unseen(const char *device);

/* key.c: new keys, what a key is for a server, and where a key is. */
int key_generate(const struct cli_args *args);
int key_derive(const struct cli_args *args);
int key_reference(const struct cli_args *args, const char *given, char **reference);

/*
 * session.c: sessions, also those that volumes bring along.
 *
 * A session named exactly as its own server address is one that `volume create` derived:
 * it goes away with its last volume.
 */
int session_list(const struct cli_args *args);
int session_show(const struct cli_args *args);
int session_create(const struct cli_args *args);
int session_delete(const struct cli_args *args);
int session_lock(const char *session, const char *server);
int session_obtain(const struct cli_args *args, struct undo *undo, char **session);
int session_check(const struct cli_args *args, const char *session);
void session_drop_derived(const char *session);

/* volume.c looks at volumes and removes them; create.c makes one: all or nothing. */
int volume_list(const struct cli_args *args);
int volume_show(const struct cli_args *args);
int volume_create(const struct cli_args *args);
int volume_set(const struct cli_args *args);
int volume_delete(const struct cli_args *args);
int volume_refuse(const char *name, const char *state, const char *what);

/* Files of volumes: apply.c makes what they describe, save.c writes one. */
int apply_run(const struct cli_args *args);
int save_run(const struct cli_args *args);

/* stats.c: the counters of the volumes' disks; monitor.c: changes of state; wait.c: for one. */
int stats_run(const struct cli_args *args);
enum counter_kind {
	COUNTER_NONE,
	COUNTER_GROWS,		/* since the volume was made */
	COUNTER_LEVEL,		/* goes up and down */
};

enum counter_kind stats_kind(const struct column *column);
char *stats_read(const char *device, const char *name);
int stats_period(const struct cli_args *args, double *interval, double *reports);

/* latency.c: how long I/O takes.  Behind the last kind that the module counts is NULL. */
extern const char *const latency_kinds[];

void latency_read(const char *device, const char *kind, struct histogram *histogram);
char *latency_text(const struct histogram *shown, unsigned int permille);

char *monitor_time(void);
int monitor_run(const struct cli_args *args);
int wait_run(const struct cli_args *args);

/*
 * hook.c: programs that run for a change of state.
 *
 * struct change - what they are told
 * @object: "session" or "volume"
 * @name: of the object
 * @old: its former state, NULL if unknown
 * @new: its state
 * @time: when, as people read it
 */
struct change {
	const char *object, *name, *old, *new, *time;
};

int hook_check(const char *folder);
void hook_run(const char *folder, const struct change *change);

/* status.c: the volumes and the server of this node. */
int status_absent(void);
int status_run(const struct cli_args *args);

/*
 * top-row.c: a group, a volume, a session or a client of the server, at one time; screen.c shows them;
 * top.c does so again and again.
 */
struct top;

struct top *top_row_group(const char *name);
struct top *top_row_volume(const char *name);
struct top *top_row_session(const char *name);
struct top *top_row_client(const struct json_t *client);
void top_row_compare(struct top *row, const struct rows *before, double seconds);
bool top_row_well(const struct top *row);
void top_row_free(struct top *row);
bool screen_wanted(void);
int screen_show(const struct cli_args *args, const struct rows *report);
int top_run(const struct cli_args *args);
int volume_or_group_require(const char *name);

/* server.c: what farmemd lends, on the memory node. */
int server_reach(const struct cli_args *args);
int server_show(const struct cli_args *args);
int server_list(const struct cli_args *args);
int server_release(const struct cli_args *args);
int server_disconnect(const struct cli_args *args);
/* cordon.c */
int server_cordon(const struct cli_args *args);
int server_uncordon(const struct cli_args *args);
int server_drain(const struct cli_args *args);
int server_reload(const struct cli_args *args);
int server_stop(const struct cli_args *args);
char *server_value(const struct json_t *value);
char *server_control(const struct cli_args *args);
struct json_t *server_ask(const struct cli_args *args, const char *verb);
bool server_print_json(const struct cli_args *args, const struct json_t *answer, const char *figure);

/* agent-list.c, cluster.c: what etcd knows of all servers. */
struct json_t *agent_list(const char *file, const char *what);
int cluster_servers(const struct cli_args *args);
int cluster_groups(const struct cli_args *args);
int cluster_status(const struct cli_args *args);

/* metrics.c: what Prometheus is to know of this node. */
int metrics_run(const struct cli_args *args);

#endif
