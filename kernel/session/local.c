// SPDX-License-Identifier: GPL-2.0
/*
 * local.c - the loopback transport.
 *
 * A session with server=local owns a list of memories, one a volume, under
 * session->lock.  It has no queues: a request is copied, and complete when the copy
 * returns.  An address that it grants is a pointer.
 */
#include <linux/highmem.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "extent.h"
#include "fault.h"
#include "local.h"
#include "request.h"
#include "session.h"

#define LOCAL_SLAB (16u << 20)

/**
 * struct farmem_local - of a session with server=local
 * @memories: of its volumes
 * @generation: of them all: another one after the session was off
 */
struct farmem_local {
	struct list_head memories;
	u64 generation;
};

/**
 * struct local_memory - a volume's bytes on this machine
 * @entry: on its session's list
 * @uuid: of the volume
 * @bytes: of @data
 * @data: the slabs, vmalloc
 * @meta: the page state bytes, vmalloc
 */
struct local_memory {
	struct list_head entry;
	u8 uuid[FARMEM_ID_LEN];
	u64 bytes;
	void *data;
	u8 *meta;
};

int farmem_local_start(struct farmem_session *s)
{
	if (!s->local) {
		s->local = farmem_fault_alloc(kzalloc(sizeof(*s->local), GFP_KERNEL));
		if (!s->local)
			return farmem_session_reason(s, -ENOMEM, "no memory");
		INIT_LIST_HEAD(&s->local->memories);
		s->local->generation = get_random_u64() | 1;
	}
	s->set.count = s->set.granted = 0;
	s->link.generation = s->local->generation;
	s->link.slab_size = LOCAL_SLAB;
	s->link.capacity = (u64)totalram_pages() << PAGE_SHIFT;
	s->link.free = (u64)si_mem_available() << PAGE_SHIFT;
	return 0;
}

static void local_free_memory(struct local_memory *memory)
{
	list_del(&memory->entry);
	vfree(memory->data);
	vfree(memory->meta);
	kfree(memory);
}

void farmem_local_stop(struct farmem_session *s)
{
	struct local_memory *memory, *next;

	if (!s->local)
		return;
	list_for_each_entry_safe(memory, next, &s->local->memories, entry)
		local_free_memory(memory);
	kfree(s->local);
	s->local = NULL;
}

static struct local_memory *local_find(struct farmem_session *s,
				       const u8 *uuid)
{
	struct local_memory *memory;

	list_for_each_entry(memory, &s->local->memories, entry)
		if (!memcmp(memory->uuid, uuid, FARMEM_ID_LEN))
			return memory;
	return NULL;
}

/* New zeroed memory of @bytes, with the old contents in front. */
static int local_grow(struct local_memory *memory, u64 bytes)
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

static int local_have(struct farmem_session *s, const u8 *uuid, u64 bytes,
		      struct local_memory **found)
{
	struct local_memory *memory = local_find(s, uuid);
	u64 available = (u64)si_mem_available() << PAGE_SHIFT;

	/* vmalloc would drive the machine into OOM before it fails. */
	if ((!memory || memory->bytes < bytes) && bytes > available)
		return farmem_session_reason(s, -ENOSPC,
			"this machine has %llu MiB available, but size= asks for %llu MiB; lower it",
			available >> 20, bytes >> 20);
	if (!memory) {
		memory = farmem_fault_alloc(kzalloc(sizeof(*memory), GFP_KERNEL));
		if (!memory)
			return farmem_session_reason(s, -ENOMEM, "no memory for the volume");
		memcpy(memory->uuid, uuid, FARMEM_ID_LEN);
		list_add(&memory->entry, &s->local->memories);
	}
	if (memory->bytes < bytes && local_grow(memory, bytes)) {
		if (!memory->bytes)
			local_free_memory(memory);
		return farmem_session_reason(s, -ENOMEM, "no memory for the volume");
	}
	*found = memory;
	return 0;
}

/* The volume's memory went with the session that had it, or was released. */
static bool local_is_stale(struct farmem_session *s, const struct farmem_open *open)
{
	if (!(le32_to_cpu(open->flags) & FARMEM_OPEN_GENERATION))
		return false;
	return le64_to_cpu(open->generation) != s->local->generation ||
	       !local_find(s, open->uuid);
}

static int local_grant(struct farmem_session *s, const struct local_memory *memory,
		       struct farmem_grant_regions *grant)
{
	if (!grant->room)
		grant->regions = farmem_fault_alloc(kvcalloc(1, sizeof(*grant->regions),
							     GFP_KERNEL));
	if (!grant->regions)
		return farmem_session_reason(s, -ENOMEM, "no memory for the volume");
	grant->room = 1;
	grant->count = 1;
	grant->slab_size = LOCAL_SLAB;
	grant->slabs = memory->bytes / LOCAL_SLAB;
	grant->regions[0] = (struct farmem_region){
		.slab_count = cpu_to_le32(grant->slabs),
		.addr = cpu_to_le64((uintptr_t)memory->data),
		.meta_addr = cpu_to_le64((uintptr_t)memory->meta),
	};
	return 0;
}

int farmem_local_open(struct farmem_session *s, const struct farmem_open *open,
		      struct farmem_grant_regions *grant)
{
	struct local_memory *memory;
	int err;

	if (local_is_stale(s, open))
		return farmem_session_reason(s, -ESTALE, "%s",
					     farmem_reason_text(FARMEM_ERR_STALE));
	err = local_have(s, open->uuid, round_up(le64_to_cpu(open->capacity), LOCAL_SLAB),
			 &memory);
	return err ? err : local_grant(s, memory, grant);
}

void farmem_local_close(struct farmem_session *s, const u8 *uuid,
			enum farmem_msg_type type)
{
	struct local_memory *memory = local_find(s, uuid);

	if (memory && type == FARMEM_MSG_RELEASE)
		local_free_memory(memory);
}

static void local_copy(void *data, struct page *page, unsigned int offset,
		       unsigned int bytes, bool write)
{
	void *mapped = kmap_local_page(page);
	void *to = write ? data : mapped + offset;
	void *from = write ? mapped + offset : data;

	/* Of a known length: by words.  Not copy_page(): @data need not be aligned. */
	if (bytes == PAGE_SIZE)
		memcpy(to, from, PAGE_SIZE);
	else
		memcpy(to, from, bytes);
	kunmap_local(mapped);
	if (!write)
		flush_dcache_page(page);
}

static void local_copy_bio(void *data, struct bio *bio, bool write)
{
	struct bvec_iter iter;
	struct bio_vec bv;

	bio_for_each_segment(bv, bio, iter) {
		local_copy(data, bv.bv_page, bv.bv_offset, bv.bv_len, write);
		data += bv.bv_len;
	}
}

void farmem_local_serve(struct farmem_request *req)
{
	void *data = (void *)(uintptr_t)(req->extent->addr + req->within);
	u8 *meta = (u8 *)(uintptr_t)req->extent->meta_addr + (req->within >> FARMEM_PAGE_SHIFT);
	bool write = req->op == FARMEM_OP_WRITE;

	if (req->op != FARMEM_OP_ZERO && req->data.bio)
		local_copy_bio(data, req->data.bio, write);
	else if (req->op != FARMEM_OP_ZERO)
		local_copy(data, req->data.page, req->data.offset, req->bytes, write);
	memset(meta, write ? FARMEM_PAGE_DATA : FARMEM_PAGE_ZERO, req->meta_pages);
	farmem_request_complete(req, BLK_STS_OK);
}
