// SPDX-License-Identifier: GPL-2.0
/*
 * device.c - RDMA devices: their events, their limits, their removal.
 *
 * Owns struct device.  Called by cm.c and admit.c for each id of librdmacm's, by session.c,
 * by watch.c, and by the loop for completions and asynchronous events.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "descriptors.h"
#include "device.h"
#include "explain.h"
#include "log.h"
#include "server.h"

/* Of a path in sysfs, with one more name. */
#define PATH_SIZE	(IBV_SYSFS_PATH_MAX + IBV_SYSFS_NAME_MAX + 16)

static struct log_limit troubles = { .what = "events of RDMA devices" };
static struct log_limit unfit = { .what = "connections through an unfit RDMA device" };

static const char *device_name(const struct device *device)
{
	return ibv_get_device_name(device->verbs->device);
}

static int device_set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) ? -errno : 0;
}

static int device_on_completions(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct device *device = data;
	void *context;
	struct ibv_cq *cq;

	(void)source;
	(void)fd;
	(void)events;
	if (ibv_get_cq_event(device->channel, &cq, &context))
		return 0;
	ibv_ack_cq_events(cq, 1);
	device->server->ops->completed(context);
	return 0;
}

/* The session that ends with this event: its queue pair or completion queue has failed. */
static struct session *device_event_session(const struct ibv_async_event *event)
{
	switch (event->event_type) {
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
		return event->element.qp->qp_context;
	case IBV_EVENT_CQ_ERR:
		return event->element.cq->cq_context;
	default:
		return NULL;
	}
}

/* Events by which connections end, or will when their retries are used up. */
static bool device_is_trouble(enum ibv_event_type type)
{
	return type == IBV_EVENT_DEVICE_FATAL || type == IBV_EVENT_PORT_ERR ||
	       type == IBV_EVENT_LID_CHANGE || type == IBV_EVENT_PKEY_CHANGE;
}

static void device_log_event(const struct device *device, enum ibv_event_type type)
{
	const struct explain *entry = explain_find(EXPLAIN_ASYNC, type);

	if (entry && device_is_trouble(type) && log_limit(&troubles, clock_seconds()))
		log_warn("%s: %s: check %s", device_name(device), entry->words, entry->check);
	else
		log_debug("%s: %s", device_name(device), ibv_event_type_str(type));
}

static int device_on_async(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct device *device = data;
	struct ibv_async_event event;
	struct session *session;

	(void)source;
	(void)fd;
	(void)events;
	if (ibv_get_async_event(device->verbs, &event))
		return 0;
	session = device_event_session(&event);
	if (!session)
		device_log_event(device, event.event_type);
	/* Destroying a queue pair waits until its events are acknowledged. */
	ibv_ack_async_event(&event);
	if (session)
		device->server->ops->failed(session, &event);
	else if (event.event_type == IBV_EVENT_DEVICE_FATAL)
		device_remove(device);
	return 0;
}

static int device_attach(struct device *device)
{
	struct ibv_device_attr attr;
	int ret;

	ret = ibv_query_device(device->verbs, &attr);
	if (ret)
		return -ret;
	device_limits_of(device_speaks_iwarp(device->verbs), &attr, &device->limits);
	if (device_limits_unfit(&device->limits, device->server->pool.slab_size, device->unfit)) {
		if (log_limit(&unfit, clock_seconds()))
			log_err("%s: refused, %s", device_name(device), device->unfit);
		return -EOPNOTSUPP;
	}
	device->channel = ibv_create_comp_channel(device->verbs);
	if (!device->channel)
		return -errno;
	ret = device_set_nonblocking(device->channel->fd);
	if (!ret)
		ret = device_set_nonblocking(device->verbs->async_fd);
	if (!ret)
		ret = sd_event_add_io(device->server->event, &device->completions,
				      device->channel->fd, EPOLLIN, device_on_completions, device);
	if (ret >= 0)
		ret = sd_event_add_io(device->server->event, &device->async,
				      device->verbs->async_fd, EPOLLIN, device_on_async, device);
	return ret < 0 ? ret : 0;
}

static void device_detach(struct device *device)
{
	device->completions = sd_event_source_disable_unref(device->completions);
	device->async = sd_event_source_disable_unref(device->async);
	if (device->channel)
		ibv_destroy_comp_channel(device->channel);
	device->channel = NULL;
}

bool device_speaks_iwarp(const struct ibv_context *verbs)
{
	return verbs->device->transport_type == IBV_TRANSPORT_IWARP;
}

/* Of the path of sysfs's class "infiniband", in that of the device. */
static int device_class_length(const struct ibv_device *of)
{
	const char *slash = strrchr(of->ibdev_path, '/');

	return slash ? slash - of->ibdev_path : 0;
}

/* The device's folder in the class of verbs nodes; there its name never changes. */
static void device_node_path(const struct ibv_device *of, const char *file, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "%.*s_verbs/%s%s", device_class_length(of), of->ibdev_path,
		 of->dev_name, file);
}

/* What it is called now; libibverbs knows what it was called when it was listed first. */
static bool device_read_name(const struct ibv_device *of, char name[IBV_SYSFS_NAME_MAX])
{
	char path[PATH_SIZE];
	ssize_t len;
	int fd;

	device_node_path(of, "/ibdev", path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, name, IBV_SYSFS_NAME_MAX - 1);
	if (fd >= 0)
		close(fd);
	name[len < 0 ? 0 : len] = '\0';
	name[strcspn(name, "\n")] = '\0';
	return *name;
}

/* Return: a file of the device, or -1: it is not there, or got another name meanwhile. */
static int device_open_by_name(const struct ibv_device *of)
{
	char name[IBV_SYSFS_NAME_MAX], now[IBV_SYSFS_NAME_MAX], path[PATH_SIZE];
	int fd;

	if (!device_read_name(of, name))
		return -1;
	snprintf(path, sizeof(path), "%.*s/%s/node_type", device_class_length(of), of->ibdev_path,
		 name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || (device_read_name(of, now) && !strcmp(now, name)))
		return fd;
	close(fd);
	return -1;
}

/*
 * A file of the device's own, held open, is this device's alone.  It gives ENODEV once the
 * kernel has deleted the device, and a path would not tell: a device that was reset comes
 * back under the same name, and one that lives may get another name.
 */
static int device_open_sysfs(const struct ibv_device *of)
{
	int fd = device_open_by_name(of);

	if (fd < 0)
		fd = device_open_by_name(of);
	if (fd < 0)
		log_warn("%s: its files in /sys/class/infiniband cannot be opened: when it is removed, farmemd will not know when its memory is free",
			 of->name);
	return fd;
}

/* Of one that the server's list had. */
static void device_leave(struct device *device)
{
	LIST_REMOVE(device, link);
	device_detach(device);
	if (device->sysfs >= 0)
		close(device->sysfs);
}

struct device *device_find(const struct server *server, const struct ibv_context *verbs)
{
	struct device *device;

	LIST_FOREACH(device, &server->devices, link)
		if (device->verbs == verbs)
			return device;
	return NULL;
}

struct device *device_know(struct server *server, struct ibv_context *verbs)
{
	struct device *device = device_find(server, verbs);

	if (device)
		return device;
	device = calloc(1, sizeof(*device));
	if (!device)
		return NULL;
	device->server = server;
	device->verbs = verbs;
	device->sysfs = device_open_sysfs(verbs->device);
	LIST_INSERT_HEAD(&server->devices, device, link);
	return device;
}

struct device *device_get(struct server *server, struct ibv_context *verbs, const char **why)
{
	struct device *device = device_know(server, verbs);
	int ret;

	if (!device) {
		*why = strerror(errno);
		return NULL;
	}
	/* descriptors_cut() closes its files when it goes: it takes no new user. */
	if (device->gone) {
		*why = strerror(ENODEV);
		return NULL;
	}
	if (!device->channel) {
		*device->unfit = '\0';
		ret = device_attach(device);
		if (ret) {
			device_detach(device);
			*why = *device->unfit ? device->unfit : strerror(-ret);
			return NULL;
		}
		log_info("%s: in use, %" PRIu64 " queue pairs, %u reads each at a time",
			 device_name(device), device->limits.most[LIMIT_QP],
			 device->limits.reads);
	}
	device->users++;
	return device;
}

static void device_free(struct device *device)
{
	log_info("%s: closed", device_name(device));
	device_leave(device);
	descriptors_cut(device->verbs);
	device->server->ops->closed(device);
	free(device);
}

void device_put(struct device *device)
{
	if (!--device->users && device->gone)
		device_free(device);
}

void device_remove(struct device *device)
{
	if (device->gone)
		return;
	log_warn("%s: is being removed; closing its sessions", device_name(device));
	device->gone = true;
	device->users++;
	device->server->ops->removed(device);
}

/* The keepers' ids go with the process: nothing waits for them. */
void device_close_all(struct server *server)
{
	struct device *device;

	while ((device = LIST_FIRST(&server->devices))) {
		device_leave(device);
		free(device);
	}
}

const char *device_lacks(const struct device *device, enum limit limit, int error,
			 char text[LIMITS_TEXT])
{
	return device_limits_lack(&device->limits, limit, device_name(device), error, text);
}

/* The first thing that the kernel takes away is the device's verbs node. */
bool device_is_present(const struct device *device)
{
	char path[PATH_SIZE];

	device_node_path(device->verbs->device, "", path);
	return !access(path, F_OK);
}

bool device_is_removed(const struct device *device)
{
	char text[32];

	return device->sysfs >= 0 && pread(device->sysfs, text, sizeof(text), 0) < 0 &&
	       errno == ENODEV;
}
