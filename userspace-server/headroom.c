// SPDX-License-Identifier: GPL-2.0
/*
 * headroom.c - memory goes back to the machine when that needs it.
 *
 * Owns the decision; clean.c carries it out.  What is lent is not touched.  Called by main()
 * once; a timer and the kernel's triggers of pressure (Documentation/accounting/psi.rst) do
 * the rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "clean.h"
#include "headroom.h"
#include "log.h"
#include "pool-size.h"
#include "server.h"
#include "status.h"
#include "util.h"

#define LOOK_USEC	1000000
/* Some program has waited for memory for 300 ms of 2 s, the window that needs no privilege (Linux 6.5). */
#define TRIGGER		"some 300000 2000000"
/* A program that needs memory for a moment moves nobody's volumes. */
#define SHORT_SECONDS	(HEADROOM_CALM + 2)
#define STEP_BYTES	(64ull << 20)

struct headroom_plan headroom_plan(const struct headroom_view *view)
{
	uint64_t enough = view->wanted + view->wanted / 8, lacks = 0;
	uint32_t above = view->held > view->floor ? view->held - view->floor : 0;
	uint32_t settled = view->unused + view->coming;
	struct headroom_plan plan = { 0 };

	if (view->available < view->wanted || (view->asking && view->available < enough))
		lacks = enough - view->available;
	else if (view->pressed)
		lacks = STEP_BYTES;
	lacks = (lacks + view->slab_size - 1) / view->slab_size;
	plan.give = view->huge ? min(above, view->unused) : min(lacks, (uint64_t)min(above, view->unused));
	if (view->huge)
		above = min(above, view->useful);
	/* Nothing below the floor, nor what is free or will be by itself. */
	if (view->available < enough && min(lacks, (uint64_t)above) > settled)
		plan.want = min(lacks, (uint64_t)above) - settled;
	if (!lacks && view->available > enough)
		plan.room = min((view->available - enough) / view->slab_size, (uint64_t)UINT32_MAX);
	if (view->huge)
		plan.room = min(plan.room, view->allowed) + view->ready;
	return plan;
}

/* Bytes of a line of /proc/meminfo, which counts in KiB.  Return: false: it can't be read. */
static bool headroom_read(const char *key, uint64_t *bytes)
{
	FILE *file = fopen("/proc/meminfo", "re");
	bool found = false;
	char line[128];

	*bytes = 0;
	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, key, strlen(key)) &&
			sscanf(line + strlen(key), "%" SCNu64, bytes) == 1;
	if (file)
		fclose(file);
	*bytes <<= 10;
	return found;
}

/* @reserved: slabs that have not taken theirs yet, maybe */
static void headroom_view_huge(const struct server *server, struct headroom_view *view, uint32_t reserved)
{
	uint64_t per_slab = server->pool.slab_size / server->opt.hugepage_size;
	struct huge_pages pages = { 0 };

	/* What can't be read is taken for none. */
	pool_size_huge(server->opt.hugepage_size, &pages);
	view->huge = true;
	view->useful = pages.surplus / per_slab;
	view->ready = pages.unused / per_slab;
	view->allowed = pages.allowed / per_slab;
	view->allowed -= min(view->allowed, reserved - min(reserved, view->ready));
	view->ready -= min(view->ready, reserved);
}

/* Once when it begins, and once when it is over. */
static void headroom_log(struct server *server, const struct headroom_view *view, bool lacks)
{
	struct headroom *headroom = &server->headroom;

	if (lacks == headroom->lacks)
		return;
	headroom->lacks = lacks;
	if (lacks)
		log_info("this machine has %" PRIu64 " MiB available%s: what is free above %" PRIu64 " MiB goes back to it",
			 view->available >> 20, view->pressed ? ", and programs wait for memory" : "",
			 server->pool.floor * view->slab_size >> 20);
	else
		log_info("this machine has %" PRIu64 " MiB available; %" PRIu64 " MiB have gone back to it so far",
			 view->available >> 20, headroom->given * view->slab_size >> 20);
}

static void headroom_decide(struct server *server, uint64_t available)
{
	struct headroom *headroom = &server->headroom;
	struct slab_table *slabs = &server->slabs;
	/* For slabs that are to be zeroed it may not have been taken yet. */
	uint64_t promised = slabs->in[SLAB_RESERVED] * server->pool.slab_size;
	struct headroom_view view = {
		.available = available - min(available, promised),
		.wanted = headroom->wanted,
		.pressed = headroom->calm < HEADROOM_CALM,
		.slab_size = server->pool.slab_size,
		.held = slabs->count - slabs->in[SLAB_ABSENT],
		.floor = server->pool.floor,
		.unused = slab_unused(slabs),
		.coming = headroom->coming,
		.asking = headroom->want,
	};
	struct headroom_plan plan;

	if (server->opt.hugepage_size)
		headroom_view_huge(server, &view, slabs->in[SLAB_RESERVED]);
	plan = headroom_plan(&view);
	if (view.pressed || view.available < view.wanted)
		headroom_log(server, &view, true);
	else if (view.available > view.wanted + view.wanted / 8)
		headroom_log(server, &view, false);
	headroom->give = plan.give;
	headroom->lacks_lent = plan.want;
	slabs->room = plan.room;
}

static void headroom_look(struct server *server)
{
	struct headroom *headroom = &server->headroom;
	uint64_t available;

	/* What can't be read changes nothing. */
	if (server->opt.spare && headroom_read("MemAvailable:", &available))
		headroom_decide(server, available);
	server->clean.refused = false;
	clean_kick(server);
	if (slab_free_count(&server->slabs) == headroom->shown)
		return;
	headroom->shown = slab_free_count(&server->slabs);
	status_report(server);
}

void headroom_count(struct headroom *headroom)
{
	headroom->short_for = headroom->lacks_lent ? headroom->short_for + 1 : 0;
	headroom->want = headroom->short_for >= SHORT_SECONDS ? headroom->lacks_lent : 0;
}

static int headroom_tick(sd_event_source *source, uint64_t usec, void *data)
{
	struct server *server = data;

	(void)usec;
	server->headroom.calm++;
	headroom_look(server);
	headroom_count(&server->headroom);
	sd_event_source_set_time_relative(source, LOOK_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int headroom_pressed(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct server *server = data;

	(void)fd;
	if (events & EPOLLERR)
		return sd_event_source_set_enabled(source, SD_EVENT_OFF);
	server->headroom.calm = 0;
	if (server->slabs.state)
		headroom_look(server);
	return 0;
}

int headroom_open(struct server *server)
{
	struct headroom *headroom = &server->headroom;
	int fd, ret;

	headroom->calm = HEADROOM_CALM;
	if (!server->opt.spare)
		return 0;
	fd = open("/proc/pressure/memory", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || write(fd, TRIGGER, sizeof(TRIGGER)) < 0) {
		log_info("the kernel does not tell when programs wait for memory (/proc/pressure/memory: %m): farmemd looks once a second");
		if (fd >= 0)
			close(fd);
		return 0;
	}
	ret = sd_event_add_io(server->event, &headroom->pressure, fd, EPOLLPRI, headroom_pressed, server);
	if (ret >= 0)
		return sd_event_source_set_io_fd_own(headroom->pressure, true);
	close(fd);
	return ret;
}

/*
 * Of a pool that was kept, dirty slabs above the floor may never have got memory: a farmemd
 * that was killed had made them ready for a volume.
 */
static void headroom_empty_dirty(struct server *server)
{
	struct slab_table *slabs = &server->slabs;
	uint32_t slab;

	for (slab = slabs->count; slab-- && slabs->count - slabs->in[SLAB_ABSENT] > server->pool.floor;)
		if (slabs->state[slab] == SLAB_DIRTY)
			slab_set(slabs, slab, SLAB_ABSENT);
}

void headroom_settle(struct server *server)
{
	struct slab_table *slabs = &server->slabs;
	struct slab_run run = { .first = server->pool.floor };

	if (server->pool.kept)
		headroom_empty_dirty(server);
	for (; !server->pool.kept && run.first < slabs->count; run.first++)
		slab_set(slabs, run.first, SLAB_ABSENT);
	/* One that was killed may have said so, and not come to it. */
	for (run.first = 0; run.first < slabs->count; run.first += run.count + 1) {
		for (run.count = 0; run.first + run.count < slabs->count; run.count++)
			if (slabs->state[run.first + run.count] != SLAB_ABSENT)
				break;
		if (run.count && pool_give(&server->pool, run))
			slab_give_failed(slabs, run);
	}
	/* Of a pool that is not to shrink any more all may be lent, and gets memory in time. */
	slabs->room = server->opt.spare ? 0 : UINT32_MAX;
}

int headroom_start(struct server *server)
{
	struct headroom *headroom = &server->headroom;
	uint64_t total;
	int ret;

	if (!pool_may_lack_memory(&server->pool))
		return 0;
	headroom->wanted = server->opt.headroom;
	if (!headroom->wanted && headroom_read("MemTotal:", &total))
		headroom->wanted = total / 8;
	ret = sd_event_add_time_relative(server->event, &headroom->timer, CLOCK_MONOTONIC, LOOK_USEC,
					 0, headroom_tick, server);
	if (ret < 0)
		return ret;
	headroom_look(server);
	return 0;
}

void headroom_stop(struct server *server)
{
	sd_event_source_disable_unref(server->headroom.timer);
	sd_event_source_disable_unref(server->headroom.pressure);
}
