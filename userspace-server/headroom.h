/* SPDX-License-Identifier: GPL-2.0 */
/* headroom.h - how much memory the machine keeps for itself while farmemd lends some */
#ifndef HEADROOM_H
#define HEADROOM_H

#include <stdbool.h>
#include <stdint.h>

struct headroom;
struct server;

/* Seconds since programs waited for memory, until that is over. */
#define HEADROOM_CALM	3

/**
 * struct headroom_view - what the machine and the pool have
 * @available: bytes that programs could have without swapping: MemAvailable
 * @wanted: bytes that shall be available
 * @pressed: programs wait for memory, or have just waited
 * @slab_size: bytes
 * @held: slabs that have memory
 * @floor: so many always have
 * @unused: of @held, that no volume has
 * @coming: of @held, that clients have given up, and that are free in a moment
 * @asking: clients are asked for memory
 * @huge: its pages are huge
 * @useful: of @held, as many as programs would get: the kernel keeps the huge pages that it has always
 * @ready: slabs' worth of huge pages that nobody has
 * @allowed: slabs' worth of more huge pages that the kernel may make of other memory
 */
struct headroom_view {
	uint64_t available;
	uint64_t wanted;
	bool pressed;
	uint64_t slab_size;
	uint32_t held;
	uint32_t floor;
	uint32_t unused;
	uint32_t coming;
	bool asking;
	bool huge;
	uint32_t useful;
	uint32_t ready;
	uint32_t allowed;
};

/**
 * struct headroom_plan - what follows
 * @give: slabs that go back to the machine now
 * @room: slabs that may get memory when a client wants them
 * @want: slabs that clients are to give up
 */
struct headroom_plan {
	uint32_t give;
	uint32_t room;
	uint32_t want;
};

/**
 * headroom_plan() - what to give back, and how much more may be lent
 * @view: of this moment
 *
 * The gap between what makes it give and what lets it take is an eighth of @wanted, so that
 * it does not do both in turn; so it is between the beginning and the end of @want.  Under
 * pressure it gives a step, whatever seems available.  It wants none for that alone: pressure
 * may be of programs that have a limit of their own.
 *
 * Huge pages that no volume has go back at once: nobody tells when another program lacks one.
 */
struct headroom_plan headroom_plan(const struct headroom_view *view);

/* headroom_count() - each second: what is lent is wanted back when it has been lacking for a while */
void headroom_count(struct headroom *headroom);

/**
 * headroom_open() - have the kernel tell of pressure, if it does
 * @server: with options and the event loop
 *
 * Context: before privileges are dropped, which older kernels ask for.  Return: 0 or a
 * negative error.
 */
int headroom_open(struct server *server);

/**
 * headroom_settle() - slabs that are absent have no memory
 * @server: with its pool and slabs
 *
 * Context: once, before there is a worker.
 */
void headroom_settle(struct server *server);

/**
 * headroom_start() - look at the machine's memory, now and every second
 * @server: with all that it needs to run
 *
 * Does nothing if all slabs have memory for ever.
 *
 * Context: once.  Return: 0 or a negative error.
 */
int headroom_start(struct server *server);
void headroom_stop(struct server *server);

#endif /* HEADROOM_H */
