// SPDX-License-Identifier: GPL-2.0
/*
 * cm.c - rdma_cm events and the listeners.
 *
 * Owns the event channel and one listener an address.  An event is copied,
 * acknowledged, and given to the owner of its id: a listener here, or a queue
 * (conn.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cm.h"
#include "device.h"
#include "log.h"
#include "parse.h"
#include "server.h"
#include "util.h"

#define BACKLOG		128
#define RETRY_USEC	5000000

/* One address; @id is NULL while the address's device is away, @retry while it listens. */
struct listener {
	struct cm_handler handler;
	LIST_ENTRY(listener) link;
	struct server *server;
	struct sockaddr_storage addr;
	char name[ADDRESS_TEXT];
	struct rdma_cm_id *id;
	sd_event_source *retry;
};

const char *cm_address_hint(int error)
{
	switch (error) {
	case -EADDRNOTAVAIL:	/* rdma_cm says this of a port that is taken, too */
	case -ENODEV:
		return "no RDMA device has this address ('ip addr', 'rdma link'), or another program has the port";
	case -EADDRINUSE:
		return "another program listens there: choose another port, or stop the other farmemd";
	case -EAFNOSUPPORT:
		return "this machine has no such address family";
	case -EPROTONOSUPPORT:
		return LIMITS_IWARP;
	case -EACCES:
	case -EPERM:
		return "not permitted: run farmemd as root, or let its user open /dev/infiniband/rdma_cm";
	default:
		return "see dmesg";
	}
}

unsigned int cm_addresses(const struct server *server, struct sockaddr_storage addr[])
{
	const struct options *opt = &server->opt;

	if (opt->listen_count) {
		memcpy(addr, opt->listen, opt->listen_count * sizeof(*addr));
		return opt->listen_count;
	}
	parse_address("[::]", FARMEM_DEFAULT_PORT, &addr[0]);
	parse_address("0.0.0.0", FARMEM_DEFAULT_PORT, &addr[1]);
	return 2;
}

/* An id takes one family: whether [::] takes IPv4 too would depend on a sysctl. */
static int cm_bind_id(struct rdma_cm_id *id, struct sockaddr *addr)
{
	int only = 1;

	rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, &only, sizeof(only));
	if (rdma_bind_addr(id, addr))
		return -errno;
	return id->verbs && device_speaks_iwarp(id->verbs) ? -EPROTONOSUPPORT : 0;
}

int cm_probe_address(const struct sockaddr *addr)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();
	struct rdma_cm_id *id;
	int ret;

	if (!channel)
		return -errno;
	ret = rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ? -errno : 0;
	if (!ret) {
		ret = cm_bind_id(id, (struct sockaddr *)addr);
		rdma_destroy_id(id);
	}
	rdma_destroy_event_channel(channel);
	return ret;
}

static int cm_listener_bind(struct listener *listener)
{
	int ret;

	ret = rdma_create_id(listener->server->channel, &listener->id,
			     &listener->handler, RDMA_PS_TCP);
	if (ret)
		return -errno;
	ret = cm_bind_id(listener->id, (struct sockaddr *)&listener->addr);
	/* On an address librdmacm opens its device, on all none. */
	if (!ret && listener->id->verbs && !device_know(listener->server, listener->id->verbs))
		ret = -errno;
	if (ret) {
		rdma_destroy_id(listener->id);
		listener->id = NULL;
	}
	return ret;
}

static int cm_on_retry(sd_event_source *source, uint64_t usec, void *data)
{
	struct listener *listener = data;
	int ret;

	(void)usec;
	/* Its device is known by then, so an id that is bound stays until that goes. */
	ret = listener->id ? 0 : cm_listener_bind(listener);
	if (!ret && rdma_listen(listener->id, BACKLOG))
		ret = -errno;
	if (!ret) {
		log_info("listening on %s again", listener->name);
		listener->retry = sd_event_source_disable_unref(listener->retry);
		return 0;
	}
	log_debug("cannot listen on %s yet: %s", listener->name, strerror(-ret));
	sd_event_source_set_time_relative(source, RETRY_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* The address's device went away: look for it every few seconds. */
static void cm_listener_lost(struct listener *listener)
{
	if (!listener->id)
		return;
	log_warn("not listening on %s any more: its RDMA device is gone; looking for it every %d s",
		 listener->name, RETRY_USEC / 1000000);
	rdma_destroy_id(listener->id);
	listener->id = NULL;
	listener->retry = sd_event_source_disable_unref(listener->retry);
	if (sd_event_add_time_relative(listener->server->event, &listener->retry, CLOCK_MONOTONIC,
				       RETRY_USEC, 0, cm_on_retry, listener) < 0)
		log_err("cannot start a timer: farmemd does not listen on %s again until it restarts",
			listener->name);
}

/* Its device is closed first: the id may be all that keeps librdmacm's context of it. */
static void cm_listener_removed(struct listener *listener)
{
	struct device *device = NULL;

	if (listener->id)
		device = device_find(listener->server, listener->id->verbs);
	if (device)
		device_remove(device);
	cm_listener_lost(listener);
}

static void cm_listener_event(struct cm_handler *handler, const struct cm_event *event)
{
	struct listener *listener = container_of(handler, struct listener, handler);

	switch (event->type) {
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		listener->server->ops->request(listener->server, event);
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		cm_listener_removed(listener);
		break;
	default:
		log_debug("%s: %s (%d)", listener->name, rdma_event_str(event->type),
			  event->status);
	}
}

/* @optional: one of two wildcards, the machine may lack IPv6 or IPv4 */
static int cm_add_listener(struct server *server, const struct sockaddr_storage *addr,
			   bool optional)
{
	struct listener *listener = calloc(1, sizeof(*listener));
	int ret;

	if (!listener)
		return -ENOMEM;
	listener->handler.event = cm_listener_event;
	listener->server = server;
	listener->addr = *addr;
	format_address((struct sockaddr *)addr, listener->name);
	ret = cm_listener_bind(listener);
	if (ret) {
		log_line(optional ? LOG_WARNING : LOG_ERR, NULL, "cannot listen on %s: %s; %s",
			 listener->name, strerror(-ret), cm_address_hint(ret));
		free(listener);
		return ret;
	}
	LIST_INSERT_HEAD(&server->listeners, listener, link);
	return 0;
}

static bool cm_any_device(void)
{
	int count = 0;
	struct ibv_device **list = ibv_get_device_list(&count);

	if (list)
		ibv_free_device_list(list);
	return count;
}

/* A listener of all addresses stays when the last device goes. */
bool cm_is_listening(const struct server *server)
{
	const struct listener *listener;

	LIST_FOREACH(listener, &server->listeners, link)
		if (!listener->id || listener->retry || (!listener->id->verbs && !cm_any_device()))
			return false;
	return true;
}

static int cm_add_listeners(struct server *server)
{
	struct sockaddr_storage addr[OPTIONS_LISTEN_MAX];
	unsigned int count = cm_addresses(server, addr);
	bool optional = !server->opt.listen_count;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < count && (!ret || optional); i++)
		ret = cm_add_listener(server, &addr[i], optional);
	if (!optional)
		return ret;
	if (!LIST_EMPTY(&server->listeners))
		return 0;
	return ret;
}

static void cm_dispatch(struct rdma_cm_event *from)
{
	struct cm_event event = {
		.type = from->event,
		.status = from->status,
		.id = from->id,
		.responder_resources = from->param.conn.responder_resources,
		.len = from->param.conn.private_data_len,
	};
	struct cm_handler *handler;

	handler = (from->listen_id ? from->listen_id : from->id)->context;
	if (event.len && from->param.conn.private_data)
		memcpy(event.data, from->param.conn.private_data, event.len);
	else
		event.len = 0;
	rdma_ack_cm_event(from);
	handler->event(handler, &event);
}

static int cm_on_events(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct server *server = data;
	struct rdma_cm_event *event;

	(void)source;
	(void)fd;
	(void)events;
	if (!rdma_get_cm_event(server->channel, &event))
		cm_dispatch(event);
	return 0;
}

int cm_open(struct server *server)
{
	int flags, ret;

	/* With it libibverbs says that what a removed adapter refused (EIO) is done. */
	unsetenv("RDMAV_ALLOW_DISASSOC_DESTROY");
	server->channel = rdma_create_event_channel();
	if (!server->channel) {
		ret = -errno;
		log_err("rdma_cm: %s; %s", strerror(-ret), ret == -ENODEV ?
			"there is no RDMA device: see 'rdma link'; for soft-RoCE 'rdma link add rxe0 type rxe netdev eth0'" :
			"is the module rdma_ucm loaded?");
		return ret;
	}
	flags = fcntl(server->channel->fd, F_GETFL);
	if (fcntl(server->channel->fd, F_SETFL, flags | O_NONBLOCK))
		return -errno;
	ret = sd_event_add_io(server->event, &server->channel_source, server->channel->fd,
			      EPOLLIN, cm_on_events, server);
	return ret < 0 ? ret : cm_add_listeners(server);
}

int cm_listen(struct server *server)
{
	struct listener *listener;

	LIST_FOREACH(listener, &server->listeners, link) {
		if (rdma_listen(listener->id, BACKLOG)) {
			int ret = -errno;

			log_err("cannot listen on %s: %s; %s", listener->name, strerror(-ret),
				cm_address_hint(ret));
			return ret;
		}
		log_info("listening on %s", listener->name);
	}
	return 0;
}

void cm_hear(struct server *server, bool on)
{
	server->deaf = !on;
	sd_event_source_set_enabled(server->channel_source, on ? SD_EVENT_ON : SD_EVENT_OFF);
}

void cm_close(struct server *server)
{
	struct listener *listener;

	while ((listener = LIST_FIRST(&server->listeners))) {
		LIST_REMOVE(listener, link);
		if (listener->id)
			rdma_destroy_id(listener->id);
		sd_event_source_disable_unref(listener->retry);
		free(listener);
	}
	sd_event_source_disable_unref(server->channel_source);
	if (server->channel)
		rdma_destroy_event_channel(server->channel);
}

void cm_forget_device(struct server *server, struct ibv_context *verbs)
{
	struct listener *listener;

	LIST_FOREACH(listener, &server->listeners, link)
		if (listener->id && listener->id->verbs == verbs)
			cm_listener_lost(listener);
}
