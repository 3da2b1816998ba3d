// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-port.c - the ports: their state, their MTU, their addresses.
 *
 * Each check says a line for each port.  One that is not fit for use fails only if
 * none is: an adapter with an empty second socket is a healthy one.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "checks.h"
#include "doctor-fabric.h"
#include "finding.h"
#include "interface.h"
#include "rdma-port.h"

/* The packets of RDMA and their headers fit into an interface's MTU of that much. */
#define MTU_FOR_4096	4500
#define MTU_LOWEST	1024
#define GIDS_SHOWN	16
#define GIDS_MAX	65536

static bool is_active(const struct rdma_port *port)
{
	return !strcmp(port->state, "ACTIVE");
}

/* Call @say for each port; WARN if another port is fit, FAIL if none is. */
static void each_port(struct doctor *doctor, bool (*fit)(const struct rdma_port *port),
		      void (*say)(struct doctor *doctor, const struct rdma_port *port,
				  enum verdict bad))
{
	enum verdict bad = VERDICT_FAIL;
	struct rdma_port *ports;
	size_t count, i;

	ports = rdma_ports(&count);
	for (i = 0; i < count; i++)
		if (fit(&ports[i]))
			bad = VERDICT_WARN;
	for (i = 0; i < count; i++)
		say(doctor, &ports[i], bad);
	if (!count)
		doctor_say(doctor, VERDICT_SKIPPED, "there is no port");
	rdma_ports_free(ports, count);
}

/* An InfiniBand port waits for its subnet manager, an Ethernet one for its interface. */
static void help_port(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	bool linked = !strcmp(port->physical, "LinkUp");

	if (rdma_port_is(port, "InfiniBand") && linked) {
		doctor_advise(doctor, "no subnet manager has set the port up; on one node of the fabric: systemctl start opensm");
	} else if (rdma_port_is(port, "InfiniBand")) {
		doctor_advise(doctor, "no link: cable, transceiver, switch port; ibstat %s", port->device);
	} else if (port->netdev) {
		/* One that nothing depends on may be down because somebody wants it so. */
		if (bad == VERDICT_FAIL)
			doctor_repair(doctor, "ip", "link", "set", port->netdev, "up", NULL);
		else
			doctor_advise(doctor, "ip link set %s up    (if it is to be used)",
				      port->netdev);
		doctor_advise(doctor, "if that does not help: cable, transceiver, switch port; ip -d link show %s",
			      port->netdev);
	} else {
		doctor_advise(doctor, "rdma link    (which interface it stands on); ip link set INTERFACE up");
	}
}

static void say_state(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	doctor_say(doctor, is_active(port) ? VERDICT_OK : bad, "%s/%u: %s, %s, %s, %s%s%s",
		   port->device, port->number, port->state, port->physical, port->layer,
		   port->rate, port->netdev ? ", on " : "", port->netdev ? port->netdev : "");
	if (!is_active(port))
		help_port(doctor, port, bad);
}

void check_rdma_ports(struct doctor *doctor)
{
	each_port(doctor, is_active, say_state);
}

static bool always(const struct rdma_port *port)
{
	(void)port;
	return true;
}

static void say_mtu(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	unsigned int largest = 0;
	unsigned int mtu = doctor_fabric_mtu(doctor, port->device, port->number, &largest);
	bool ethernet = rdma_port_is(port, "Ethernet") && port->netdev && largest >= 4096;

	if (!mtu) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s/%u: farmem-fabric does not tell",
			   port->device, port->number);
		doctor_advise(doctor, "ibv_devinfo -d %s | grep mtu", port->device);
	} else if (mtu < MTU_LOWEST) {
		doctor_say(doctor, bad, "%s/%u: %u bytes in a packet: %u packets for a page",
			   port->device, port->number, mtu, 4096 / mtu);
		if (ethernet)
			doctor_advise(doctor, "ip link set %s mtu %d    (and on the switch and the other node)",
				      port->netdev, MTU_FOR_4096);
		else if (rdma_port_is(port, "InfiniBand"))
			doctor_advise(doctor, "smpquery portinfo -D 0 1 | grep -i mtu    (the subnet manager sets the smaller one of a link's two ends)");
		else
			doctor_advise(doctor, "ibv_devinfo -d %s | grep mtu; ip link show    (the MTU of its interface)",
				      port->device);
	} else if (mtu < 4096 && ethernet) {
		doctor_say(doctor, VERDICT_OK,
			   "%s/%u: %u bytes in a packet; a page needs one alone with ip link set %s mtu %d here, there and on the switch",
			   port->device, port->number, mtu, port->netdev, MTU_FOR_4096);
	} else {
		doctor_say(doctor, VERDICT_OK, "%s/%u: %u bytes in a packet", port->device,
			   port->number, mtu);
	}
}

void check_rdma_mtu(struct doctor *doctor)
{
	each_port(doctor, always, say_mtu);
}

/* An entry of a port's table of addresses. */
struct gid {
	struct in6_addr address;
	char *type;		/* "RoCE v2"; NULL if sysfs does not tell */
};

/* Is there a GID in that place?  One that is not in use is all zeros, or an error. */
static bool read_gid(const struct rdma_port *port, unsigned int index, struct gid *gid)
{
	CLEANUP_FREE char *name = text_format("gids/%u", index);
	CLEANUP_FREE char *type = text_format("gid_attrs/types/%u", index);
	CLEANUP_FREE char *text = rdma_port_attr(port, name);

	gid->type = NULL;
	if (!text || inet_pton(AF_INET6, text, &gid->address) != 1 ||
	    IN6_IS_ADDR_UNSPECIFIED(&gid->address))
		return false;
	gid->type = rdma_port_attr(port, type);
	return true;
}

static bool has_entry(const struct rdma_port *port, unsigned int index)
{
	return !file_missing("%s/class/infiniband/%s/ports/%u/gids/%u", sysfs_root(),
			     port->device, port->number, index);
}

static void print_gid(const struct gid *gid, unsigned int index, char **list)
{
	CLEANUP_FREE char *before = *list;
	char text[INET6_ADDRSTRLEN];

	if (IN6_IS_ADDR_V4MAPPED(&gid->address))
		inet_ntop(AF_INET, &gid->address.s6_addr[12], text, sizeof(text));
	else
		inet_ntop(AF_INET6, &gid->address, text, sizeof(text));
	*list = text_format("%s%s%u %s%s%s", before ? before : "", before ? ", " : "", index, text,
			    gid->type ? " " : "", gid->type ? gid->type : "");
}

/* What a port's table has in it. */
struct table_sum {
	unsigned int all;
	unsigned int roce2;	/* RoCE v2 */
	unsigned int routed;	/* of these: of an address that is not link-local */
	char *list;		/* the first of them, those that serve before others, to free */
};

enum rank { RANK_ROUTED, RANK_ROCE2, RANK_OTHER, RANKS };

static enum rank rank_of(const struct gid *gid)
{
	if (!gid->type || strcmp(gid->type, "RoCE v2"))
		return RANK_OTHER;
	return IN6_IS_ADDR_LINKLOCAL(&gid->address) ? RANK_ROCE2 : RANK_ROUTED;
}

/* Those of one rank; how many there are. */
static unsigned int list_rank(const struct rdma_port *port, enum rank rank, struct table_sum *sum)
{
	unsigned int count = 0;
	struct gid gid;
	unsigned int i;

	for (i = 0; i < GIDS_MAX && has_entry(port, i); i++) {
		if (!read_gid(port, i, &gid))
			continue;
		if (rank_of(&gid) == rank) {
			count++;
			if (sum->all++ < GIDS_SHOWN)
				print_gid(&gid, i, &sum->list);
		}
		free(gid.type);
	}
	return count;
}

static void sum_up(const struct rdma_port *port, struct table_sum *sum)
{
	*sum = (struct table_sum){ 0 };
	sum->routed = list_rank(port, RANK_ROUTED, sum);
	sum->roce2 = sum->routed + list_rank(port, RANK_ROCE2, sum);
	list_rank(port, RANK_OTHER, sum);
}

static bool has_ipoib(const struct rdma_port *port)
{
	CLEANUP_FREE char *interface = ipoib_of(port, true);

	return interface;
}

static bool addressed(const struct rdma_port *port)
{
	struct table_sum sum;

	if (rdma_port_is(port, "InfiniBand"))
		return has_ipoib(port);
	sum_up(port, &sum);
	free(sum.list);
	return rdma_port_is(port, "Ethernet") && !port->iwarp ? sum.routed : sum.all;
}

static void say_no_address(struct doctor *doctor, const struct rdma_port *port,
			   const struct table_sum *sum, enum verdict bad)
{
	const char *netdev = port->netdev ? port->netdev : "INTERFACE";

	if (!sum->all)
		doctor_say(doctor, bad, "%s/%u: the table is empty: its interface has no address",
			   port->device, port->number);
	else if (!sum->roce2)
		doctor_say(doctor, bad, "%s/%u: no RoCE v2 entry: %s", port->device, port->number,
			   sum->list);
	else
		doctor_say(doctor, bad, "%s/%u: link-local addresses only: %s", port->device,
			   port->number, sum->list);
	if (sum->all && !sum->roce2)
		doctor_advise(doctor, "RoCE v2 is off in the adapter's firmware or driver, or it has none: update %s, or take another",
			      port->device);
	else
		doctor_advise(doctor, "ip address add ADDRESS/PREFIX dev %s", netdev);
}

/* A GID it has always; what names the node is the address of an interface. */
static void say_ipoib(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	CLEANUP_FREE char *interface = ipoib_of(port, true);
	CLEANUP_FREE char *bare = ipoib_of(port, false);
	struct table_sum sum;

	if (interface) {
		sum_up(port, &sum);
		doctor_say(doctor, VERDICT_OK, "%s/%u: %s, and %s has an address", port->device,
			   port->number, sum.list ? sum.list : "no GID", interface);
		free(sum.list);
		return;
	}
	doctor_say(doctor, bad, "%s/%u: no IPoIB interface of it is up and has an address, by which nodes are named",
		   port->device, port->number);
	if (!bare)
		doctor_advise(doctor, "modprobe ib_ipoib; ip link    (which interface came)");
	doctor_advise(doctor, "ip address add ADDRESS/PREFIX dev %s; ip link set %s up",
		      bare ? bare : "INTERFACE", bare ? bare : "INTERFACE");
}

static void say_gids(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	bool roce = rdma_port_is(port, "Ethernet") && !port->iwarp;
	struct table_sum sum;

	if (rdma_port_is(port, "InfiniBand")) {
		say_ipoib(doctor, port, bad);
		return;
	}
	sum_up(port, &sum);
	if (roce ? !sum.routed : !sum.all)
		say_no_address(doctor, port, &sum, bad);
	else
		doctor_say(doctor, VERDICT_OK, "%s/%u: %s%s", port->device, port->number, sum.list,
			   sum.all > GIDS_SHOWN ? ", ..." : "");
	free(sum.list);
}

void check_rdma_gids(struct doctor *doctor)
{
	each_port(doctor, addressed, say_gids);
}
