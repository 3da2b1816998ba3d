// SPDX-License-Identifier: GPL-2.0
/*
 * server.c - lends kernel memory; after that its CPU takes part in nothing.
 *
 * The whole memory goes under the protection domain's global rkey, the
 * cheapest there is for any adapter: no list of pages to walk.  Any node
 * that connects may write everywhere, so this is for measuring only.
 *
 * clients_lock guards the list of clients.  What takes a client off the
 * list destroys its id: the reaper once it has hung up, or floor_server_stop().  Never its event handler, which only marks it.
 */
#include <linux/dma-mapping.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <rdma/rdma_cm.h>

#include "address.h"
#include "server.h"

struct client {
	struct list_head entry;
	struct rdma_cm_id *id;
	bool gone;
};

struct chunk {
	struct page *page;
	u64 dma;
};

static void reap_clients(struct work_struct *work);

static struct rdma_cm_id *listener;
static struct ib_pd *pd;
static struct ib_cq *cq;
static struct chunk *chunks;
static unsigned int chunk_count;
static __le64 *table;
static u64 table_dma;

static LIST_HEAD(clients);
static DEFINE_SPINLOCK(clients_lock);
static DECLARE_WORK(reaper, reap_clients);

static size_t table_size(void)
{
	return chunk_count * sizeof(*table);
}

static struct client *next_client(bool gone_only)
{
	struct client *client;

	spin_lock(&clients_lock);
	list_for_each_entry(client, &clients, entry) {
		if (gone_only && !client->gone)
			continue;
		list_del(&client->entry);
		spin_unlock(&clients_lock);
		return client;
	}
	spin_unlock(&clients_lock);
	return NULL;
}

static void drop_client(struct client *client)
{
	rdma_disconnect(client->id);
	rdma_destroy_qp(client->id);
	rdma_destroy_id(client->id);
	kfree(client);
}

static void reap_clients(struct work_struct *work)
{
	struct client *client;

	while ((client = next_client(true)))
		drop_client(client);
}

static int accept_client(struct rdma_cm_id *id, const struct rdma_conn_param *asked)
{
	struct floor_grant grant = {
		.magic = cpu_to_le32(FLOOR_MAGIC),
		.rkey = cpu_to_le32(pd->unsafe_global_rkey),
		.table = cpu_to_le64(table_dma),
		.chunks = cpu_to_le32(chunk_count),
	};
	struct rdma_conn_param param = {
		.private_data = &grant,
		.private_data_len = sizeof(grant),
		.responder_resources = min_t(int, asked->responder_resources,
					     id->device->attrs.max_qp_rd_atom),
		.rnr_retry_count = 6,
	};
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {
			.max_send_wr = 1,
			.max_recv_wr = 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};
	int err;

	err = rdma_create_qp(id, pd, &attr);
	if (err)
		return err;
	err = rdma_accept(id, &param);
	if (err)
		rdma_destroy_qp(id);
	return err;
}

/* A new id; what is not 0 makes rdma_cm reject and destroy it. */
static int admit(struct rdma_cm_id *id, const struct rdma_conn_param *asked)
{
	struct client *client;
	int err;

	if (id->device != pd->device)
		return -EXDEV;
	client = kzalloc(sizeof(*client), GFP_KERNEL);
	if (!client)
		return -ENOMEM;
	client->id = id;
	id->context = client;
	err = accept_client(id, asked);
	if (err) {
		pr_warn("a client was turned away (%d)\n", err);
		kfree(client);
		return err;
	}
	spin_lock(&clients_lock);
	list_add_tail(&client->entry, &clients);
	spin_unlock(&clients_lock);
	return 0;
}

static int server_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct client *client = id->context;

	switch (event->event) {
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		return admit(id, &event->param.conn);
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_DISCONNECTED:
		WRITE_ONCE(client->gone, true);
		schedule_work(&reaper);
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

static int listen_at(const char *where)
{
	struct sockaddr_storage addr;
	int err;

	err = floor_address_parse(where, &addr);
	if (err) {
		pr_err("listen=%s: want ADDR:PORT\n", where);
		return err;
	}
	err = rdma_bind_addr(listener, (struct sockaddr *)&addr);
	if (!err && !listener->device)
		err = -ENODEV;
	if (err)
		pr_err("listen=%s: not an address of an RDMA device (%d); see 'rdma link'\n",
		       where, err);
	return err;
}

static int lend_chunk(struct chunk *chunk, __le64 *entry)
{
	/* Worth some reclaim and compaction: without it there is no measuring. */
	chunk->page = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
				  __GFP_RETRY_MAYFAIL,
				  FLOOR_CHUNK_SHIFT - PAGE_SHIFT);
	if (!chunk->page)
		return -ENOMEM;
	chunk->dma = ib_dma_map_page(pd->device, chunk->page, 0,
				     FLOOR_CHUNK_SIZE, DMA_BIDIRECTIONAL);
	if (ib_dma_mapping_error(pd->device, chunk->dma)) {
		__free_pages(chunk->page, FLOOR_CHUNK_SHIFT - PAGE_SHIFT);
		return -ENOMEM;
	}
	*entry = cpu_to_le64(chunk->dma);
	return 0;
}

static void take_back(void)
{
	if (table_dma)
		ib_dma_unmap_single(pd->device, table_dma, table_size(),
				    DMA_TO_DEVICE);
	table_dma = 0;
	kfree(table);
	while (chunk_count--) {
		ib_dma_unmap_page(pd->device, chunks[chunk_count].dma,
				  FLOOR_CHUNK_SIZE, DMA_BIDIRECTIONAL);
		__free_pages(chunks[chunk_count].page,
			     FLOOR_CHUNK_SHIFT - PAGE_SHIFT);
	}
	kvfree(chunks);
}

static int lend(u64 size)
{
	unsigned int count = size >> FLOOR_CHUNK_SHIFT;
	int err = -ENOMEM;

	chunk_count = 0;
	chunks = kvcalloc(count, sizeof(*chunks), GFP_KERNEL);
	table = kcalloc(count, sizeof(*table), GFP_KERNEL);
	if (!chunks || !table)
		goto take_back;
	while (chunk_count < count) {
		err = lend_chunk(&chunks[chunk_count], &table[chunk_count]);
		if (err)
			goto take_back;
		chunk_count++;
	}
	table_dma = ib_dma_map_single(pd->device, table, table_size(),
				      DMA_TO_DEVICE);
	if (!ib_dma_mapping_error(pd->device, table_dma))
		return 0;
	table_dma = 0;
	err = -ENOMEM;
take_back:
	take_back();
	pr_err("size=%lluM: no memory in pieces of %u MiB\n", size >> 20,
	       FLOOR_CHUNK_SIZE >> 20);
	return err;
}

int floor_server_start(const char *where, u64 size)
{
	int err;

	listener = rdma_create_id(current->nsproxy->net_ns, server_event, NULL,
				  RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(listener))
		return PTR_ERR(listener);
	err = listen_at(where);
	if (err)
		goto destroy_id;
	pd = ib_alloc_pd(listener->device, IB_PD_UNSAFE_GLOBAL_RKEY);
	if (IS_ERR(pd)) {
		err = PTR_ERR(pd);
		goto destroy_id;
	}
	cq = ib_alloc_cq(listener->device, NULL, 1, 0, IB_POLL_DIRECT);
	if (IS_ERR(cq)) {
		err = PTR_ERR(cq);
		goto dealloc_pd;
	}
	err = lend(size);
	if (err)
		goto free_cq;
	err = rdma_listen(listener, 16);
	if (!err)
		return 0;
	pr_err("listen=%s: error %d\n", where, err);
	take_back();
free_cq:
	ib_free_cq(cq);
dealloc_pd:
	ib_dealloc_pd(pd);
destroy_id:
	rdma_destroy_id(listener);
	return err;
}

void floor_server_stop(void)
{
	struct client *client;

	rdma_destroy_id(listener);
	while ((client = next_client(false)))
		drop_client(client);
	/* After the last id nobody queues it again. */
	cancel_work_sync(&reaper);
	take_back();
	ib_free_cq(cq);
	ib_dealloc_pd(pd);
}
