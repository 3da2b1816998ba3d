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

struct client;
struct cm_event;
struct control;
struct device;
struct farmem_status;
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
 * @clean: background zeroing, of clean.c
 * @channel: rdma_cm's events
 * @channel_source: their place in the loop
 * @leaving: connections that were no client's, and whose ids the closer has not destroyed
 * @deaf: those are too many: events of connections are left to the kernel
 * @control: the control socket
 * @metrics: answers Prometheus; NULL: nothing does
 * @clients: those that have a session or memory
 * @client_count: entries of @clients
 * @sessions: that are not dead
 * @dead: sessions whose memory the worker has not deregistered yet
 * @lingering: those that linger, once it has
 * @devices: RDMA devices that have had a session
 * @device_timer: looks whether they are still there
 * @listeners: one an address
 * @status: what clients read of it (beat.c), a page
 * @status_due: systemd was not told how much memory is free, it does not listen
 * @unfenced: sessions that ended, and of which a queue pair may be left
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
	struct clean {
		struct job job;
		struct server *server;
		struct slab_run run;
		int error;
		bool active;
	} clean;
	struct rdma_event_channel *channel;
	sd_event_source *channel_source;
	unsigned int leaving;
	bool deaf;
	struct control *control;
	struct metrics *metrics;
	LIST_HEAD(, client) clients;
	unsigned int client_count;
	LIST_HEAD(, session) sessions;
	LIST_HEAD(, session) dead;
	LIST_HEAD(, session) lingering;
	LIST_HEAD(, device) devices;
	sd_event_source *device_timer;
	LIST_HEAD(, listener) listeners;
	struct farmem_status *status;
	bool status_due;
	unsigned int unfenced;
	bool stopping;
	uint64_t started;
};

#endif /* SERVER_H */
