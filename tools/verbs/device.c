// SPDX-License-Identifier: GPL-2.0
/*
 * A device is an adapter; it has ports; a port has a LID, given by the subnet manager
 * of an InfiniBand fabric, and a table of GIDs.  On RoCE the LID is 0 and the GIDs are
 * the port's IP addresses, each of them twice where the adapter speaks both versions:
 * RoCE v1 is Ethernet alone, v2 is UDP over IP and what everybody uses.  A queue pair
 * is told by index which GID is its source address: the index counts rows of this
 * node's own table, so it need not be the same at both ends.
 */
#include "device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "trouble.h"

#define GIDS_MAX 1024

/* The GID that an IP address has on RoCE: IPv4 in the form ::ffff:10.0.0.1. */
static union ibv_gid gid_of(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *six = (const void *)address;
	const struct sockaddr_in *four = (const void *)address;
	union ibv_gid gid = { .raw = { [10] = 0xff, [11] = 0xff } };

	if (address->ss_family == AF_INET6)
		memcpy(gid.raw, &six->sin6_addr, sizeof(gid.raw));
	else
		memcpy(gid.raw + 12, &four->sin_addr, 4);
	return gid;
}

/**
 * device_gid_text() - a GID as an IPv6 address is written
 * @gid: the GID
 * @text: gets it, GID_TEXT bytes
 *
 * Return: @text.
 */
const char *device_gid_text(const union ibv_gid *gid, char *text)
{
	return inet_ntop(AF_INET6, gid->raw, text, GID_TEXT);
}

static const char *type_name(unsigned int type)
{
	switch (type) {
	case IBV_GID_TYPE_ROCE_V2:
		return "RoCE v2";
	case IBV_GID_TYPE_ROCE_V1:
		return "RoCE v1";
	default:
		return "InfiniBand";
	}
}

/* All GIDs of all ports, to free; *@count of them. */
static struct ibv_gid_entry *gid_table(struct ibv_context *context, size_t *count)
{
	struct ibv_gid_entry *table = calloc(GIDS_MAX, sizeof(*table));
	ssize_t found = table ? ibv_query_gid_table(context, table, GIDS_MAX, 0) : 0;

	*count = found > 0 ? found : 0;
	return table;
}

static void print_gids(const char *name, struct ibv_context *context)
{
	char text[GID_TEXT];
	size_t i, count;
	struct ibv_gid_entry *table = gid_table(context, &count);

	for (i = 0; i < count; i++)
		fprintf(stderr, "  %s port %u GID index %u: %s, %s\n", name, table[i].port_num,
			table[i].gid_index, device_gid_text(&table[i].gid, text),
			type_name(table[i].gid_type));
	if (!count)
		fprintf(stderr, "  %s has no GID at all\n", name);
	free(table);
}

/**
 * struct choice - what device_open() looks for
 * @gid: that of the address in use
 * @options: what the user insists on
 */
struct choice {
	union ibv_gid gid;
	const struct options *options;
};

static bool is_address(const struct ibv_gid_entry *entry, const struct choice *choice)
{
	return !memcmp(&entry->gid, &choice->gid, sizeof(choice->gid));
}

static bool fits(const struct ibv_gid_entry *entry, const struct choice *choice)
{
	const struct options *options = choice->options;

	if (options->ib_port != AUTO && entry->port_num != options->ib_port)
		return false;
	if (options->gid_index != AUTO)
		return entry->gid_index == options->gid_index;
	return is_address(entry, choice);
}

/* A row by its number is one of the port in use, unless another device was named. */
static bool has_address(const struct ibv_gid_entry *table, size_t count, unsigned int port,
			const struct choice *choice)
{
	size_t i;

	if (choice->options->device)
		return true;
	for (i = 0; i < count; i++)
		if (table[i].port_num == port && is_address(&table[i], choice))
			return true;
	return false;
}

/* RoCE v2 first, whatever the order of the table. */
static bool choose_gid(struct device *device, const struct choice *choice)
{
	size_t i, count;
	struct ibv_gid_entry *table = gid_table(device->context, &count);
	const struct ibv_gid_entry *best = NULL;

	for (i = 0; i < count; i++)
		if (fits(&table[i], choice) &&
		    has_address(table, count, table[i].port_num, choice) &&
		    (!best || table[i].gid_type == IBV_GID_TYPE_ROCE_V2))
			best = &table[i];
	if (best) {
		device->port = best->port_num;
		device->gid_index = best->gid_index;
		device->gid = best->gid;
	}
	free(table);
	return best;
}

/* InfiniBand's GIDs are no IP addresses: there, the first port that is up will do. */
static bool choose_infiniband(struct device *device, const struct choice *choice)
{
	unsigned int port = choice->options->ib_port == AUTO ? 1 : choice->options->ib_port;
	unsigned int index = choice->options->gid_index == AUTO ? 0 : choice->options->gid_index;

	for (; port <= device->attr.phys_port_cnt; port++) {
		if (ibv_query_port(device->context, port, &device->port_attr) ||
		    device->port_attr.link_layer != IBV_LINK_LAYER_INFINIBAND)
			continue;
		if (device->port_attr.state == IBV_PORT_ACTIVE &&
		    !ibv_query_gid(device->context, port, index, &device->gid)) {
			device->port = port;
			device->gid_index = index;
			return true;
		}
		if (choice->options->ib_port != AUTO)
			break;
	}
	return false;
}

static bool open_one(struct device *device, struct ibv_device *found)
{
	snprintf(device->name, sizeof(device->name), "%s", ibv_get_device_name(found));
	device->context = ibv_open_device(found);
	if (!device->context)
		return false;
	device->own = true;
	return !ibv_query_device(device->context, &device->attr);
}

/* Whether the device at hand is the one, in which case it stays open. */
static bool try(struct device *device, struct ibv_device *found, const struct choice *choice,
		bool (*choose)(struct device *device, const struct choice *choice))
{
	const char *wanted = choice->options->device;

	if (wanted && strcmp(wanted, ibv_get_device_name(found)))
		return false;
	if (open_one(device, found) && choose(device, choice))
		return true;
	device_close(device);
	return false;
}

static int no_device(void)
{
	trouble("this node has no RDMA device");
	trouble_advice("rdma link; for an adapter in software: modprobe rdma_rxe && rdma link add rxe0 type rxe netdev eth0");
	return -1;
}

static bool named(struct ibv_device **list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(ibv_get_device_name(*list), name))
			return true;
	return false;
}

/* What was wrong with the user's choice, or the address. */
static void say_why(struct ibv_device **list, const struct options *options, const char *address)
{
	if (options->device && !named(list, options->device))
		trouble("there is no RDMA device %s", options->device);
	else if (options->gid_index != AUTO && options->ib_port != AUTO)
		trouble("no device has port %u with GID index %u", options->ib_port,
			options->gid_index);
	else if (options->gid_index != AUTO && options->device)
		trouble("%s has no GID index %u", options->device, options->gid_index);
	else if (options->gid_index != AUTO)
		trouble("no port with the address %s has GID index %u", address,
			options->gid_index);
	else if (options->ib_port != AUTO)
		trouble("no device has a port %u with the address %s", options->ib_port, address);
	else
		trouble("no RDMA device has the address %s", address);
}

static int no_gid(struct ibv_device **list, const struct options *options,
		  const struct sockaddr_storage *address)
{
	char text[TALK_ADDRESS];
	struct device device;

	say_why(list, options, talk_address_text(address, text));
	for (; *list; list++) {
		memset(&device, 0, sizeof(device));
		if (open_one(&device, *list))
			print_gids(device.name, device.context);
		device_close(&device);
	}
	if (options->device || options->gid_index != AUTO || options->ib_port != AUTO)
		trouble_advice("leave out --device, --ib-port and --gid-index: farmem-verbs then uses those of the address in use");
	else
		trouble_advice("name the server by an address of its RDMA network, as listed above at its end; or use --gid-index N");
	return -1;
}

static const char *state_name(enum ibv_port_state state)
{
	return ibv_port_state_str(state);
}

static int check_port(struct device *device)
{
	if (ibv_query_port(device->context, device->port, &device->port_attr))
		return trouble_verbs("asking for port %u of %s", device->port, device->name);
	if (device->port_attr.state == IBV_PORT_ACTIVE)
		return 0;
	trouble("port %u of %s is not active; its state is %s", device->port, device->name,
		state_name(device->port_attr.state));
	if (device->port_attr.link_layer == IBV_LINK_LAYER_ETHERNET)
		trouble_advice("rdma link show %s; then ip link set dev NETDEV up", device->name);
	else
		trouble_advice("ibstat %s: is the cable in, does a subnet manager (opensm) run?",
			       device->name);
	return -1;
}

/**
 * device_open() - choose the device, its port and its GID
 * @device: to fill; zeroed
 * @options: with what the user insists on
 * @address: this end's address of the control connection, which decides the rest
 *
 * Return: 0 or -1.
 */
int device_open(struct device *device, const struct options *options,
		const struct sockaddr_storage *address)
{
	struct choice choice = { .gid = gid_of(address), .options = options };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device **each;
	bool found = false;

	if (!list || !*list) {
		if (list)
			ibv_free_device_list(list);
		return no_device();
	}
	for (each = list; *each && !found; each++)
		found = try(device, *each, &choice, choose_gid);
	for (each = list; *each && !found; each++)
		found = try(device, *each, &choice, choose_infiniband);
	if (!found)
		no_gid(list, options, address);
	ibv_free_device_list(list);
	return found ? check_port(device) : -1;
}

/**
 * device_adopt() - take the device that rdma_cm, or another process, has chosen
 * @device: to fill; zeroed
 * @context: the open device
 * @port: its port
 * @gid: the source address on it
 *
 * Return: 0 or -1.
 */
int device_adopt(struct device *device, struct ibv_context *context, uint8_t port,
		 const union ibv_gid *gid)
{
	size_t i, count;
	struct ibv_gid_entry *table = gid_table(context, &count);
	bool found = false;

	device->context = context;
	device->port = port;
	device->gid = *gid;
	snprintf(device->name, sizeof(device->name), "%s", ibv_get_device_name(context->device));
	/* It may be there twice, once for each version of RoCE; v2 is what rdma_cm uses. */
	for (i = 0; i < count; i++) {
		if (table[i].port_num != port || memcmp(&table[i].gid, gid, sizeof(*gid)) ||
		    (found && table[i].gid_type != IBV_GID_TYPE_ROCE_V2))
			continue;
		device->gid_index = table[i].gid_index;
		found = true;
	}
	free(table);
	if (ibv_query_device(context, &device->attr))
		return trouble_verbs("asking what %s can do", device->name);
	return check_port(device);
}

/**
 * device_mtu() - the largest packet of the port, in bytes
 * @device: opened
 *
 * An MTU travels as a number of its own: 1 is 256 bytes, 5 is 4096.
 */
unsigned int device_mtu(const struct device *device)
{
	return 128u << device->port_attr.active_mtu;
}

/**
 * device_describe() - "rxe0 port 1, GID index 1 (::ffff:10.0.0.1), LID 0, MTU 4096"
 * @device: opened
 * @text: gets it
 * @size: of @text
 */
void device_describe(const struct device *device, char *text, size_t size)
{
	char gid[GID_TEXT];

	snprintf(text, size, "%s port %u, GID index %u (%s), LID %u, MTU %u", device->name,
		 device->port, device->gid_index, device_gid_text(&device->gid, gid),
		 device->port_attr.lid, device_mtu(device));
}

/* What is no news: a queue pair that was flushed, a connection that works. */
static bool is_trouble(enum ibv_event_type type)
{
	return type != IBV_EVENT_COMM_EST && type != IBV_EVENT_SQ_DRAINED &&
	       type != IBV_EVENT_QP_LAST_WQE_REACHED && type != IBV_EVENT_PORT_ACTIVE;
}

/**
 * device_events() - explain the asynchronous events that have come
 * @device: the device
 *
 * What belongs to no work request arrives here: a port that goes down, a queue
 * pair that a peer broke.  Each event must be acknowledged, or what it is about
 * cannot be destroyed.
 */
void device_events(const struct device *device)
{
	struct pollfd look = { .events = POLLIN };
	struct ibv_async_event event;

	if (!device->context)
		return;
	look.fd = device->context->async_fd;
	while (poll(&look, 1, 0) == 1 && !ibv_get_async_event(device->context, &event)) {
		if (is_trouble(event.event_type))
			trouble_explain(EXPLAIN_ASYNC, event.event_type, "%s", device->name);
		ibv_ack_async_event(&event);
	}
}

/**
 * device_close() - what device_open() or device_adopt() took
 * @device: opened, or all zeros
 */
void device_close(struct device *device)
{
	if (device->context && device->own)
		ibv_close_device(device->context);
	device->context = NULL;
	device->own = false;
}
