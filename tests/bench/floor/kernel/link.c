// SPDX-License-Identifier: GPL-2.0
/*
 * link.c - connects a queue pair to a floor server, and looks what is there.
 *
 * A link is opened, closed and posted to by one owner at a time (main, run,
 * disk).  The event handler only records how a step ended, and moves the queue
 * pair to the error state when the server hangs up: that flushes what is under
 * way, so nobody waits for it any longer.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "address.h"
#include "link.h"

#define STEP_SECONDS 10

/* As farmem connects, so that the wire is the same: see kernel/session/connect.c. */
#define RETRY_COUNT 6
#define ACK_TIMEOUT 18

static void step_done(struct floor_link *link, int err)
{
	link->step_error = err;
	complete(&link->step);
}

static void established(struct floor_link *link,
			const struct rdma_conn_param *param)
{
	if (param->private_data &&
	    param->private_data_len >= sizeof(link->grant))
		memcpy(&link->grant, param->private_data, sizeof(link->grant));
	step_done(link, link->grant.magic == cpu_to_le32(FLOOR_MAGIC) ?
			0 : -EPROTO);
}

static int link_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct floor_link *link = id->context;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		step_done(link, 0);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		established(link, &event->param.conn);
		break;
	case RDMA_CM_EVENT_ADDR_ERROR:
	case RDMA_CM_EVENT_ROUTE_ERROR:
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
		step_done(link, event->status < 0 ? event->status :
						    -EHOSTUNREACH);
		break;
	case RDMA_CM_EVENT_REJECTED:
		step_done(link, -ECONNREFUSED);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		pr_info("the connection is closed\n");
		rdma_disconnect(id);
		step_done(link, -ECONNRESET);
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		pr_warn("the RDMA device is being removed: rmmod %s lets it go\n",
			KBUILD_MODNAME);
		break;
	default:
		break;
	}
	return 0;
}

/* @begun: what beginning the step returned. */
static int await_step(struct floor_link *link, int begun)
{
	if (begun)
		return begun;
	if (!wait_for_completion_timeout(&link->step, STEP_SECONDS * HZ))
		return -ETIMEDOUT;
	return link->step_error;
}

static int resolve(struct floor_link *link, struct sockaddr_storage *addr)
{
	int err;

	err = rdma_resolve_addr(link->id, NULL, (struct sockaddr *)addr,
				STEP_SECONDS * MSEC_PER_SEC);
	err = await_step(link, err);
	if (err)
		return err;
	rdma_set_ack_timeout(link->id, ACK_TIMEOUT);
	err = rdma_resolve_route(link->id, STEP_SECONDS * MSEC_PER_SEC);
	return await_step(link, err);
}

static int create_qp(struct floor_link *link, enum ib_poll_context poll,
		     unsigned int max_sge)
{
	struct ib_device *dev = link->id->device;
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.cap = {
			.max_send_wr = FLOOR_DEPTH_MAX,
			.max_recv_wr = 1,
			.max_recv_sge = 1,
		},
	};
	int err;

	link->max_sge = min3(max_sge, (unsigned int)dev->attrs.max_send_sge,
			     (unsigned int)dev->attrs.max_sge_rd ?: 1);
	link->pd = ib_alloc_pd(dev, 0);
	if (IS_ERR(link->pd))
		return PTR_ERR(link->pd);
	link->cq = ib_alloc_cq(dev, link, FLOOR_DEPTH_MAX, 0, poll);
	if (IS_ERR(link->cq)) {
		err = PTR_ERR(link->cq);
		goto dealloc_pd;
	}
	attr.send_cq = link->cq;
	attr.recv_cq = link->cq;
	attr.cap.max_send_sge = link->max_sge;
	err = rdma_create_qp(link->id, link->pd, &attr);
	if (err)
		goto free_cq;
	link->qp = link->id->qp;
	return 0;

free_cq:
	ib_free_cq(link->cq);
dealloc_pd:
	ib_dealloc_pd(link->pd);
	return err;
}

static int connect_qp(struct floor_link *link)
{
	struct rdma_conn_param param = {
		.initiator_depth = clamp(link->id->device->attrs.max_qp_init_rd_atom,
					 1, U8_MAX),
		.retry_count = RETRY_COUNT,
		.rnr_retry_count = 6,
	};

	return await_step(link, rdma_connect(link->id, &param));
}

int floor_link_open(struct floor_link *link, const char *where,
		    enum ib_poll_context poll, unsigned int max_sge)
{
	struct sockaddr_storage addr;
	int err;

	err = floor_address_parse(where, &addr);
	if (err)
		goto report;
	memset(link, 0, sizeof(*link));
	init_completion(&link->step);
	link->id = rdma_create_id(current->nsproxy->net_ns, link_event, link,
				  RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(link->id)) {
		err = PTR_ERR(link->id);
		link->id = NULL;
		goto report;
	}
	err = resolve(link, &addr);
	if (!err)
		err = create_qp(link, poll, max_sge);
	if (!err)
		err = connect_qp(link);
	if (!err)
		return 0;
	floor_link_close(link);
report:
	pr_err("server=%s: no connection (%d)\n", where, err);
	return err;
}

void floor_link_break(struct floor_link *link)
{
	if (!link->qp)
		return;
	rdma_disconnect(link->id);
	rdma_destroy_qp(link->id);
	ib_free_cq(link->cq);
	ib_dealloc_pd(link->pd);
	link->qp = NULL;
}

void floor_link_close(struct floor_link *link)
{
	if (!link->id)
		return;
	floor_link_break(link);
	rdma_destroy_id(link->id);
	link->id = NULL;
}

/* One READ, waited for. */
static int read_remote(struct floor_link *link, u64 dma, u32 bytes)
{
	unsigned long deadline = jiffies + STEP_SECONDS * HZ;
	struct ib_sge sge = {
		.addr = dma,
		.length = bytes,
		.lkey = link->pd->local_dma_lkey,
	};
	struct ib_rdma_wr wr = {
		.wr = {
			.opcode = IB_WR_RDMA_READ,
			.sg_list = &sge,
			.num_sge = 1,
			.send_flags = IB_SEND_SIGNALED,
		},
		.remote_addr = le64_to_cpu(link->grant.table),
		.rkey = le32_to_cpu(link->grant.rkey),
	};
	struct ib_wc wc;
	int err;

	err = ib_post_send(link->qp, &wr.wr, NULL);
	if (err)
		return err;
	while (ib_poll_cq(link->cq, 1, &wc) <= 0) {
		if (time_after(jiffies, deadline))
			return -ETIMEDOUT;
		usleep_range(100, 1000);
	}
	return wc.status == IB_WC_SUCCESS ? 0 : -EIO;
}

int floor_link_explore(struct floor_link *link, struct floor_remote *remote)
{
	struct ib_device *dev = link->id->device;
	u32 bytes;
	u64 dma;
	int err;

	remote->rkey = le32_to_cpu(link->grant.rkey);
	remote->count = le32_to_cpu(link->grant.chunks);
	if (!remote->count || remote->count > FLOOR_CHUNKS_MAX)
		return -EPROTO;
	bytes = remote->count * sizeof(*remote->chunks);
	remote->chunks = kmalloc(bytes, GFP_KERNEL);
	if (!remote->chunks)
		return -ENOMEM;
	dma = ib_dma_map_single(dev, remote->chunks, bytes, DMA_FROM_DEVICE);
	if (ib_dma_mapping_error(dev, dma)) {
		floor_remote_free(remote);
		return -ENOMEM;
	}
	err = read_remote(link, dma, bytes);
	if (err)
		floor_link_break(link);	/* it may be under way still */
	ib_dma_unmap_single(dev, dma, bytes, DMA_FROM_DEVICE);
	if (err) {
		pr_err("reading what the server lends failed (%d)\n", err);
		floor_remote_free(remote);
	}
	return err;
}

void floor_remote_free(struct floor_remote *remote)
{
	kfree(remote->chunks);
	remote->chunks = NULL;
}
