// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-port.c - the ports: their state, their MTU, their addresses.
 *
 * Each check says a line for each port.  One that is not fit for use fails only if
 * none is: an adapter with an empty second socket is a healthy one.
 */
#include <arpa/inet.h>
#include <string.h>

#include "attr.h"
#include "doctor.h"

/* The packets of RDMA and their headers fit into an interface's MTU of that much. */
#define MTU_FOR_4096	4500
#define MTU_LOWEST	1024
#define GIDS_SHOWN	16

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
	size_t i;

	for (i = 0; i < doctor->port_count; i++)
		if (fit(&doctor->ports[i]))
			bad = VERDICT_WARN;
	for (i = 0; i < doctor->port_count; i++)
		say(doctor, &doctor->ports[i], bad);
	if (!doctor->port_count)
		doctor_say(doctor, VERDICT_SKIPPED, "there is no RDMA port");
}

/* An InfiniBand port waits for its subnet manager, an Ethernet one for its interface. */
static void help_port(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	bool linked = !strcmp(port->physical, "LinkUp");

	if (rdma_port_is(port, "InfiniBand") && linked) {
		doctor_advise(doctor, "no subnet manager has set up the port; run on one node of the fabric: systemctl start opensm");
	} else if (rdma_port_is(port, "InfiniBand")) {
		doctor_advise(doctor, "no link: check cable, transceiver and switch port; ibstat %s", port->device);
	} else if (*port->netdev) {
		/* A port that nothing depends on may be down on purpose. */
		if (bad == VERDICT_FAIL)
			doctor_repair(doctor, "ip", "link", "set", port->netdev, "up", NULL);
		else
			doctor_advise(doctor, "ip link set %s up    (if it is to be used)",
				      port->netdev);
		doctor_advise(doctor, "if that does not help: check cable, transceiver and switch port; ip -d link show %s",
			      port->netdev);
	} else {
		doctor_advise(doctor, "rdma link    (shows the interface below the device); ip link set INTERFACE up");
	}
}

static void say_state(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	doctor_say(doctor, is_active(port) ? VERDICT_OK : bad, "%s/%u: %s, %s, %s, %s%s%s",
		   port->device, port->number, port->state, port->physical, port->layer,
		   port->rate, *port->netdev ? ", on " : "", port->netdev);
	if (!is_active(port))
		help_port(doctor, port, bad);
}

void check_rdma_ports(struct doctor *doctor)
{
	each_port(doctor, is_active, say_state);
}

static bool always(const struct rdma_port *port)
{
	return true;
}

static void say_mtu(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	unsigned int largest = 0;
	unsigned int mtu = doctor_fabric_mtu(doctor, port, &largest);
	bool ethernet = rdma_port_is(port, "Ethernet") && *port->netdev && largest >= 4096;

	if (!mtu) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s/%u: farmem-fabric does not report the MTU",
			   port->device, port->number);
		doctor_advise(doctor, "ibv_devinfo -d %s | grep mtu", port->device);
	} else if (mtu < MTU_LOWEST) {
		doctor_say(doctor, bad, "%s/%u: a packet carries %u bytes, so a page takes %u packets",
			   port->device, port->number, mtu, 4096 / mtu);
		if (ethernet)
			doctor_advise(doctor, "ip link set %s mtu %d    (and on the switch and the other node)",
				      port->netdev, MTU_FOR_4096);
		else if (rdma_port_is(port, "InfiniBand"))
			doctor_advise(doctor, "smpquery portinfo -D 0 1 | grep -i mtu    (the subnet manager sets the smaller MTU of a link's two ends)");
		else
			doctor_advise(doctor, "ibv_devinfo -d %s | grep mtu; ip link show    (the MTU of its interface)",
				      port->device);
	} else if (mtu < 4096 && ethernet) {
		doctor_say(doctor, VERDICT_OK,
			   "%s/%u: a packet carries %u bytes; it carries a whole page after ip link set %s mtu %d here, on the other node and on the switch",
			   port->device, port->number, mtu, port->netdev, MTU_FOR_4096);
	} else {
		doctor_say(doctor, VERDICT_OK, "%s/%u: a packet carries %u bytes", port->device,
			   port->number, mtu);
	}
}

void check_rdma_mtu(struct doctor *doctor)
{
	each_port(doctor, always, say_mtu);
}

/* Of an address that is not link-local, other RoCE v2, and the rest. */
enum rank { RANK_ROUTED, RANK_ROCE2, RANK_OTHER, RANKS };

/* What a port's table of GIDs has in it. */
struct table_sum {
	unsigned int count[RANKS];
	unsigned int all;
	char *list;		/* the first of them, by rank, to free */
};

static enum rank rank_of(const struct in6_addr *address, const char *type)
{
	if (!type || strcmp(type, "RoCE v2"))
		return RANK_OTHER;
	return IN6_IS_ADDR_LINKLOCAL(address) ? RANK_ROCE2 : RANK_ROUTED;
}

/* Add an entry if it is of that rank.  One that is not in use is all zeros, or an error. */
static void add_gid(const struct rdma_port *port, const char *index, enum rank rank,
		    struct table_sum *sum)
{
	CLEANUP_FREE char *name = text_format("gids/%s", index);
	CLEANUP_FREE char *types = text_format("gid_attrs/types/%s", index);
	CLEANUP_FREE char *text = rdma_port_attr(port, name);
	CLEANUP_FREE char *type = rdma_port_attr(port, types);
	CLEANUP_FREE char *entry = NULL;
	char shown[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (!text || inet_pton(AF_INET6, text, &address) != 1 ||
	    IN6_IS_ADDR_UNSPECIFIED(&address) || rank_of(&address, type) != rank)
		return;
	sum->count[rank]++;
	if (sum->all++ >= GIDS_SHOWN)
		return;
	if (IN6_IS_ADDR_V4MAPPED(&address))
		inet_ntop(AF_INET, &address.s6_addr[12], shown, sizeof(shown));
	else
		inet_ntop(AF_INET6, &address, shown, sizeof(shown));
	entry = text_format("%s %s%s%s", index, shown, type ? " " : "", type ? type : "");
	text_add(&sum->list, ", ", entry);
}

static struct table_sum sum_up(const struct rdma_port *port)
{
	struct table_sum sum = { 0 };
	enum rank rank;

	for (rank = RANK_ROUTED; rank < RANKS; rank++)
		EACH_NAME(index, name_list("%s/class/infiniband/%s/ports/%u/gids", sysfs_root(),
					   port->device, port->number))
			add_gid(port, *index.at, rank, &sum);
	return sum;
}

/* Whether it has an entry that nodes can use. */
static bool serves(const struct rdma_port *port, const struct table_sum *sum)
{
	return rdma_port_is(port, "Ethernet") && !port->iwarp ? sum->count[RANK_ROUTED] : sum->all;
}

static bool addressed(const struct rdma_port *port)
{
	CLEANUP_FREE char *interface = NULL;
	struct table_sum sum;

	if (rdma_port_is(port, "InfiniBand")) {
		interface = ipoib_of(port, true);
		return interface;
	}
	sum = sum_up(port);
	free(sum.list);
	return serves(port, &sum);
}

static void say_no_address(struct doctor *doctor, const struct rdma_port *port,
			   const struct table_sum *sum, enum verdict bad)
{
	bool roce2 = sum->count[RANK_ROUTED] + sum->count[RANK_ROCE2];

	if (!sum->all)
		doctor_say(doctor, bad, "%s/%u: the GID table is empty: the port's interface has no address",
			   port->device, port->number);
	else if (!roce2)
		doctor_say(doctor, bad, "%s/%u: no RoCE v2 entry: %s", port->device, port->number,
			   sum->list);
	else
		doctor_say(doctor, bad, "%s/%u: link-local addresses only: %s", port->device,
			   port->number, sum->list);
	if (sum->all && !roce2)
		doctor_advise(doctor, "RoCE v2 is off in the adapter's firmware or driver, or the adapter lacks it: update %s, or use another adapter",
			      port->device);
	else
		doctor_advise(doctor, "ip address add ADDRESS/PREFIX dev %s",
			      *port->netdev ? port->netdev : "INTERFACE");
}

/* The port always has a GID; what names the node is the address of an interface. */
static void say_ipoib(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	CLEANUP_FREE char *interface = ipoib_of(port, true);
	CLEANUP_FREE char *bare = ipoib_of(port, false);
	struct table_sum sum;

	if (interface) {
		sum = sum_up(port);
		doctor_say(doctor, VERDICT_OK, "%s/%u: %s, and %s has an address", port->device,
			   port->number, sum.list ? sum.list : "no GID", interface);
		free(sum.list);
		return;
	}
	doctor_say(doctor, bad, "%s/%u: none of its IPoIB interfaces is up and has an address, which other nodes need to reach it",
		   port->device, port->number);
	if (!bare)
		doctor_advise(doctor, "modprobe ib_ipoib; ip link    (look for the new interface)");
	doctor_advise(doctor, "ip address add ADDRESS/PREFIX dev %s; ip link set %s up",
		      bare ? bare : "INTERFACE", bare ? bare : "INTERFACE");
}

static void say_gids(struct doctor *doctor, const struct rdma_port *port, enum verdict bad)
{
	struct table_sum sum;

	if (rdma_port_is(port, "InfiniBand")) {
		say_ipoib(doctor, port, bad);
		return;
	}
	sum = sum_up(port);
	if (!serves(port, &sum))
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
