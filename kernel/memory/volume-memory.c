// SPDX-License-Identifier: GPL-2.0
/*
 * volume-memory.c - a volume's remote memory: granted, mapped to slabs, granted
 * again when its session comes back, given up.
 *
 * Everything here but farmem_volume_free_map() runs under session->lock.
 */
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "fault.h"
#include "local.h"
#include "transfer.h"
#include "volume-memory.h"
#include "volume.h"

#define META_CHUNK (64u << 10)
/* Of memory that is short, and in pieces: the state bytes of 16 MiB. */
#define META_CHUNK_MIN (4u << 10)

/**
 * struct grant - a volume's regions, as the parts of a GRANT tell them
 * @volume: whose
 * @extents: the regions so far; NULL: they are where the volume has them already
 * @count: of them
 * @room: for so many
 * @slabs: in them
 */
struct grant {
	struct farmem_volume *volume;
	struct farmem_extent *extents;
	unsigned int count;
	unsigned int room;
	unsigned int slabs;
};

static int make_room(struct grant *g, const struct farmem_extent *known)
{
	unsigned int room = max(2 * g->count, 8u);
	struct farmem_extent *more;

	more = farmem_fault_alloc(kvcalloc(room, sizeof(*more), GFP_KERNEL));
	if (!more)
		return -ENOMEM;
	if (g->count)
		memcpy(more, known, g->count * sizeof(*more));
	kvfree(g->extents);
	g->extents = more;
	g->room = room;
	return 0;
}

static int add_extent(struct grant *g, const struct farmem_extent *extent)
{
	if (g->count == g->room && make_room(g, g->extents))
		return -ENOMEM;
	g->extents[g->count++] = *extent;
	g->slabs += extent->bytes >> g->volume->slab_shift;
	return 0;
}

static void use_extents(struct farmem_volume *v, const struct grant *g)
{
	v->extents = g->extents;
	v->extent_count = g->count;
	v->slab_count = g->slabs;
}

static struct farmem_extent extent_of(const struct farmem_volume *v,
				      const struct farmem_region *r)
{
	return (struct farmem_extent){
		.session = v->session,
		.start = (u64)le32_to_cpu(r->first_slab) << v->slab_shift,
		.bytes = (u64)le32_to_cpu(r->slab_count) << v->slab_shift,
		.addr = le64_to_cpu(r->addr),
		.meta_addr = le64_to_cpu(r->meta_addr),
		.rkey = le32_to_cpu(r->rkey),
		.meta_rkey = le32_to_cpu(r->meta_rkey),
	};
}

static int take_part(const struct farmem_grant_info *info, void *private)
{
	struct grant *g = private;
	struct farmem_volume *v = g->volume;
	struct farmem_extent extent;
	unsigned int i;
	int err;

	v->slab_shift = ilog2(info->slab_size);
	v->fresh = info->flags & FARMEM_GRANT_NEW;
	for (i = 0; i < info->region_count; i++) {
		extent = extent_of(v, &info->region[i]);
		err = add_extent(g, &extent);
		if (err)
			return farmem_session_reason(v->session, err,
					"no memory for the list of regions");
	}
	return 0;
}

/* The same slabs as in the region that the volume has at this place. */
static bool same_region(const struct grant *g, const struct farmem_extent *now)
{
	const struct farmem_volume *v = g->volume;

	return !g->extents && g->count < v->extent_count &&
	       v->extents[g->count].start == now->start &&
	       v->extents[g->count].bytes == now->bytes;
}

static int take_region_again(struct grant *g, const struct farmem_extent *now)
{
	struct farmem_volume *v = g->volume;

	if (same_region(g, now)) {
		v->extents[g->count++] = *now;
		g->slabs += now->bytes >> v->slab_shift;
		return 0;
	}
	if (!g->extents && make_room(g, v->extents))
		return -ENOMEM;
	return add_extent(g, now);
}

/*
 * The same slabs, under new addresses and keys.  In which regions they lie is the
 * server's business: it may have other gaps now, or an adapter that registers less.
 */
static int take_part_again(const struct farmem_grant_info *info, void *private)
{
	struct grant *g = private;
	struct farmem_volume *v = g->volume;
	struct farmem_extent now;
	unsigned int i;
	int err;

	if (info->slab_size != 1ull << v->slab_shift)
		return -EREMCHG;
	v->mended = info->flags & FARMEM_GRANT_MENDED;
	for (i = 0; i < info->region_count; i++) {
		now = extent_of(v, &info->region[i]);
		err = take_region_again(g, &now);
		if (err)
			return farmem_session_reason(v->session, err,
					"volume %s: no memory for the list of regions",
					v->name);
	}
	return 0;
}

static int ask_for(struct grant *g,
		   int (*part)(const struct farmem_grant_info *info,
			       void *private), u64 generation, u32 flags)
{
	struct farmem_volume *v = g->volume;
	struct farmem_open open = {
		.capacity = cpu_to_le64(v->wanted_size),
		.generation = cpu_to_le64(generation),
		.flags = cpu_to_le32(flags),
	};

	memcpy(open.uuid, v->uuid.b, sizeof(open.uuid));
	memcpy(open.name, v->name, strnlen(v->name, sizeof(open.name) - 1));
	return farmem_control_open(v->session, &open, part, g);
}

static int open_remote(struct farmem_volume *v)
{
	struct grant g = { .volume = v };
	int err = ask_for(&g, take_part, v->generation, v->generation ?
			  FARMEM_OPEN_GENERATION : FARMEM_OPEN_CREATE);

	use_extents(v, &g);
	if (!err)
		return 0;
	/* The server may have granted what we could not take. */
	if (!READ_ONCE(v->session->abort_error)) {
		farmem_session_restart_clock(v->session);
		farmem_control_close(v->session, v->uuid.b, FARMEM_MSG_CLOSE);
	}
	return err;
}

static int open_local(struct farmem_volume *v)
{
	struct farmem_local_memory *memory;
	struct grant g = { .volume = v };
	struct farmem_extent extent;
	int err;

	v->slab_shift = ilog2(v->session->slab_size);
	memory = farmem_local_open(v->session, v->uuid.b,
				   round_up(v->wanted_size,
					    v->session->slab_size));
	if (IS_ERR(memory))
		return PTR_ERR(memory);
	extent = (struct farmem_extent){
		.session = v->session,
		.bytes = memory->bytes,
		.data = memory->data,
		.meta = memory->meta,
	};
	err = add_extent(&g, &extent);
	use_extents(v, &g);
	if (!err)
		return 0;
	farmem_local_close(v->session, v->uuid.b, false);
	return farmem_session_reason(v->session, err,
				     "no memory for the list of regions");
}

/* The extent of each slab, or NULL. */
static struct farmem_extent **slabs_of(const struct farmem_volume *v,
				       struct farmem_extent *extents,
				       unsigned int count)
{
	struct farmem_extent **slabs;
	unsigned int i, slab = 0;
	u64 covered;

	slabs = farmem_fault_alloc(kvcalloc(v->slab_count, sizeof(*slabs),
					    GFP_KERNEL));
	if (!slabs)
		return NULL;
	for (i = 0; i < count; i++) {
		for (covered = 0; covered < extents[i].bytes;
		     covered += 1ull << v->slab_shift)
			slabs[slab++] = &extents[i];
	}
	return slabs;
}

static int map_slabs(struct farmem_volume *v)
{
	v->slabs = slabs_of(v, v->extents, v->extent_count);
	return v->slabs ? 0 :
		farmem_session_reason(v->session, -ENOMEM,
				      "no memory for the slab map");
}

/* What was there before a volume was granted other regions. */
struct farmem_former {
	struct farmem_former *before;
	struct farmem_extent *extents;
	struct farmem_extent **slabs;
};

/*
 * The former map stays until the volume goes off: requests that wait, and submitters on
 * their way, may still name an extent of it.  farmem_volume_place() finds the new one.
 */
static int map_anew(struct farmem_volume *v, const struct grant *g)
{
	struct farmem_former *former;
	struct farmem_extent **slabs;

	former = farmem_fault_alloc(kmalloc(sizeof(*former), GFP_KERNEL));
	slabs = former ? slabs_of(v, g->extents, g->count) : NULL;
	if (!slabs) {
		kfree(former);
		return farmem_session_reason(v->session, -ENOMEM,
				"volume %s: no memory for the slab map", v->name);
	}
	*former = (struct farmem_former){
		.before = v->former,
		.extents = v->extents,
		.slabs = v->slabs,
	};
	v->former = former;
	use_extents(v, g);
	farmem_target_change(&v->target, 0, FARMEM_TARGET_LOOK);
	smp_store_release(&v->slabs, slabs);
	pr_info("volume %s: now in %u regions\n", v->name, g->count);
	return 0;
}

bool farmem_volume_place(struct farmem_request *req)
{
	u32 bytes = req->bytes;
	struct farmem_extent *extent =
		farmem_volume_map(req->volume, req->offset, &bytes);

	if (unlikely(bytes < req->bytes))
		return false;
	req->extent = extent;
	req->within = req->offset - extent->start;
	return true;
}

/* Those that can be used: its last slab may be larger. */
static u64 pages_of(const struct farmem_volume *v)
{
	return v->size >> FARMEM_PAGE_SHIFT;
}

enum meta_direction { META_LOAD, META_STORE, META_MERGE };

static void fill_states(const struct farmem_volume *v, u64 first, u8 *states,
			u32 count)
{
	farmem_zeromap_store(&v->zeromap, first, states, count);
	farmem_lostmap_store(&v->lostmap, first, states, count);
}

static int take_states(struct farmem_volume *v, u64 first, const u8 *states,
		       u32 count)
{
	int err;

	farmem_zeromap_load(&v->zeromap, first, states, count);
	err = farmem_lostmap_load(&v->lostmap, pages_of(v),
				  v->session->generation, first, states, count);
	if (farmem_lostmap_used(&v->lostmap))
		farmem_target_change(&v->target, 0, FARMEM_TARGET_LOOK);
	return err ? farmem_session_reason(v->session, err,
					   "no memory for the lost map") : 0;
}

static int merge_states(struct farmem_volume *v, u64 first, const u8 *states,
			u32 count)
{
	int ret = farmem_lostmap_merge(&v->lostmap, &v->zeromap, pages_of(v),
				       v->session->generation, first, states, count);

	if (ret < 0)
		return farmem_session_reason(v->session, ret,
					     "no memory for the lost map");
	if (ret)
		WRITE_ONCE(v->zeromap.doubtful, true);
	if (farmem_lostmap_used(&v->lostmap))
		farmem_target_change(&v->target, 0, FARMEM_TARGET_LOOK);
	return 0;
}

/* Move an extent's page states, a chunk at a time. */
static int move_states(struct farmem_volume *v, struct farmem_extent *extent,
		       enum meta_direction way, u8 *chunk, u32 room)
{
	u64 first = extent->start >> FARMEM_PAGE_SHIFT;
	u64 pages = extent->bytes >> FARMEM_PAGE_SHIFT, done;
	u32 n;
	int err;

	room = min(room, farmem_session_transfer_max(v->session));
	for (done = 0; done < pages; done += n) {
		n = min_t(u64, pages - done, room);
		if (way == META_STORE)
			fill_states(v, first + done, chunk, n);
		err = farmem_session_transfer(v->session, way == META_STORE ?
					      FARMEM_OP_WRITE : FARMEM_OP_READ,
					      extent->meta_addr + done,
					      extent->meta_rkey,
					      virt_to_page(chunk), n);
		if (err)
			return err;
		if (way == META_LOAD)
			err = take_states(v, first + done, chunk, n);
		else if (way == META_MERGE)
			err = merge_states(v, first + done, chunk, n);
		if (err)
			return err;
		/* A big volume takes many: each gets the full time. */
		farmem_session_restart_clock(v->session);
	}
	return 0;
}

static int sync_states(struct farmem_volume *v, enum meta_direction way)
{
	u32 room = META_CHUNK;
	unsigned int i;
	int err = 0;
	u8 *chunk;

	chunk = kmalloc(room, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	if (!chunk) {
		room = META_CHUNK_MIN;
		chunk = kmalloc(room, GFP_KERNEL);
	}
	chunk = farmem_fault_alloc(chunk);
	if (!chunk)
		return farmem_session_reason(v->session, -ENOMEM,
					     "no memory for page states");
	for (i = 0; i < v->extent_count && !err; i++) {
		struct farmem_extent *extent = &v->extents[i];
		u64 pages = extent->bytes >> FARMEM_PAGE_SHIFT;

		if (!extent->data)
			err = move_states(v, extent, way, chunk, room);
		else if (way == META_LOAD)
			farmem_zeromap_load(&v->zeromap, 0, extent->meta,
					    pages);
		else
			farmem_zeromap_store(&v->zeromap, 0, extent->meta,
					     pages);
	}
	kfree(chunk);
	return err;
}

void farmem_volume_free_map(struct farmem_volume *v)
{
	struct farmem_former *former;

	while ((former = v->former)) {
		v->former = former->before;
		kvfree(former->slabs);
		kvfree(former->extents);
		kfree(former);
	}
	farmem_lostmap_free(&v->lostmap);
	farmem_zeromap_free(&v->zeromap);
	kvfree(v->slabs);
	kvfree(v->extents);
	v->slabs = NULL;
	v->extents = NULL;
	v->extent_count = v->slab_count = 0;
}

int farmem_volume_give_up_memory(struct farmem_volume *v, bool release)
{
	struct farmem_session *s = v->session;
	int err;

	/* What is away is closed. */
	if (v->lost || (v->away && !release))
		return 0;
	if (!farmem_session_live(s))
		return -ENOTCONN;
	if (s->local) {
		farmem_local_close(s, v->uuid.b, release);
		return 0;
	}
	err = farmem_control_close(s, v->uuid.b, release ?
				   FARMEM_MSG_RELEASE : FARMEM_MSG_CLOSE);
	return err == -ENOENT && v->away ? 0 : err;
}

int farmem_volume_open_memory(struct farmem_volume *v)
{
	struct farmem_session *s = v->session;
	int err;

	v->fresh = false;
	err = s->local ? open_local(v) : open_remote(v);
	if (err) {
		farmem_volume_free_map(v);
		return err;
	}
	v->size = v->wanted_size ?: (u64)v->slab_count << v->slab_shift;
	err = map_slabs(v);
	if (!err) {
		err = farmem_zeromap_init(&v->zeromap,
				(u64)v->slab_count << (v->slab_shift -
						       FARMEM_PAGE_SHIFT));
		if (err)
			farmem_session_reason(s, err, "no memory for the zero map");
	}
	if (!err && !v->fresh)
		err = sync_states(v, META_LOAD);
	if (err) {
		farmem_volume_give_up_memory(v, false);
		farmem_volume_free_map(v);
	}
	return err;
}

/*
 * The same memory, or one that the server has had since the volume went on; else the
 * volume begins anew there, unless somebody else of this name has done so already.
 */
static int ask_again(struct grant *g)
{
	struct farmem_volume *v = g->volume;
	u64 generation = v->session->generation;

	v->anew = generation != v->generation;
	v->regained = v->anew && farmem_lostmap_knows(&v->lostmap, generation);
	return ask_for(g, take_part_again, generation, FARMEM_OPEN_CONTINUE |
		       (v->anew && !v->regained ? FARMEM_OPEN_CREATE :
						  FARMEM_OPEN_GENERATION));
}

static int reopen_remote(struct farmem_volume *v)
{
	struct grant g = { .volume = v };
	int err = ask_again(&g);

	if (!err && g.slabs != v->slab_count)
		err = -EREMCHG;
	if (!err && g.extents)
		err = map_anew(v, &g);
	if (err)
		kvfree(g.extents);
	return err;
}

int farmem_volume_reopen_memory(struct farmem_volume *v)
{
	int err;

	err = reopen_remote(v);
	if (err == -EREMCHG) {
		/* So that it can be opened by who deletes this one and begins anew. */
		farmem_control_close(v->session, v->uuid.b, FARMEM_MSG_CLOSE);
		return farmem_session_reason(v->session, err,
				"volume %s: the server grants other slabs than before",
				v->name);
	}
	if (err)
		return err;
	/* Not before: it may yet be started again with its former memory. */
	err = farmem_lostmap_enter(&v->lostmap, pages_of(v), &v->zeromap,
				   v->generation, v->session->generation);
	if (err)
		return farmem_session_reason(v->session, err,
				"volume %s: no memory for the lost map", v->name);
	if (farmem_lostmap_used(&v->lostmap))
		farmem_target_change(&v->target, 0, FARMEM_TARGET_LOOK);
	return 0;
}

int farmem_volume_store_states(struct farmem_volume *v)
{
	farmem_zeromap_doubt_all(&v->zeromap);
	return sync_states(v, META_STORE);
}

static void tell(const struct farmem_volume *v)
{
	u64 lost = farmem_lostmap_count(&v->lostmap, &v->zeromap);

	if (v->regained)
		pr_warn("volume %s: the server has memory again that it had before: %llu pages are lost, which were written in between\n",
			v->name, lost);
	else
		pr_err("volume %s: the server came back with other memory: %llu pages are lost, and read as errors until they are written again; if farmemd has a pool file, start it with that; else swapoff and swapon, or make its file system anew\n",
		       v->name, lost);
}

static int settle_error(struct farmem_volume *v, int err)
{
	char reason[FARMEM_REASON_LEN];

	farmem_session_copy_reason(v->session, reason, sizeof(reason));
	return farmem_session_reason(v->session, err, "volume %s: %s", v->name, reason);
}

/* The server had memory errors: what that cost is in its page states, and only there. */
static int learn_losses(struct farmem_volume *v)
{
	u64 before = farmem_lostmap_count(&v->lostmap, &v->zeromap), lost;
	int err = sync_states(v, META_MERGE);

	if (err)
		return settle_error(v, err);
	lost = farmem_lostmap_count(&v->lostmap, &v->zeromap);
	if (lost > before)
		pr_err("volume %s: %llu pages are lost after an uncorrectable memory error at the server, and read as errors until they are written again; its log says where\n",
		       v->name, lost - before);
	return 0;
}

int farmem_volume_settle_memory(struct farmem_volume *v)
{
	struct farmem_zeromap *map = &v->zeromap;
	int err;

	err = v->mended ? learn_losses(v) : 0;
	if (err)
		return err;
	if (!v->anew && !READ_ONCE(map->doubtful))
		return 0;
	/* First: what fails from now on is another doubt. */
	WRITE_ONCE(map->doubtful, false);
	err = sync_states(v, META_STORE);
	if (err) {
		WRITE_ONCE(map->doubtful, true);
		return settle_error(v, err);
	}
	if (!v->anew)
		return 1;
	v->anew = false;
	farmem_lostmap_settle(&v->lostmap);
	v->generation = v->session->generation;
	tell(v);
	return 1;
}
