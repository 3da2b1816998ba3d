// SPDX-License-Identifier: GPL-2.0
/*
 * explain-wc.c - the statuses of work completions.
 *
 * Terms are the InfiniBand specification's.  Where soft-RoCE (rdma_rxe) says
 * something else than adapters do, the causes say so.
 */
#include "explain-table.h"

#define NO_RD "a fault of adapter or driver: only reliable datagrams use this status, and no adapter offers them"
/* Of the statuses that kernel/queue/plan.c:plan_lost_on_the_way() knows. */
#define MTU_DIFFERS "; when small requests pass, and no large one: the MTU of a node or a switch is smaller"
#define CHECK_MTU "; the MTU: 'ip link show' on both nodes"
#define CHECK_DRIVER "'dmesg' on this node; then the release of driver and firmware, 'ibv_devinfo'"

#define STATUS(value, constant, ...) EXPLAIN_ENTRY(EXPLAIN_WC, value, "IBV_WC_" constant, __VA_ARGS__)

static const struct explain entries[] = {
	STATUS(0, "SUCCESS", "success",
	       "The request is done. On a reliable connection (RC) the other adapter has acknowledged it; on UC and UD it has only been sent.",
	       "none, all is well", "nothing; byte_len and wc_flags of a receive say what came"),
	STATUS(1, "LOC_LEN_ERR", "local length error",
	       "A message is too long: a received one for the buffers that were posted for it, a sent one for what the queue pair may send at once.",
	       "the sender sends more than was agreed; a UD receive without 40 bytes more for the GRH; a UD send longer than the path MTU, an RC one than 2 GiB; soft-RoCE reports local QP operation error to the receiver instead" MTU_DIFFERS,
	       "the sum of the receive's SGEs and the sender's length; 'ibv_devinfo -v' (max_msg_sz)" CHECK_MTU),
	STATUS(2, "LOC_QP_OP_ERR", "local QP operation error",
	       "The adapter cannot make sense of a work request of this queue pair.",
	       "an operation that the transport lacks, more SGEs or inline bytes than the queue pair was made for, a UD send without an address handle; on soft-RoCE also a message that is longer than the receive posted for it" MTU_DIFFERS,
	       "opcode, num_sge and flags of the request; 'ibv_devinfo -v' (max_sge); 'dmesg'" CHECK_MTU),
	STATUS(3, "LOC_EEC_OP_ERR", "local EE context operation error",
	       "The end-to-end context of a reliable datagram is inconsistent.", NO_RD,
	       CHECK_DRIVER),
	STATUS(4, "LOC_PROT_ERR", "local protection error",
	       "A buffer in the request's list of SGEs is not registered for what the adapter was to do with it.",
	       "a wrong lkey; an address or length outside the memory region; a region that is deregistered or of another protection domain; no IBV_ACCESS_LOCAL_WRITE where a RECV, READ or atomic puts its data",
	       "each SGE's addr, length and lkey against ibv_reg_mr(); both made with the queue pair's own PD"),
	STATUS(5, "WR_FLUSH_ERR", "Work Request Flushed Error",
	       "The queue pair is in the error state and gives the request back. Whether the peer saw it is not known.",
	       "an earlier error of the same queue pair, the end of the connection, or the program's own step to the error state; soft-RoCE after Linux 6.1 also a first error of its own, such as an SGE whose lkey is wrong",
	       "the first completion or event before it that says something else: that is the cause", .kernel = "WR flushed"),
	STATUS(6, "MW_BIND_ERR", "memory management operation error",
	       "Binding or invalidating a memory window, or registering memory by a work request, was refused.",
	       "a memory region without IBV_ACCESS_MW_BIND, or without local write for a window with remote write; a range outside the region; another PD; a window or key that is not in the state that is needed",
	       "flags of ibv_reg_mr(), range and rkey of the bind; 'ibv_devinfo -v' (device_cap_flags: MEM_WINDOW)", .kernel = "memory bind operation error"),
	STATUS(7, "BAD_RESP_ERR", "bad response error",
	       "The peer's adapter answered with something that does not belong to the request.",
	       "a fault of an adapter or its driver; damaged packets; a queue pair number that was used again while packets of its former life were under way" MTU_DIFFERS,
	       "'rdma statistic show' and 'dmesg' on both nodes; the release of firmware and driver" CHECK_MTU),
	STATUS(8, "LOC_ACCESS_ERR", "local access error",
	       "A WRITE with immediate came in, but the adapter could not store its data at the given address.",
	       "the memory region was deregistered meanwhile, or does not allow remote writes",
	       "when the region is deregistered; its access: IBV_ACCESS_REMOTE_WRITE and _LOCAL_WRITE"),
	STATUS(9, "REM_INV_REQ_ERR", "remote invalid request error",
	       "The peer's adapter calls the request invalid, and has broken off the connection.",
	       "an operation that the peer's queue pair does not allow (qp_access_flags); a message longer than its receive; an atomic whose address is no multiple of 8; more READs or atomics at once than its max_dest_rd_atomic" MTU_DIFFERS,
	       "the peer's log and completions; qp_access_flags there; responder resources and initiator depth of both" CHECK_MTU),
	STATUS(10, "REM_ACCESS_ERR", "remote access error",
	       "The peer's adapter does not let this request touch that memory, and has broken off the connection.",
	       "a wrong or outdated rkey; an address or length outside the region; a region without IBV_ACCESS_REMOTE_READ, _WRITE or _ATOMIC; one of another PD; deregistered, or a window that was invalidated",
	       "rkey, address and length against what the peer registered and sent; the peer's log"),
	STATUS(11, "REM_OP_ERR", "remote operation error",
	       "The peer's adapter could not finish the request for a reason of its own.",
	       "a receive there whose SGEs are wrong (there it is a local protection error); a fault of that adapter; on soft-RoCE also a message that is longer than its receive" MTU_DIFFERS,
	       "the peer's completions and async events; 'dmesg' there" CHECK_MTU),
	STATUS(12, "RETRY_EXC_ERR", "transport retry counter exceeded",
	       "The peer's adapter has acknowledged nothing, through all retries: 4.096 us x 2^timeout for each of retry_cnt + 1 tries.",
	       "the node or link is down; the peer's queue pair is gone or not ready to receive; wrong QP number, LID, PSN or GID index; a firewall in front of UDP 4791 (RoCE); loss by congestion" MTU_DIFFERS,
	       "'ping ADDR'; 'rdma link' on both nodes; 'rdma statistic show'; 'farmemctl doctor'; if it is the first request: GID index, QP number, PSN" CHECK_MTU),
	STATUS(13, "RNR_RETRY_EXC_ERR", "RNR retry counter exceeded",
	       "The peer is alive, but had no receive posted through all rnr_retry tries. Only SEND and WRITE with immediate need one; soft-RoCE reports this for a READ, too, when its response is lost.",
	       "the receiver posts too late or too few, is stopped, or its shared receive queue is empty; rnr_retry is small (7 is for ever)" MTU_DIFFERS,
	       "that receives are posted before the sender knows of the queue pair; rnr_retry, min_rnr_timer; 'rdma statistic show'" CHECK_MTU),
	STATUS(14, "LOC_RDD_VIOL_ERR", "local RDD violation error",
	       "Queue pair and end-to-end context belong to different reliable datagram domains.",
	       NO_RD, CHECK_DRIVER),
	STATUS(15, "REM_INV_RD_REQ_ERR", "remote invalid RD request",
	       "The peer calls a reliable datagram invalid: its Q_Key or domain is wrong.", NO_RD,
	       CHECK_DRIVER),
	STATUS(16, "REM_ABORT_ERR", "aborted error", "The operation was broken off.",
	       "the peer's adapter or driver gave up; rare" MTU_DIFFERS,
	       "'dmesg' on both nodes; vendor_err in the maker's documents" CHECK_MTU, .kernel = "operation aborted"),
	STATUS(17, "INV_EECN_ERR", "invalid EE context number",
	       "There is no end-to-end context of that number.", NO_RD, CHECK_DRIVER),
	STATUS(18, "INV_EEC_STATE_ERR", "invalid EE context state",
	       "The end-to-end context is in a state in which it does not send.", NO_RD,
	       CHECK_DRIVER),
	STATUS(19, "FATAL_ERR", "fatal error",
	       "The adapter has failed in a way that does not let it say more. Nothing about its state is sure.",
	       "a fault of hardware, firmware or driver; the adapter is being reset or removed",
	       "'dmesg'; 'devlink health show'; reset the adapter or reboot"),
	STATUS(20, "RESP_TIMEOUT_ERR", "response timeout error",
	       "A management datagram got no answer in time. Only such requests (to the subnet manager, by the CM) end like this.",
	       "no subnet manager on an InfiniBand fabric, or a node that does not answer management queries",
	       "'sminfo'; 'ibstat' (SM lid); 'saquery'"),
	STATUS(21, "GENERAL_ERR", "general error", "An error for which there is no other status.",
	       "a fault of adapter, firmware or driver; vendor_err has the maker's own number",
	       "vendor_err in the maker's documents; 'dmesg'"),
	STATUS(22, "TM_ERR", "TM error",
	       "An operation on the list of tags of a shared receive queue with tag matching failed.",
	       "a list that is full or not in step with the program's (unexpected messages were not counted)",
	       "max_num_tags and max_ops of the queue; synchronise it with IBV_WR_TAG_SYNC"),
	STATUS(23, "TM_RNDV_INCOMPLETE", "TM software rendezvous",
	       "A rendezvous message was matched by its tag, and the program has to fetch the data itself. No failure.",
	       "the adapter could not start the READ of the rendezvous by itself",
	       "that the program handles this status: ibv_create_srq_ex(3), tag matching"),
};

const struct explain_list explain_wc = { entries, sizeof(entries) / sizeof(entries[0]) };
