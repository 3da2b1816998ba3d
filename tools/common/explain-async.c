// SPDX-License-Identifier: GPL-2.0
/*
 * explain-async.c - asynchronous events of an RDMA device.
 *
 * The last one is newer than Debian 12's rdma-core.
 */
#include "explain-table.h"

#define EVENT(value, constant, said, meaning, cause, look, ...)		\
	[value] = {							\
		.kind = EXPLAIN_ASYNC, .number = value,			\
		.name = "IBV_EVENT_" constant, .words = said,		\
		.means = meaning, .causes = cause, .check = look, __VA_ARGS__	\
	}

static const struct explain entries[] = {
	EVENT(0, "CQ_ERR", "CQ error",
	      "A completion queue has overflowed or cannot be written. It is of no use any more; the queue pairs on it fail.",
	      "more completions than the queue has entries: it was made too small for all queue pairs on it, or is polled too seldom",
	      "cqe of ibv_create_cq() against the sum of what its queue pairs may have under way"),
	EVENT(1, "QP_FATAL", "local work queue catastrophic error",
	      "A queue pair has failed and may not even report completions; it is in the error state.",
	      "a completion queue that overflowed; a fault of adapter or driver",
	      "'dmesg'; an event CQ error before it", .kernel = "QP fatal error"),
	EVENT(2, "QP_REQ_ERR", "invalid request local work queue error",
	      "The peer sent a request that this queue pair calls invalid; both ends are in the error state. The peer sees remote invalid request error.",
	      "an operation that qp_access_flags here does not allow, a message longer than its receive, packets out of the protocol",
	      "qp_access_flags here; what the peer posts, and its log", .kernel = "QP request error"),
	EVENT(3, "QP_ACCESS_ERR", "local access violation work queue error",
	      "The peer asked for memory here that it may not touch; both ends are in the error state. The peer sees remote access error.",
	      "a wrong or outdated rkey, a range outside the region, an access that was not granted; a program that guesses",
	      "rkey, address and length that the peer was told, and its log", .kernel = "QP access error"),
	EVENT(4, "COMM_EST", "communication established",
	      "A packet came for a queue pair that is ready to receive, before the connection was reported. Harmless.",
	      "the client's last message of the handshake came late or was lost: its first data proves the connection too",
	      "nothing; with rdma_cm the library is told by rdma_notify()"),
	EVENT(5, "SQ_DRAINED", "send queue drained",
	      "A queue pair that was moved to SQD has done all that it had begun; it may be changed now.",
	      "the program's own ibv_modify_qp() to SQD", "nothing"),
	EVENT(6, "PATH_MIG", "path migrated", "A connection has moved to its alternate path.",
	      "the first path failed, or the program or the peer asked for it",
	      "the first path: 'ibstat'; load a new alternate path", .kernel = "path migration successful"),
	EVENT(7, "PATH_MIG_ERR", "path migration request error",
	      "The peer asked to move to the alternate path, and this end could not.",
	      "no alternate path was loaded here, or it does not fit",
	      "alt_ah_attr and path_mig_state on both ends", .kernel = "path migration error"),
	EVENT(8, "DEVICE_FATAL", "local catastrophic error",
	      "The adapter has failed as a whole: close all that was opened on it. Its driver may reset it and bring it back.",
	      "a fault of hardware or firmware, a PCIe error, a reset by the driver; also a device that is being removed",
	      "'dmesg'; 'devlink health show'; 'rdma link'", .kernel = "device fatal error"),
	EVENT(9, "PORT_ACTIVE", "port active", "The port's link is up and usable.",
	      "none, all is well: the cable, the switch or the subnet manager is back", "nothing"),
	EVENT(10, "PORT_ERR", "port error",
	      "The port's link is down. Connections stay until their retries are used up.",
	      "a cable, the switch, the peer's power; 'ip link set ... down'; InfiniBand: no subnet manager",
	      "'rdma link'; 'ip link'; 'ibstat'; 'iblinkinfo'"),
	EVENT(11, "LID_CHANGE", "LID change",
	      "The subnet manager gave the port another LID: paths to the old one do not lead here any more.",
	      "a subnet manager that was restarted or replaced, a fabric that was merged",
	      "'ibstat' (Base lid); connections made by hand must be made anew"),
	EVENT(12, "PKEY_CHANGE", "P_Key change",
	      "The subnet manager changed the port's table of partitions; an index may mean another P_Key now.",
	      "a change of the partitions at the subnet manager",
	      "'ibv_devinfo -v'; 'cat /sys/class/infiniband/*/ports/*/pkeys/0'; partitions.conf of opensm", .kernel = "P_key change"),
	EVENT(13, "SM_CHANGE", "SM change", "Another subnet manager is the master of the fabric.",
	      "a standby took over, or one with a higher priority came", "'sminfo'"),
	EVENT(14, "SRQ_ERR", "SRQ catastrophic error",
	      "A shared receive queue has failed: no receive can be taken from it or posted to it, and its queue pairs fail.",
	      "a malformed receive in it; a fault of adapter or driver",
	      "'dmesg'; make the queue anew", .kernel = "SRQ error"),
	EVENT(15, "SRQ_LIMIT_REACHED", "SRQ limit reached",
	      "A shared receive queue has fewer receives than its limit. It is said once: ibv_modify_srq() arms it again.",
	      "messages come faster than receives are posted",
	      "nothing, if the program posts more now; otherwise RNR follows"),
	EVENT(16, "QP_LAST_WQE_REACHED", "last WQE reached",
	      "A queue pair in the error state will take no more receives from its shared receive queue: it may be destroyed.",
	      "the end of a connection with a shared receive queue",
	      "nothing; poll what is left, then ibv_destroy_qp()"),
	EVENT(17, "CLIENT_REREGISTER", "client reregistration",
	      "The subnet manager has forgotten what was registered with it: multicast groups and services must be joined again.",
	      "a subnet manager that was restarted or replaced",
	      "nothing with rdma_cm and IP over InfiniBand: the kernel does it; 'sminfo'", .kernel = "client reregister"),
	EVENT(18, "GID_CHANGE", "GID table change",
	      "The port's table of GIDs has changed; an index may be empty or mean another address now.",
	      "an IP address or VLAN that was added or removed (RoCE), a new subnet prefix (InfiniBand)",
	      "'ip addr'; 'ibv_devinfo -v' (GID); look for the index anew instead of keeping it", .kernel = "GID changed"),
	EVENT(19, "WQ_FATAL", "WQ fatal",
	      "A work queue (struct ibv_wq, of receive side scaling) has failed.",
	      "a fault of adapter or driver, or a malformed receive",
	      "'dmesg'; make the queue anew"),
	EVENT(20, "DEVICE_SPEED_CHANGE", "device speed change",
	      "The speed of the device's ports has changed while the link stayed up.",
	      "a member of a bond went down or came back, or a virtual function was given another rate; newer kernels only",
	      "'ibstat' (Rate); 'ethtool INTERFACE'"),
};

const struct explain_list explain_async = { entries, sizeof(entries) / sizeof(entries[0]) };
