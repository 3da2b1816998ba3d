// SPDX-License-Identifier: GPL-2.0
/*
 * fabric-way.c - the way to a server as far as this node alone knows it: address, route,
 * RDMA device.  Called by fabric-visit.c, in this order.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attr.h"
#include "fabric.h"
#include "parse.h"

#define RESOLVE_MS	5000

/**
 * way_address() - the server's address, and ours
 * @server: ADDR[:PORT], a host name, or "local"
 * @source: as --source; "": the kernel chooses
 */
int way_address(struct fabric_way *way, const char *server, const char *source)
{
	CLEANUP_FREE char *canonical = NULL;
	CLEANUP_FREE char *from = NULL;

	if (!strcmp(server, "local")) {
		fabric_step("server.address", "ok", NULL, "local is this node's own memory: there is no server to connect to");
		return -1;
	}
	if (address_canonical("doctor", server, &canonical) ||
	    parse_address(canonical, 0, &way->address))
		return fabric_step("server.address", "fail", "give the server's numeric address, ADDR[:PORT] or [IPV6]:PORT",
				   "%s: no such host or port", server);
	getnameinfo((struct sockaddr *)&way->address, sizeof(way->address), way->host,
		    sizeof(way->host), NULL, 0, NI_NUMERICHOST);
	printf("address\t%s\n", way->host);
	if (*source && (address_canonical("doctor", source, &from) ||
			parse_address(from, 0, &way->source)))
		return fabric_step("server.address", "fail", "ip address show", "--source %s is not an address",
				   source);
	/* Any port of ours; it is at the same place in both families. */
	((struct sockaddr_in *)&way->source)->sin_port = 0;
	return fabric_step("server.address", "ok", NULL, "%s", canonical);
}

/* The interface that has this address, to free. */
static char *interface_of(const struct sockaddr_storage *address)
{
	struct ifaddrs *list, *each;
	char *name = NULL;

	if (getifaddrs(&list))
		return NULL;
	for (each = list; each && !name; each = each->ifa_next)
		if (each->ifa_addr && same_host(each->ifa_addr, (struct sockaddr *)address))
			name = text_copy(each->ifa_name);
	freeifaddrs(list);
	return name;
}

/** way_route() - is there a way?  The kernel shows it of a socket that sends nothing */
int way_route(struct fabric_way *way)
{
	struct sockaddr_storage from = { 0 };
	socklen_t length = sizeof(from);
	CLEANUP_FREE char *advice = text_format("ip route get %s", way->host);
	CLEANUP_FREE char *interface = NULL;
	char text[INET6_ADDRSTRLEN + 8] = "";
	int fd = socket(way->address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int error = fd < 0 ? errno : 0;

	if (!error && way->source.ss_family &&
	    bind(fd, (struct sockaddr *)&way->source, sizeof(way->source)))
		error = errno;
	if (!error && connect(fd, (struct sockaddr *)&way->address, sizeof(way->address)))
		error = errno;
	if (!error && getsockname(fd, (struct sockaddr *)&from, &length))
		error = errno;
	if (fd >= 0)
		close(fd);
	if (error)
		return fabric_step("server.route", "fail", advice, "no route to %s: %s", way->host,
				   strerror(error));
	getnameinfo((struct sockaddr *)&from, length, text, sizeof(text), NULL, 0, NI_NUMERICHOST);
	interface = interface_of(&from);
	return fabric_step("server.route", "ok", NULL, "from %s%s%s", text, interface ? ", " : "",
			   interface ? interface : "");
}

static int unresolved(const struct fabric_way *way, int status)
{
	CLEANUP_FREE char *neighbour = text_format("ping %s; ip neighbour show %s", way->host,
						   way->host);

	if (status == -ETIMEDOUT || status == -EHOSTUNREACH)
		return fabric_step("server.resolve", "fail", neighbour, "no node answers ARP or neighbour discovery for %s",
				   way->host);
	if (status == -ENODEV || status == -EADDRNOTAVAIL)
		return fabric_step("server.resolve", "fail", "rdma link    (it must name the interface of server.route, and be ACTIVE)",
				   "the route to %s uses no RDMA device", way->host);
	return fabric_step("server.resolve", "fail", "rdma link", "rdma_cm finds no route to %s: %s",
			   way->host, strerror(-status));
}

/** way_resolve() - the RDMA device on that way */
int way_resolve(struct fabric_way *way)
{
	struct fabric_link *link = &way->link;
	struct sockaddr *source = way->source.ss_family ? (void *)&way->source : NULL;
	struct fabric_event event;
	int ret = link_open(link);

	/* librdmacm's word for no device at all. */
	if (ret == -ENODEV)
		return fabric_step("server.resolve", "fail", "rdma link; ibv_devinfo; ls -l /dev/infiniband",
				   "programs see no RDMA device here: see rdma.devices and rdma.libraries");
	if (ret)
		return fabric_step("server.resolve", "fail", "modprobe rdma_ucm; ls -l /dev/infiniband/rdma_cm",
				   "rdma_cm can't be used: %s", strerror(-ret));
	if (rdma_resolve_addr(link->id, source, (struct sockaddr *)&way->address, RESOLVE_MS))
		return unresolved(way, -errno);
	link_wait(link, RESOLVE_MS + 1000, &event);
	if (event.type != RDMA_CM_EVENT_ADDR_RESOLVED)
		return unresolved(way, event.type < 0 ? -ETIMEDOUT : event.status);
	if (!link->id->verbs)
		return unresolved(way, -ENODEV);
	if (rdma_resolve_route(link->id, RESOLVE_MS))
		return unresolved(way, -errno);
	link_wait(link, RESOLVE_MS + 1000, &event);
	if (event.type != RDMA_CM_EVENT_ROUTE_RESOLVED)
		return unresolved(way, event.type < 0 ? -ETIMEDOUT : event.status);
	return fabric_step("server.resolve", "ok", NULL, "through %s/%u",
			   ibv_get_device_name(link->id->verbs->device), link->id->port_num);
}
