// SPDX-License-Identifier: GPL-2.0
/*
 * local.c - the loopback transport.
 *
 * A session with server=local owns a list of memories, one a volume, under
 * session->lock.  I/O copies, and is complete when the copy returns.
 */
#include <linux/highmem.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "fault.h"
#include "local.h"
#include "session.h"

#define LOCAL_SLAB (16u << 20)

struct farmem_local {
	struct list_head memories;
};

int farmem_local_start(struct farmem_session *s)
{
	if (!s->local) {
		s->local = farmem_fault_alloc(kzalloc(sizeof(*s->local), GFP_KERNEL));
		if (!s->local)
			return farmem_session_reason(s, -ENOMEM, "no memory");
		INIT_LIST_HEAD(&s->local->memories);
	}
	s->queue_count = s->queues_granted = 0;
	s->generation = s->incarnation;
	s->slab_size = LOCAL_SLAB;
	s->server_capacity = (u64)totalram_pages() << PAGE_SHIFT;
	s->server_free = (u64)si_mem_available() << PAGE_SHIFT;
	return 0;
}

static void local_free_memory(struct farmem_local_memory *memory)
{
	list_del(&memory->entry);
	vfree(memory->data);
	vfree(memory->meta);
	kfree(memory);
}

void farmem_local_stop(struct farmem_session *s)
{
	struct farmem_local_memory *memory, *next;

	if (!s->local)
		return;
	list_for_each_entry_safe(memory, next, &s->local->memories, entry)
		local_free_memory(memory);
	kfree(s->local);
	s->local = NULL;
}

static struct farmem_local_memory *local_find(struct farmem_session *s,
					      const u8 *uuid)
{
	struct farmem_local_memory *memory;

	list_for_each_entry(memory, &s->local->memories, entry)
		if (!memcmp(memory->uuid, uuid, FARMEM_ID_LEN))
			return memory;
	return NULL;
}

/* New zeroed memory of @bytes, with the old contents in front. */
static int local_grow(struct farmem_local_memory *memory, u64 bytes)
{
	void *data;
	u8 *meta;

	data = farmem_fault_alloc(vzalloc(bytes));
	meta = vzalloc(bytes >> FARMEM_PAGE_SHIFT);
	if (!data || !meta) {
		vfree(data);
		vfree(meta);
		return -ENOMEM;
	}
	if (memory->bytes) {
		memcpy(data, memory->data, memory->bytes);
		memcpy(meta, memory->meta, memory->bytes >> FARMEM_PAGE_SHIFT);
	}
	vfree(memory->data);
	vfree(memory->meta);
	memory->data = data;
	memory->meta = meta;
	memory->bytes = bytes;
	return 0;
}

struct farmem_local_memory *farmem_local_open(struct farmem_session *s,
					      const u8 *uuid, u64 bytes)
{
	struct farmem_local_memory *memory = local_find(s, uuid);
	u64 available = (u64)si_mem_available() << PAGE_SHIFT;

	/* vmalloc would drive the machine into OOM before it fails. */
	if ((!memory || memory->bytes < bytes) && bytes > available) {
		farmem_session_reason(s, -ENOSPC,
			"this machine has %llu MiB available, %llu MiB asked for; lower size=",
			available >> 20, bytes >> 20);
		return ERR_PTR(-ENOSPC);
	}
	if (!memory) {
		memory = farmem_fault_alloc(kzalloc(sizeof(*memory), GFP_KERNEL));
		if (!memory) {
			farmem_session_reason(s, -ENOMEM, "no memory for the volume");
			return ERR_PTR(-ENOMEM);
		}
		memcpy(memory->uuid, uuid, FARMEM_ID_LEN);
		list_add(&memory->entry, &s->local->memories);
	}
	if (memory->bytes < bytes && local_grow(memory, bytes)) {
		if (!memory->bytes)
			local_free_memory(memory);
		farmem_session_reason(s, -ENOMEM, "no memory for the volume");
		return ERR_PTR(-ENOMEM);
	}
	return memory;
}

void farmem_local_close(struct farmem_session *s, const u8 *uuid, bool release)
{
	struct farmem_local_memory *memory = local_find(s, uuid);

	if (release)
		local_free_memory(memory);
}

void farmem_local_copy_bio(struct bio *bio, void *data)
{
	bool write = op_is_write(bio_op(bio));
	struct bvec_iter iter;
	struct bio_vec bv;
	void *page;

	bio_for_each_segment(bv, bio, iter) {
		page = kmap_local_page(bv.bv_page);
		if (write)
			memcpy(data, page + bv.bv_offset, bv.bv_len);
		else
			memcpy(page + bv.bv_offset, data, bv.bv_len);
		kunmap_local(page);
		if (!write)
			flush_dcache_page(bv.bv_page);
		data += bv.bv_len;
	}
}
