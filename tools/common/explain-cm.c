// SPDX-License-Identifier: GPL-2.0
/*
 * explain-cm.c - the events of the RDMA connection manager.
 *
 * The last four are newer than Debian 12's rdma-core; newer kernels have them.
 */
#include "explain-table.h"

#define EVENT(value, constant, said, meaning, cause, look, ...)		\
	[value] = {							\
		.kind = EXPLAIN_CM, .number = value,			\
		.name = "RDMA_CM_EVENT_" constant, .words = said,		\
		.means = meaning, .causes = cause, .check = look, __VA_ARGS__	\
	}

static const struct explain entries[] = {
	EVENT(0, "ADDR_RESOLVED", "address resolved",
	      "rdma_resolve_addr() found the RDMA device on the way to the address, and the neighbour's address.",
	      "none, all is well", "nothing; rdma_resolve_route() is next"),
	EVENT(1, "ADDR_ERROR", "address error",
	      "No RDMA device leads to the address, or nobody there answers to ARP or neighbour discovery. status is a negative errno.",
	      "no route; the route leaves by an interface without an RDMA device (on soft-RoCE: no rxe link on it); the node is down; a wrong address",
	      "'ip route get ADDR'; 'rdma link' (is the interface's device ACTIVE?); 'ping ADDR'; 'ip neigh'"),
	EVENT(2, "ROUTE_RESOLVED", "route resolved",
	      "rdma_resolve_route() has the path record: on InfiniBand from the subnet manager, on RoCE from the interface.",
	      "none, all is well", "nothing; rdma_connect() is next"),
	EVENT(3, "ROUTE_ERROR", "route error",
	      "There is no path record for the address. status is a negative errno.",
	      "InfiniBand: no subnet manager, a partition (P_Key) in which one side is not, a port that is not ACTIVE; RoCE: the GID of the interface is gone",
	      "'ibstat' (State, SM lid); 'sminfo'; 'saquery -p'; RoCE: 'ibv_devinfo -v' (GID)"),
	EVENT(4, "CONNECT_REQUEST", "connect request",
	      "A client asks a listener for a connection, on a new rdma_cm_id: rdma_accept() or rdma_reject() it.",
	      "none, all is well", "nothing; its private data is lost after rdma_ack_cm_event()"),
	EVENT(5, "CONNECT_RESPONSE", "connect response",
	      "The server accepts, and the rdma_cm_id has no queue pair: the program moves its own to RTS, then rdma_establish().",
	      "the queue pair was made by ibv_create_qp() and not by rdma_create_qp()",
	      "that the program handles it: with rdma_create_qp() ESTABLISHED comes instead"),
	EVENT(6, "CONNECT_ERROR", "connect error",
	      "Connecting failed half way, on this node or because the last message was lost. status is a negative errno.",
	      "the queue pair could not be moved to RTR or RTS (GID, MTU, READ depth beyond the device's), or the peer was gone before the connection stood",
	      "status; 'dmesg'; 'ibv_devinfo -v' (max_qp_rd_atom, active_mtu); the peer's log"),
	EVENT(7, "UNREACHABLE", "unreachable",
	      "The node was resolved, but nobody answered to the request for a connection; status is -110 (ETIMEDOUT) as a rule.",
	      "a firewall in front of UDP 4791 (RoCE); no RDMA device, or none that is ACTIVE, on the other node; the wrong interface of it; RoCE v1 here and v2 there; a server that is stopped: its kernel takes the request, nobody answers it",
	      "'rdma link' on both nodes; 'nft list ruleset' (UDP 4791); 'farmemctl doctor'; is the server running?"),
	EVENT(8, "REJECTED", "rejected",
	      "The other node refused the connection. status is the CM's reason: 8 nobody listens there, 28 the program refused and its private data may say why, 10 a stale connection.",
	      "no program listens on that port, or in another port space; the program refused",
	      "that the server runs and listens on this port ('farmemctl server show'); its log says why it refused"),
	EVENT(9, "ESTABLISHED", "established",
	      "The connection stands; the queue pair may send and receive.", "none, all is well",
	      "nothing"),
	EVENT(10, "DISCONNECTED", "disconnected",
	      "The connection is over; the queue pair is in the error state, and what was under way comes back flushed.",
	      "the peer called rdma_disconnect(), ended or was killed; its node shut down; or this program's own rdma_disconnect() was answered",
	      "the peer's log; is it running?"),
	EVENT(11, "DEVICE_REMOVAL", "device removal",
	      "The RDMA device goes away: destroy all of this rdma_cm_id, or the driver waits.",
	      "'rdma link delete', a driver that is unloaded, a reset or hot unplug of the adapter; on soft-RoCE the end of its interface",
	      "'dmesg'; 'rdma link'"),
	EVENT(12, "MULTICAST_JOIN", "multicast join",
	      "rdma_join_multicast() is done; the event has the group's address handle attributes.",
	      "none, all is well", "nothing"),
	EVENT(13, "MULTICAST_ERROR", "multicast error",
	      "Joining a multicast group failed, or the group is not usable any more.",
	      "InfiniBand: no subnet manager or it refused, the port went down; RoCE: the interface lost its address",
	      "'sminfo'; 'saquery -g'; 'rdma link'"),
	EVENT(14, "ADDR_CHANGE", "address change",
	      "The interface of this connection has another hardware address now: what is under way may not arrive.",
	      "a bond that failed over to its other port; a MAC address that was changed",
	      "'ip -d link'; 'cat /proc/net/bonding/*'; connect again"),
	EVENT(15, "TIMEWAIT_EXIT", "timewait exit",
	      "No packet of the former connection can arrive any more; its queue pair may be used again.",
	      "none: it follows each disconnection after a while", "nothing"),
	EVENT(16, "ADDRINFO_RESOLVED", "addrinfo resolved",
	      "rdma_resolve_addrinfo() is done: rdma_query_addrinfo() has the result.",
	      "none, all is well; it needs a kernel and an rdma-core newer than Debian 12's",
	      "nothing; rdma_resolve_addr() is next"),
	EVENT(17, "ADDRINFO_ERROR", "addrinfo error",
	      "rdma_resolve_addrinfo() found nothing. status is a negative errno.",
	      "no such name or service; InfiniBand: no subnet manager, or the service is not registered with it",
	      "'getent ahosts NAME'; 'saquery -S'; 'sminfo'"),
	EVENT(18, "USER", "user event",
	      "A program wrote this event into its own channel, with rdma_write_cm_event().",
	      "another thread of this program", "the event's arg, whose meaning is the program's"),
	EVENT(19, "INTERNAL", "internal event",
	      "librdmacm wrote this event for itself; programs should not see it.",
	      "none: librdmacm passes it between its own threads",
	      "nothing; a program that gets it: report it to rdma-core"),
};

const struct explain_list explain_cm = { entries, sizeof(entries) / sizeof(entries[0]) };
