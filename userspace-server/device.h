/* SPDX-License-Identifier: GPL-2.0 */
/* device.h - an RDMA device that librdmacm has opened */
#ifndef DEVICE_H
#define DEVICE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <systemd/sd-event.h>

#include "device-limits.h"
#include "job-queue.h"

struct conn;
struct server;

/**
 * struct farewell - peers that are being told that their connections are over
 * @job: the closer's
 * @waiting: connections of which the peer is not told yet
 * @said: those that it has told in this step
 * @all: the device goes: do not wait for ports
 * @more: it stopped for others, and there is more to do
 * @busy: all the above is the closer's
 */
struct farewell {
	struct job job;
	LIST_HEAD(, conn) waiting;
	LIST_HEAD(, conn) said;
	bool all;
	bool more;
	bool busy;
};

/**
 * struct device - one adapter, and what sessions on it share
 * @link: the server's list
 * @server: back pointer
 * @verbs: librdmacm's context of the device
 * @keeper: a connection that is over, whose id keeps that context; NULL: an id that is in
 *	use does, or a listener's
 * @sysfs: a file of the kernel's about it, held open; -1: there is none
 * @channel: completion events of all sessions' CQs; NULL: there was none yet, nor
 *	are @completions, @async and @limits set
 * @completions: @channel in the loop
 * @async: the device's own events in the loop
 * @limits: what the device can have
 * @unfit: why it was refused, if it was
 * @qps: queue pairs that exist, or that are being made
 * @users: sessions, dead ones too until their memory is deregistered; for ever if
 *	one lingers
 * @parked: connections whose peers will be told that they are over
 * @farewell: those whose peers are being told
 * @gone: being removed; goes with its last user
 */
struct device {
	LIST_ENTRY(device) link;
	struct server *server;
	struct ibv_context *verbs;
	struct conn *keeper;
	int sysfs;
	struct ibv_comp_channel *channel;
	sd_event_source *completions;
	sd_event_source *async;
	struct limits limits;
	char unfit[LIMITS_TEXT];
	unsigned int qps;
	unsigned int users;
	LIST_HEAD(, conn) parked;
	struct farewell farewell;
	bool gone;
};

/**
 * device_know() - the device of an id of librdmacm's, used or not
 * @server: whose list has it from now on
 * @verbs: an id's; librdmacm has one for each device
 *
 * From now on its removal is noticed, and its context is closed then.  The kernel keeps a
 * soft device for as long as a context of it is open.  librdmacm frees the context of a
 * removed device with the last id on it: an id has to stay until device_put() or
 * device_remove() has closed it.
 *
 * Return: the device, or NULL with errno set.
 */
struct device *device_know(struct server *server, struct ibv_context *verbs);

/* device_find() - the device of an id of librdmacm's that is known; NULL if it is not */
struct device *device_find(const struct server *server, const struct ibv_context *verbs);

/**
 * device_get() - the device of a connection request, with one more user
 * @server: as for device_know()
 * @verbs: of the request
 * @why: set if there is none, in words
 *
 * Return: the device, or NULL.
 */
struct device *device_get(struct server *server, struct ibv_context *verbs, const char **why);

/* device_speaks_iwarp() - it cannot be used for that reason, whatever its limits are */
bool device_speaks_iwarp(const struct ibv_context *verbs);

/* device_lacks() - device_limits_lack() of this device */
const char *device_lacks(const struct device *device, enum limit limit, int error,
			 char text[LIMITS_TEXT]);

/* device_is_present() - does the kernel still have the device? */
bool device_is_present(const struct device *device);

/**
 * device_is_removed() - has the kernel taken down all that the device had?
 * @device: opened, used or not
 *
 * The kernel removes a device in this order: its verbs node, then every command gives EIO,
 * then queue pairs and registrations go, then the device itself.  So EIO alone does not
 * tell that a queue pair is gone; that the device is gone does.
 *
 * Return: false if that cannot be found out.
 */
bool device_is_removed(const struct device *device);

/* device_put() - a user is done */
void device_put(struct device *device);

/**
 * device_remove() - the device is going away: server_ops.removed() follows
 * @device: in use or not; nothing is done if it goes already
 *
 * The device itself goes with its last user.
 */
void device_remove(struct device *device);

/* device_close_all() - at exit, when neither session nor connection is left but keepers */
void device_close_all(struct server *server);

#endif /* DEVICE_H */
