// SPDX-License-Identifier: GPL-2.0
/*
 * volume.c - volumes: configuration, the slab map, power on and off.
 *
 * volume->lock serializes power and configuration and is taken before the
 * session's.  The I/O path takes neither: what it reads is set before the disk
 * appears and freed after the last reference of volume->io is gone.
 */
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "block.h"
#include "io.h"
#include "local.h"
#include "volume.h"

#define META_CHUNK (64u << 10)
#define MIN_SIZE (1u << 20)

__printf(3, 4)
static int because(struct farmem_volume *v, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(v->reason, sizeof(v->reason), fmt, args);
	va_end(args);
	return err;
}

/* What the session said is what the user needs to read. */
static int session_said(struct farmem_volume *v, int err)
{
	farmem_session_copy_reason(v->session, v->reason, sizeof(v->reason));
	return err;
}

const char *farmem_volume_state(const struct farmem_volume *v)
{
	if (!v->powered)
		return "off";
	return farmem_session_live(v->session) ? "live" : "failed";
}

static void session_changed(struct farmem_session_user *user)
{
	struct farmem_volume *v =
		container_of(user, struct farmem_volume, user);

	farmem_block_uevent(v, farmem_volume_state(v));
}

static void io_drained(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct farmem_volume, io)->io_done);
}

/* The same volume for the same names, so that a reload finds its data. */
static void default_uuid(struct farmem_volume *v)
{
	char text[FARMEM_NAME_LEN + FARMEM_VOLUME_NAME_LEN + 20];
	u8 digest[SHA256_DIGEST_SIZE];
	int len;

	len = scnprintf(text, sizeof(text), "farmem-volume:%s/%s",
			v->session->client, v->name);
	sha256(text, len, digest);
	memcpy(v->uuid.b, digest, sizeof(v->uuid.b));
	/* RFC 9562: version 8 (custom), variant 10. */
	v->uuid.b[6] = (v->uuid.b[6] & 0x0f) | 0x80;
	v->uuid.b[8] = (v->uuid.b[8] & 0x3f) | 0x80;
}

static int add_extent(struct farmem_volume *v,
		      const struct farmem_extent *extent)
{
	struct farmem_extent *more;
	unsigned int room;

	if (v->extent_count == v->extent_room) {
		room = max(2 * v->extent_room, 8u);
		more = kvcalloc(room, sizeof(*more), GFP_KERNEL);
		if (!more)
			return -ENOMEM;
		if (v->extent_count)
			memcpy(more, v->extents,
			       v->extent_count * sizeof(*more));
		kvfree(v->extents);
		v->extents = more;
		v->extent_room = room;
	}
	v->extents[v->extent_count++] = *extent;
	v->slab_count += extent->bytes >> v->slab_shift;
	return 0;
}

static int take_part(const struct farmem_grant_info *info, void *private)
{
	struct farmem_volume *v = private;
	struct farmem_extent extent;
	unsigned int i;
	int err;

	v->slab_shift = ilog2(info->slab_size);
	v->fresh = info->flags & FARMEM_GRANT_NEW;
	for (i = 0; i < info->region_count; i++) {
		const struct farmem_region *r = &info->region[i];

		extent = (struct farmem_extent){
			.session = v->session,
			.start = (u64)le32_to_cpu(r->first_slab)
				 << v->slab_shift,
			.bytes = (u64)le32_to_cpu(r->slab_count)
				 << v->slab_shift,
			.addr = le64_to_cpu(r->addr),
			.meta_addr = le64_to_cpu(r->meta_addr),
			.rkey = le32_to_cpu(r->rkey),
			.meta_rkey = le32_to_cpu(r->meta_rkey),
		};
		err = add_extent(v, &extent);
		if (err)
			return err;
	}
	return 0;
}

static int open_remote(struct farmem_volume *v)
{
	struct farmem_open open = {
		.capacity = cpu_to_le64(v->wanted_size),
		.generation = cpu_to_le64(v->generation),
		.flags = cpu_to_le32(v->generation ? FARMEM_OPEN_GENERATION :
						     FARMEM_OPEN_CREATE),
	};
	int err;

	memcpy(open.uuid, v->uuid.b, sizeof(open.uuid));
	memcpy(open.name, v->name, strnlen(v->name, sizeof(open.name) - 1));
	err = farmem_control_open(v->session, &open, take_part, v);
	if (!err)
		return 0;
	session_said(v, err);
	/* The server may have granted what we could not take. */
	if (farmem_session_live(v->session)) {
		farmem_session_restart_clock(v->session);
		farmem_control_close(v->session, v->uuid.b, FARMEM_MSG_CLOSE);
	}
	return err;
}

static int open_local(struct farmem_volume *v)
{
	struct farmem_local_memory *memory;
	struct farmem_extent extent;

	v->slab_shift = ilog2(v->session->slab_size);
	memory = farmem_local_open(v->session, v->uuid.b,
				   round_up(v->wanted_size,
					    v->session->slab_size));
	if (IS_ERR(memory))
		return session_said(v, PTR_ERR(memory));
	extent = (struct farmem_extent){
		.session = v->session,
		.bytes = memory->bytes,
		.data = memory->data,
		.meta = memory->meta,
	};
	return add_extent(v, &extent);
}

static int map_slabs(struct farmem_volume *v)
{
	unsigned int i, slab = 0;
	u64 covered;

	v->slabs = kvcalloc(v->slab_count, sizeof(*v->slabs), GFP_KERNEL);
	if (!v->slabs)
		return because(v, -ENOMEM, "no memory for the slab map");
	for (i = 0; i < v->extent_count; i++) {
		for (covered = 0; covered < v->extents[i].bytes;
		     covered += 1ull << v->slab_shift)
			v->slabs[slab++] = &v->extents[i];
	}
	return 0;
}

enum meta_direction { META_LOAD, META_STORE };

/* Move an extent's page states, a chunk at a time. */
static int move_states(struct farmem_volume *v, struct farmem_extent *extent,
		       enum meta_direction way, u8 *chunk)
{
	u64 first = extent->start >> FARMEM_PAGE_SHIFT;
	u64 pages = extent->bytes >> FARMEM_PAGE_SHIFT, done;
	u32 n;
	int err;

	for (done = 0; done < pages; done += n) {
		n = min_t(u64, pages - done, META_CHUNK);
		if (way == META_STORE)
			farmem_zeromap_store(&v->zeromap, first + done, chunk,
					     n);
		err = farmem_session_transfer(v->session, way == META_LOAD ?
					      FARMEM_OP_READ : FARMEM_OP_WRITE,
					      extent->meta_addr + done,
					      extent->meta_rkey,
					      virt_to_page(chunk), n);
		if (err)
			return session_said(v, err);
		if (way == META_LOAD)
			farmem_zeromap_load(&v->zeromap, first + done, chunk,
					    n);
		/* A big volume takes many: each gets the full time. */
		farmem_session_restart_clock(v->session);
	}
	return 0;
}

static int sync_states(struct farmem_volume *v, enum meta_direction way)
{
	unsigned int i;
	int err = 0;
	u8 *chunk;

	chunk = kmalloc(META_CHUNK, GFP_KERNEL);
	if (!chunk)
		return because(v, -ENOMEM, "no memory for page states");
	for (i = 0; i < v->extent_count && !err; i++) {
		struct farmem_extent *extent = &v->extents[i];
		u64 pages = extent->bytes >> FARMEM_PAGE_SHIFT;

		if (!extent->data)
			err = move_states(v, extent, way, chunk);
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

static void free_map(struct farmem_volume *v)
{
	farmem_zeromap_free(&v->zeromap);
	kvfree(v->slabs);
	kvfree(v->extents);
	v->slabs = NULL;
	v->extents = NULL;
	v->extent_count = v->extent_room = v->slab_count = 0;
}

static void give_up_memory(struct farmem_volume *v, bool release, int *err)
{
	struct farmem_session *s = v->session;

	if (!farmem_session_live(s)) {
		if (release)
			*err = because(v, -ENOTCONN,
				       "session %s is not live: the server keeps the memory; release it there (farmemctl server release)",
				       s->name);
		return;
	}
	if (s->local) {
		farmem_local_close(s, v->uuid.b, release);
		return;
	}
	*err = farmem_control_close(s, v->uuid.b, release ?
				    FARMEM_MSG_RELEASE : FARMEM_MSG_CLOSE);
	if (*err)
		session_said(v, *err);
}

/* Session's lock held: from the grant to a map that I/O can use. */
static int open_memory(struct farmem_volume *v)
{
	struct farmem_session *s = v->session;
	int ignored = 0, err;

	v->fresh = false;
	err = s->local ? open_local(v) : open_remote(v);
	if (err) {
		free_map(v);
		return err;
	}
	v->size = v->wanted_size ?: (u64)v->slab_count << v->slab_shift;
	err = map_slabs(v);
	if (!err) {
		err = farmem_zeromap_init(&v->zeromap,
				(u64)v->slab_count << (v->slab_shift -
						       FARMEM_PAGE_SHIFT));
		if (err)
			because(v, err, "no memory for the zero map");
	}
	if (!err && !v->fresh)
		err = sync_states(v, META_LOAD);
	if (err) {
		give_up_memory(v, false, &ignored);
		free_map(v);
	}
	return err;
}

static int check_config(struct farmem_volume *v)
{
	if (v->wanted_size % FARMEM_PAGE_SIZE || v->wanted_size < MIN_SIZE ||
	    v->wanted_size > FARMEM_CAPACITY_MAX)
		return because(v, -EINVAL,
			       "size=%llu: give a multiple of 4096 bytes, from 1M to 64T",
			       v->wanted_size);
	if (v->want_sync && !FARMEM_HAVE_SYNC)
		return because(v, -EOPNOTSUPP,
			       "sync=1 needs Linux 6.11 or newer; leave it 0");
	v->session = farmem_session_get(v->session_name);
	if (!v->session)
		return because(v, -ENOENT, "no session %s; create it first",
			       v->session_name);
	return 0;
}

static int power_on_with_session(struct farmem_volume *v)
{
	struct farmem_session *s = v->session;
	int err, ignored = 0;

	farmem_session_begin(s);
	err = farmem_session_attach(s, &v->user);
	if (err) {
		farmem_session_end(s);
		return because(v, err, "session %s is %s; power it on first",
			       s->name, farmem_session_state_name(s->state));
	}
	if (uuid_is_null(&v->uuid))
		default_uuid(v);
	err = open_memory(v);
	farmem_session_end(s);
	if (err)
		goto detach;

	v->generation = s->generation;
	v->sync = v->want_sync;
	v->closing = false;
	reinit_completion(&v->io_done);
	percpu_ref_reinit(&v->io);
	v->powered = true;
	err = farmem_block_add(v);
	if (!err) {
		farmem_block_uevent(v, farmem_volume_state(v));
		return 0;
	}

	because(v, err, "the disk cannot be added (%d)", err);
	v->powered = false;
	percpu_ref_kill(&v->io);
	wait_for_completion(&v->io_done);
	farmem_session_begin(s);
	give_up_memory(v, false, &ignored);
	farmem_session_end(s);
	free_map(v);
detach:
	farmem_session_begin(s);
	farmem_session_detach(s, &v->user);
	farmem_session_end(s);
	return err;
}

int farmem_volume_power_on(struct farmem_volume *v)
{
	int err;

	mutex_lock(&v->lock);
	if (v->powered) {
		mutex_unlock(&v->lock);
		return -EALREADY;
	}
	v->reason[0] = '\0';
	err = check_config(v);
	if (!err) {
		err = power_on_with_session(v);
		if (err) {
			farmem_session_put(v->session);
			v->session = NULL;
		}
	}
	if (err)
		pr_err("volume %s: %s (%d)\n", v->name,
		       *v->reason ? v->reason : "interrupted", err);
	else
		pr_info("volume %s: /dev/farmem%d, %llu MiB in %u regions of session %s, uuid %pUb%s\n",
			v->name, v->index, v->size >> 20, v->extent_count,
			v->session->name, &v->uuid, v->fresh ? ", new" : "");
	mutex_unlock(&v->lock);
	return err;
}

/* Refuse new openers; fails while there are some. */
static int begin_closing(struct farmem_volume *v)
{
	int err = 0;

	spin_lock(&v->open_lock);
	if (v->opened)
		err = -EBUSY;
	else
		v->closing = true;
	spin_unlock(&v->open_lock);
	return err ? because(v, err,
			     "/dev/farmem%d is in use (%u openers); swapoff or umount it first",
			     v->index, v->opened) : 0;
}

static int power_off(struct farmem_volume *v, bool release)
{
	struct farmem_session *s = v->session;
	int err;

	err = begin_closing(v);
	if (err)
		return err;
	v->reason[0] = '\0';

	/*
	 * Nobody submits after del_gendisk(), but what was accepted before may
	 * still be under way: each bio holds a reference.
	 */
	farmem_block_uevent(v, "off");
	farmem_block_remove(v);
	percpu_ref_kill(&v->io);
	if (!wait_for_completion_timeout(&v->io_done,
					 s->connect_timeout * HZ)) {
		/* The fence ends what the transport does not. */
		farmem_session_fail(s, -ETIMEDOUT, "I/O of volume %s does not end",
				    v->name);
		wait_for_completion(&v->io_done);
	}
	flush_work(&v->resubmit);

	farmem_session_begin(s);
	if (!release && v->zeromap.dirty && farmem_session_live(s))
		err = sync_states(v, META_STORE);
	give_up_memory(v, release, &err);
	farmem_session_detach(s, &v->user);
	farmem_session_end(s);

	v->powered = false;
	farmem_block_put(v);
	free_map(v);
	if (release)
		v->generation = 0;
	farmem_session_put(s);
	v->session = NULL;
	pr_info("volume %s: off%s\n", v->name,
		release && !err ? ", memory released" : "");
	return release ? err : 0;
}

int farmem_volume_power_off(struct farmem_volume *v, bool release)
{
	int err = 0;

	mutex_lock(&v->lock);
	if (v->powered)
		err = power_off(v, release);
	mutex_unlock(&v->lock);
	return err;
}

int farmem_volume_opened(struct farmem_volume *v)
{
	int err = 0;

	spin_lock(&v->open_lock);
	if (v->closing)
		err = -ENXIO;
	else
		v->opened++;
	spin_unlock(&v->open_lock);
	return err;
}

void farmem_volume_closed(struct farmem_volume *v)
{
	spin_lock(&v->open_lock);
	v->opened--;
	spin_unlock(&v->open_lock);
}

struct farmem_volume *farmem_volume_create(const char *name)
{
	struct farmem_volume *v;
	int err = -ENOMEM;

	v = kzalloc(sizeof(*v), GFP_KERNEL);
	if (!v)
		return ERR_PTR(-ENOMEM);
	if (strscpy(v->name, name, sizeof(v->name)) < 0) {
		err = -ENAMETOOLONG;
		goto free;
	}
	v->stats = alloc_percpu(struct farmem_stats);
	if (!v->stats)
		goto free;
	err = percpu_ref_init(&v->io, io_drained, PERCPU_REF_ALLOW_REINIT |
			      PERCPU_REF_INIT_DEAD, GFP_KERNEL);
	if (err)
		goto free_stats;
	mutex_init(&v->lock);
	spin_lock_init(&v->open_lock);
	spin_lock_init(&v->resubmit_lock);
	bio_list_init(&v->resubmit_bios);
	INIT_WORK(&v->resubmit, farmem_io_resubmit);
	init_completion(&v->io_done);
	v->user.changed = session_changed;
	return v;

free_stats:
	free_percpu(v->stats);
free:
	kfree(v);
	return ERR_PTR(err);
}

void farmem_volume_free(struct farmem_volume *v)
{
	percpu_ref_exit(&v->io);
	free_percpu(v->stats);
	mutex_destroy(&v->lock);
	kfree(v);
}
