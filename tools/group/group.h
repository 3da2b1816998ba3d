/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group.h - farmemctl group: one device over several servers, of LVM over md's pairs.
 *
 * Bottom up: record.h, placement.h, array.h, assembly.h, plan.h and lvm.h; then, by file, what is here.
 */
#ifndef GROUP_GROUP_H
#define GROUP_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "plan.h"
#include "record.h"
#include "table.h"

struct cli_args;
struct json_t;

extern const struct table group_table, chunk_table;

/* lender.c: the servers of a group: are they connected, how much have they to lend? */
int lender_add(const struct cli_args *args, struct group *group);
size_t lender_ask(struct group *group, size_t from);
int lender_connect(struct group *group);
void lender_reach(struct group *group);
void lender_reach_orphans(struct group *group);
bool lender_is_live(const char *address);
char *lender_generation(const char *address);
bool lender_may_hold(const struct group_chunk *orphan);
uint64_t lender_wanted(const char *address, double *within);
void lender_let_go(struct group *group);
void lender_take(struct group_server *server, uint64_t bytes);
void lender_give(struct group_server *server, uint64_t bytes);
struct group_server *lender_choose(struct group *group, uint64_t bytes, const struct group_chunk *apart,
				   const char *not_on, bool any);
int lender_refuse(const struct group *group, uint64_t bytes, const struct group_chunk *apart, const char *not_on);

/* find.c: servers that nobody named, in the cluster's directory */
int find_servers(const struct cli_args *args, struct group *group, uint64_t each, uint64_t chunks);
struct group_server *find_server(struct group *group, uint64_t bytes, const struct group_chunk *apart,
				 const char *not_on, bool any);

/*
 * member.c: chunks and pairs of a group, and the commands that make them.  A member is what
 * LVM gets: a pair, or a chunk of a group without copies.
 */
enum member_state {
	MEMBER_LIVE,
	MEMBER_COPYING,
	MEMBER_DEGRADED,
	MEMBER_OFF,
};

char *member_path(const struct group *group, unsigned int pair);
char *member_link(const struct group_chunk *chunk);
char *member_disk(const struct group_chunk *chunk);
enum array_leg member_leg(const struct group_chunk *chunk);
enum member_state member_state(const struct group *group, unsigned int pair);
const char *member_chunk_state(const struct group *group, const struct group_chunk *chunk);
bool member_is_used(const struct group *group, unsigned int pair);
unsigned int member_pairs(const struct group *group);
void member_make_chunk(struct plan *plan, const struct group *group, const struct group_chunk *chunk,
		       const struct group_chunk *partner);
void member_make_missing(const struct group *group);
void member_tie(struct plan *plan, const struct group_chunk *a, const struct group_chunk *b);
void member_drop_chunk(struct plan *plan, struct group_chunk *chunk);
void member_drop_absent(struct group *group, unsigned int pair, size_t from);
void member_take_back_orphans(struct group *group);
bool member_exists(const struct group_chunk *chunk);
bool member_is_in_state(const struct group_chunk *chunk, const char *state);
void member_end_waits(struct plan *plan, const struct group *group);
bool member_is_impatient(const struct group *group);
void member_begin_waits(struct plan *plan, const struct group *group);
void member_disconnect(struct plan *plan, const struct group *group);
void member_stop_pair(struct plan *plan, const struct group *group, unsigned int pair);
void member_make_pair(struct plan *plan, const struct group *group, unsigned int pair);
uint64_t member_chunk(const struct group *group, uint64_t bytes, uint64_t *count);
uint64_t member_lacks(struct group *group, uint64_t bytes);
int member_add(struct group *group, struct plan *plan, uint64_t bytes);
uint64_t member_bytes(const struct group *group);

/* show.c; a group's states have NULL behind the last one */
extern const char *const group_states[];

const char *group_state(const struct group *group);
bool group_moves(const struct group *group, unsigned int pair, unsigned int *permille);
int group_list(const struct cli_args *args);
int group_show(const struct cli_args *args);
int group_chunks(const struct cli_args *args);
int group_print(const struct cli_args *args, const struct group *group);
struct json_t *group_json(const struct group *group);

/* state-file.c: what this node's groups are like, in a file for other programs: the watcher's */
struct json_t *state_file_begin(void);
void state_file_add(struct json_t *states, const char *name, const struct group *group, const char *task);
void state_file_write(struct json_t *states);
void state_file_remove(void);

/* metrics.c: what Prometheus is to know of this node's groups */
void group_put_metrics(void);

/* copies.c: which chunks of a pair hold its bytes, and how the others leave it */
struct group_chunk *copies_find(const struct group *group, unsigned int pair, enum array_leg leg);
bool copies_is_there(const struct group_chunk *chunk);
bool copies_is_whole(const struct group_chunk *chunk);
struct group_chunk *copies_find_whole(const struct group *group, unsigned int pair);
unsigned int copies_count_whole(const struct group *group, unsigned int pair);
unsigned int copies_count_there(const struct group *group, unsigned int pair);
bool copies_are_settled(const struct group *group, unsigned int pair);
int copies_wait(const char *path, const char *volume, bool dry_run);
void copies_untie(struct plan *plan, const struct group_chunk *chunk);
void copies_take_out(struct plan *plan, const struct group *group, unsigned int pair);
void copies_remove(struct plan *plan, const struct group *group, unsigned int pair);
int copies_keep(struct group *group, unsigned int pair, struct group_chunk *const *kept, bool dry_run);
int copies_settle(struct group *group, unsigned int pair, bool dry_run);
int copies_protect(struct group *group, unsigned int pair);

/* pair.c: a pair gets the copies that it lacks; lone.c: a chunk without a copy goes on with its move */
int pair_replace(struct group *group, unsigned int pair, const char *old, const char *new, bool dry_run);
int pair_repair(struct group *group, unsigned int pair, bool dry_run);
int lone_repair(struct group *group, unsigned int pair, bool dry_run);

/* repair.c: what is missing, and what ended commands left; watch.c: without hands; move.c: chunks to other servers */
bool repair_is_needed(const struct group *group);
int group_repair(const struct cli_args *args);
int group_watch(const struct cli_args *args);
int group_scrub(const struct cli_args *args);
int group_move(const struct cli_args *args);
int group_drain(const struct cli_args *args);

/* start.c, stop.c: its device is there, or not; the bytes stay on the servers */
int group_start(const struct cli_args *args);
int group_stop(const struct cli_args *args);

/* size.c makes a group, and makes it larger; delete.c */
int group_create(const struct cli_args *args);
int group_grow(const struct cli_args *args);
int group_delete(const struct cli_args *args);
int group_is_on(const struct group *group);
int group_is_whole(const struct group *group);
int group_run(const struct cli_args *args, int (*act)(const struct cli_args *args, struct group *group));

#endif /* GROUP_GROUP_H */
