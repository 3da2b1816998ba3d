/* SPDX-License-Identifier: GPL-2.0 */
/* server.h - the one object that everything hangs off */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <systemd/sd-event.h>

#include "options.h"
#include "job-queue.h"
#include "pool.h"
#include "slab.h"

struct beat;
struct client;
struct cm_event;
struct control;
struct device;
struct ibv_async_event;
struct key;
struct listener;
struct metrics;
struct premap;
struct rdma_event_channel;
struct server;
struct session;
struct worker;

/**
 * struct server_ops - what devices and listeners tell watch.c, which stands above them
 * @request: a connection request came, whose id is the callee's (cm.c calls it)
 * @completed: a session's completion queue has something; the session may be dead
 *	(device.c, and session.c for an accepted queue 0)
 * @failed: an adapter has failed a queue pair or the completion queue of a session (device.c)
 * @removed: the device goes: nothing on it may stay; takes over a use of it (device.c)
 * @closed: its context's files are closed, and the device is freed next (device.c)
 *
 * Events come from the network and from adapters.  They are for sessions and dialogs, which
 * stand above devices and listeners.
 *
 * Context: event loop.
 */
struct server_ops {
	void (*request)(struct server *server, const struct cm_event *event);
	void (*completed)(struct session *session);
	void (*failed)(struct session *session, const struct ibv_async_event *event);
	void (*removed)(struct device *device);
	void (*closed)(struct device *device);
};

/**
 * struct clean - a step with free slabs in the background, of clean.c
 * @job: of the worker
 * @server: whose
 * @run: the slabs
 * @give: it gives their memory to the machine; else it zeroes them
 * @error: what it came to
 * @emptied: there was too little memory for them, and now they have none
 * @active: it is under way
 * @refused: the kernel gave no memory, or took none; headroom.c lets it try again
 * @failed: the log says that none can be given back
 */
struct clean {
	struct job job;
	struct server *server;
	struct slab_run run;
	bool give;
	int error;
	bool emptied;
	bool active;
	bool refused;
	bool failed;
};

/**
 * struct headroom - what the machine is to have left, of headroom.c
 * @wanted: bytes
 * @give: slabs that go back to it next
 * @coming: slabs that clients have given up, and that are free in a moment
 * @lacks_lent: slabs that it needs of those that are lent
 * @short_for: seconds since when
 * @want: slabs that clients are to give up
 * @shown: free slabs that systemd and clients were told of
 * @calm: seconds since programs waited for memory
 * @lacks: the log says that the machine has too little
 * @given: slabs that went back so far
 * @timer: looks
 * @pressure: the kernel tells; NULL: it does not
 */
struct headroom {
	uint64_t wanted;
	uint32_t give;
	uint32_t coming;
	uint32_t lacks_lent;
	unsigned int short_for;
	uint32_t want;
	uint32_t shown;
	unsigned int calm;
	bool lacks;
	uint64_t given;
	sd_event_source *timer;
	sd_event_source *pressure;
};

/**
 * struct server - all state of farmemd
 * @opt: the configuration, immutable once running
 * @uuid: which server this is, see server_uuid()
 * @keys: of the clients, as the file was when it was read last
 * @ops: of watch.c
 * @event: the loop
 * @worker: registers, deregisters and zeroes memory
 * @connector: makes queue pairs; may wait a second for a peer's address
 * @fencer: destroys queue pairs
 * @closer: tells the peers, and destroys ids, which may wait for ever
 * @pool: the memory
 * @premap: maps a kept pool in the background; NULL: nothing does
 * @slabs: which part of it is in whose hands
 * @clean: what the worker does in the background with free slabs
 * @headroom: what the machine is to have left
 * @channel: rdma_cm's events
 * @channel_source: their place in the loop
 * @leaving: connections that were no client's, and whose ids the closer has not destroyed
 * @deaf: those are too many: events of connections are left to the kernel
 * @control: the control socket
 * @status_socket: the one that shows the status alone; NULL: there is none
 * @metrics: answers Prometheus; NULL: nothing does
 * @clients: those that have a session or memory
 * @client_count: entries of @clients
 * @sessions: that are not dead
 * @dead: sessions whose memory the worker has not deregistered yet
 * @lingering: those that linger, once it has
 * @devices: RDMA devices that have had a session
 * @device_timer: looks whether they are still there
 * @listeners: one an address
 * @beats: what clients read of it, a page a session (beat.c)
 * @pressure: in hundredths of a percent, as clients read it
 * @status_due: systemd was not told how much memory is free, it does not listen
 * @wanted: bytes that clients are asked to give back since the machine needs them
 * @wanted_since: when the machine began to need some, in seconds; 0: it needs none
 * @unfenced: sessions that ended, and of which a queue pair may be left
 * @cordoned: no volume is made or grows, by an administrator
 * @draining: and clients are asked for all that they have, whatever the machine needs
 * @stopping: GOODBYE was said
 * @started: CLOCK_MONOTONIC seconds
 *
 * Context: event loop only, but for @pool, which never changes.
 */
struct server {
	struct options opt;
	uint8_t uuid[FARMEM_ID_LEN];
	struct key *keys;
	const struct server_ops *ops;
	sd_event *event;
	struct worker *worker;
	struct worker *connector;
	struct worker *fencer;
	struct worker *closer;
	struct pool pool;
	struct premap *premap;
	struct slab_table slabs;
	struct clean clean;
	struct headroom headroom;
	struct rdma_event_channel *channel;
	sd_event_source *channel_source;
	unsigned int leaving;
	bool deaf;
	struct control *control;
	struct control *status_socket;
	struct metrics *metrics;
	LIST_HEAD(, client) clients;
	unsigned int client_count;
	LIST_HEAD(, session) sessions;
	LIST_HEAD(, session) dead;
	LIST_HEAD(, session) lingering;
	LIST_HEAD(, device) devices;
	sd_event_source *device_timer;
	LIST_HEAD(, listener) listeners;
	LIST_HEAD(, beat) beats;
	uint32_t pressure;
	bool status_due;
	uint64_t wanted;
	uint64_t wanted_since;
	unsigned int unfenced;
	bool cordoned;
	bool draining;
	bool stopping;
	uint64_t started;
};

/* server_free() - bytes that a client could get now */
static inline uint64_t server_free(const struct server *server)
{
	return server->cordoned ? 0 : slab_free_count(&server->slabs) * server->pool.slab_size;
}

#endif /* SERVER_H */
