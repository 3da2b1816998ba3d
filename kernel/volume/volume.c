// SPDX-License-Identifier: GPL-2.0
/*
 * volume.c - volumes: configuration, power on and off, what their session tells.
 *
 * volume->lock serializes power and configuration and is taken before the
 * session's.  The I/O path takes neither: what it reads is set before the disk
 * appears and freed after the last reference of volume->io is gone.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "park.h"
#include "session-power.h"
#include "volume.h"

#define MIN_SIZE (1u << 20)

/* So many cut bios make progress without free memory. */
#define SPLIT_BIOS 16

__printf(3, 4)
static int volume_reason(struct farmem_volume *v, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(v->reason, sizeof(v->reason), fmt, args);
	va_end(args);
	return err;
}

/* What the session said is what the user needs to read. */
static int volume_copy_reason(struct farmem_volume *v, int err)
{
	farmem_session_copy_reason(v->memory.session, v->reason, sizeof(v->reason));
	return err;
}

const char *farmem_volume_state(const struct farmem_volume *v)
{
	if (!v->powered)
		return "off";
	if (farmem_memory_lost(&v->memory))
		return "lost";
	switch (READ_ONCE(v->memory.session->state)) {
	case FARMEM_SESSION_LIVE:
		return farmem_memory_away(&v->memory) ? "recovering" : "live";
	case FARMEM_SESSION_RECOVERING:
		return "recovering";
	default:
		return "failed";
	}
}

static void volume_session_changed(struct farmem_session_user *user)
{
	farmem_park_update(container_of(user, struct farmem_volume, user));
}

static void volume_uevent_work(struct work_struct *work)
{
	struct farmem_volume *v =
		container_of(work, struct farmem_volume, announce.work);
	unsigned int noio = memalloc_noio_save();
	const char *was, *is;

	while (farmem_announce_next(&v->announce, &was, &is))
		v->ops->uevent(v, is);
	memalloc_noio_restore(noio);
}

/* The last state told is the volume's, whatever threads tell it; after "off" none is. */
static void volume_announce_state(struct farmem_volume *v)
{
	spin_lock(&v->openers.lock);
	if (v->disk && !v->openers.closing)
		farmem_announce(&v->announce, NULL, farmem_volume_state(v));
	spin_unlock(&v->openers.lock);
}

static void volume_session_announces(struct farmem_session_user *user)
{
	volume_announce_state(container_of(user, struct farmem_volume, user));
}

static int volume_session_reopens(struct farmem_session_user *user)
{
	struct farmem_volume *v =
		container_of(user, struct farmem_volume, user);
	int err = farmem_memory_reopen(&v->memory);

	if (farmem_memory_lost(&v->memory))
		farmem_park_update(v);
	return err;
}

static int volume_session_settles(struct farmem_session_user *user)
{
	struct farmem_volume *v =
		container_of(user, struct farmem_volume, user);
	int err = farmem_memory_settle(&v->memory);

	if (farmem_memory_lost(&v->memory))
		farmem_park_update(v);
	return err;
}

static bool volume_session_retries(struct farmem_session_user *user)
{
	struct farmem_volume *v =
		container_of(user, struct farmem_volume, user);

	if (!farmem_memory_away(&v->memory))
		return false;
	/* An error is the session's, which then tells all. */
	if (!volume_session_reopens(user))
		volume_session_settles(user);
	if (farmem_memory_away(&v->memory))
		return true;
	farmem_park_update(v);
	volume_announce_state(v);
	return false;
}

static void volume_io_drained(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct farmem_volume, io)->io_done);
}

/* The same volume for the same names, so that a reload finds its data. */
static void volume_default_uuid(struct farmem_volume *v)
{
	char text[FARMEM_NAME_LEN + FARMEM_VOLUME_NAME_LEN + 20];
	u8 digest[SHA256_DIGEST_SIZE];
	int len;

	len = scnprintf(text, sizeof(text), "farmem-volume:%s/%s",
			v->memory.session->config.client, v->name);
	sha256(text, len, digest);
	memcpy(v->memory.uuid.b, digest, sizeof(v->memory.uuid.b));
	/* RFC 9562: version 8 (custom), variant 10. */
	v->memory.uuid.b[6] = (v->memory.uuid.b[6] & 0x0f) | 0x80;
	v->memory.uuid.b[8] = (v->memory.uuid.b[8] & 0x3f) | 0x80;
}

static int volume_check_config(struct farmem_volume *v)
{
	if (v->memory.wanted_size % FARMEM_PAGE_SIZE || v->memory.wanted_size < MIN_SIZE ||
	    v->memory.wanted_size > FARMEM_CAPACITY_MAX)
		return volume_reason(v, -EINVAL,
			       "size=%llu: give a multiple of 4096 bytes, from 1M to 64T",
			       v->memory.wanted_size);
	if (v->want_sync && !FARMEM_HAVE_SYNC)
		return volume_reason(v, -EOPNOTSUPP,
			       "sync=1 needs Linux 6.11 or newer; leave it 0");
	if (v->want_sync && farmem_pair_has(&v->memory.pair))
		return volume_reason(v, -EINVAL,
			       "sync=1 and partner= exclude each other, for I/O of a synchronous volume cannot wait; leave one of them out");
	v->memory.session = farmem_session_get(v->session_name);
	if (!v->memory.session)
		return volume_reason(v, -ENOENT, "no session %s; create it first",
			       v->session_name);
	return 0;
}

static int volume_not_live(struct farmem_volume *v, const struct farmem_session *s)
{
	enum farmem_session_state state = READ_ONCE(s->state);

	return volume_reason(v, -ENOTCONN, "session %s is %s; %s",
			s->name, farmem_session_state_name(state),
			state == FARMEM_SESSION_RECOVERING ?
			"wait until it is live" : "power it on first");
}

static bool volume_is_switched(const struct farmem_session *s)
{
	enum farmem_session_state state = READ_ONCE(s->state);

	return state == FARMEM_SESSION_CONNECTING || state == FARMEM_SESSION_CLOSING;
}

/*
 * Scripts that are started at once share a session: one switches it on or off, and what
 * comes of that decides about the other's volume.  The script that does it has the lock,
 * for a bounded time.
 */
static int volume_await_switching(struct farmem_session *s)
{
	unsigned long end = jiffies + s->config.connect_timeout * HZ;

	while (volume_is_switched(s) && time_before(jiffies, end)) {
		if (mutex_lock_interruptible(&s->lock))
			return -EINTR;
		mutex_unlock(&s->lock);
	}
	return 0;
}

/* Two disks over the same memory: the server grants it once, and CLOSEs both. */
static int volume_check_uuid(struct farmem_volume *v)
{
	struct farmem_session_user *user;
	struct farmem_volume *other;

	list_for_each_entry(user, &v->memory.session->users, entry) {
		other = container_of(user, struct farmem_volume, user);
		if (uuid_equal(&other->memory.uuid, &v->memory.uuid))
			return volume_reason(v, -EBUSY,
				"volume %s has this uuid and is on; give each volume its own uuid",
				other->name);
	}
	return 0;
}

static int volume_attach(struct farmem_volume *v)
{
	int err;

	if (uuid_is_null(&v->memory.uuid))
		volume_default_uuid(v);
	err = volume_check_uuid(v);
	if (err)
		return err;
	return farmem_session_attach(v->memory.session, &v->user) ?
		volume_not_live(v, v->memory.session) : 0;
}

/* For the client that opens it next. */
static void volume_store_states(struct farmem_volume *v)
{
	int err = -ENOTCONN;

	if (!v->memory.zeromap.dirty)
		return;
	if (farmem_memory_live(&v->memory))
		err = farmem_memory_store_states(&v->memory);
	if (err && READ_ONCE(v->memory.zeromap.doubtful))
		pr_warn("volume %s: goes off after discards or writes that failed, and farmem cannot tell the server what reads of their pages returned (%d); the next reads may return the other contents\n",
			v->name, err);
}

static int volume_give_up_memory(struct farmem_volume *v, bool release)
{
	int err = farmem_memory_close(&v->memory, release);

	if (err && farmem_session_live(v->memory.session))
		volume_copy_reason(v, err);
	else if (err && release)
		volume_reason(v, err,
			      "session %s is not live: the server keeps the memory; release it there (farmemctl server release)",
			      v->memory.session->name);
	return release ? err : 0;
}

/* No I/O comes any more.  What was accepted holds a reference each, and ends. */
static void volume_drain(struct farmem_volume *v)
{
	struct farmem_session *s = v->memory.session;

	farmem_pair_leave(&v->memory);
	percpu_ref_kill(&v->io);
	/* Nobody has the disk open: what is still parked is missed by nobody. */
	farmem_park_shut(v);
	if (!wait_for_completion_timeout(&v->io_done, s->config.connect_timeout * HZ)) {
		/* The fence ends what the transport does not. */
		farmem_session_fail(s, -ETIMEDOUT, "I/O of volume %s does not end",
				    v->name);
		wait_for_completion(&v->io_done);
	}
	flush_work(&v->resubmit.work);
	flush_work(&v->park.replay);
}

/* Ends what farmem_session_begin() began.  Drained: nothing of it runs after this. */
static void volume_detach(struct farmem_volume *v)
{
	struct farmem_session *s = v->memory.session;

	/* In one go: a volume that is not open cannot be opened again. */
	farmem_session_detach(s, &v->user);
	farmem_session_end(s);
	farmem_park_stop(v);
}

static int volume_leave_session(struct farmem_volume *v, bool release)
{
	int err;

	farmem_session_begin(v->memory.session);
	if (!release)
		volume_store_states(v);
	err = volume_give_up_memory(v, release);
	volume_detach(v);
	v->powered = false;
	return err;
}

static int volume_power_on_with_session(struct farmem_volume *v)
{
	struct farmem_session *s = v->memory.session;
	int err;

	err = volume_await_switching(s);
	if (err)
		return err;
	/* Asking for the lock would end an attempt to reconnect, which matters more. */
	if (!farmem_session_live(s))
		return volume_not_live(v, s);
	farmem_session_begin(s);
	err = volume_attach(v);
	if (err) {
		farmem_session_end(s);
		return err;
	}
	v->memory.policy.shut = false;
	err = farmem_memory_open(&v->memory);
	if (err) {
		strscpy(v->reason, v->memory.reason, sizeof(v->reason));
		volume_detach(v);
		return err;
	}
	farmem_session_end(s);

	v->memory.policy.sync = v->want_sync;
	farmem_pair_join(&v->memory);
	v->openers.closing = false;
	reinit_completion(&v->io_done);
	percpu_ref_reinit(&v->io);
	v->powered = true;
	err = v->ops->add(v);
	if (!err) {
		volume_announce_state(v);
		return 0;
	}

	volume_drain(v);
	volume_leave_session(v, false);
	farmem_memory_free(&v->memory);
	return volume_reason(v, err, "the disk cannot be added (%d)", err);
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
	err = volume_check_config(v);
	if (!err) {
		err = volume_power_on_with_session(v);
		if (err) {
			farmem_session_put(v->memory.session);
			v->memory.session = NULL;
		}
	}
	if (err)
		pr_err("volume %s: %s (%d)\n", v->name,
		       *v->reason ? v->reason : "interrupted", err);
	else
		pr_info("volume %s: /dev/farmem%d, %llu MiB in %u regions of session %s, uuid %pUb%s\n",
			v->name, v->index, v->memory.size >> 20, v->memory.extent_count,
			v->memory.session->name, &v->memory.uuid, v->memory.granted == FARMEM_GRANTED_NEW ?
			", new" : "");
	mutex_unlock(&v->lock);
	return err;
}

/* Refuse new openers; fails while there are some. */
static int volume_begin_closing(struct farmem_volume *v)
{
	int err = 0;

	spin_lock(&v->openers.lock);
	if (v->openers.count)
		err = -EBUSY;
	else
		v->openers.closing = true;
	spin_unlock(&v->openers.lock);
	return err ? volume_reason(v, err,
			     "/dev/farmem%d is in use (%u openers); swapoff or umount it first",
			     v->index, v->openers.count) : 0;
}

static int volume_go_off(struct farmem_volume *v, bool release)
{
	struct farmem_session *s = v->memory.session;
	int err;

	err = volume_begin_closing(v);
	if (err)
		return err;
	v->reason[0] = '\0';

	farmem_announce(&v->announce, NULL, "off");
	farmem_announce_flush(&v->announce);
	v->ops->remove(v);
	volume_drain(v);
	err = volume_leave_session(v, release);
	v->ops->put(v);
	farmem_memory_free(&v->memory);
	if (release)
		v->memory.generation = 0;
	farmem_session_put(s);
	v->memory.session = NULL;
	pr_info("volume %s: off%s\n", v->name,
		release && !err ? ", memory released" : "");
	return err;
}

int farmem_volume_power_off(struct farmem_volume *v, bool release)
{
	int err = 0;

	mutex_lock(&v->lock);
	if (v->powered)
		err = volume_go_off(v, release);
	mutex_unlock(&v->lock);
	return err;
}

int farmem_volume_opened(struct farmem_volume *v)
{
	int err = 0;

	spin_lock(&v->openers.lock);
	if (v->openers.closing)
		err = -ENXIO;
	else
		v->openers.count++;
	spin_unlock(&v->openers.lock);
	return err;
}

void farmem_volume_closed(struct farmem_volume *v)
{
	spin_lock(&v->openers.lock);
	v->openers.count--;
	spin_unlock(&v->openers.lock);
}

void farmem_volume_resubmit(struct farmem_volume *v, struct bio_list *bios)
{
	unsigned long flags;

	/* Under the lock: the work may end the last of them, and the volume go. */
	spin_lock_irqsave(&v->resubmit.lock, flags);
	bio_list_merge(&v->resubmit.bios, bios);
	queue_work(v->memory.session->io_wq, &v->resubmit.work);
	spin_unlock_irqrestore(&v->resubmit.lock, flags);
	bio_list_init(bios);
}

static void volume_resubmit_work(struct work_struct *work)
{
	struct farmem_volume *v =
		container_of(work, struct farmem_volume, resubmit.work);
	struct bio_list bios;
	struct bio *bio;

	spin_lock_irq(&v->resubmit.lock);
	bios = v->resubmit.bios;
	bio_list_init(&v->resubmit.bios);
	spin_unlock_irq(&v->resubmit.lock);
	while ((bio = bio_list_pop(&bios)))
		v->ops->resubmit(v, bio, 0);
}

struct farmem_volume *farmem_volume_create(const char *name,
					   const struct farmem_disk_ops *ops)
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
	v->ops = ops;
	v->memory.name = v->name;
	v->stats = alloc_percpu(struct farmem_stats);
	if (!v->stats)
		goto free;
	err = percpu_ref_init(&v->io, volume_io_drained, PERCPU_REF_ALLOW_REINIT |
			      PERCPU_REF_INIT_DEAD, GFP_KERNEL);
	if (err)
		goto free_stats;
	err = bioset_init(&v->split_bios, SPLIT_BIOS, 0, BIOSET_NEED_RESCUER);
	if (err)
		goto exit_io;
	mutex_init(&v->lock);
	spin_lock_init(&v->openers.lock);
	spin_lock_init(&v->resubmit.lock);
	bio_list_init(&v->resubmit.bios);
	INIT_WORK(&v->resubmit.work, volume_resubmit_work);
	init_completion(&v->io_done);
	farmem_announce_init(&v->announce, volume_uevent_work);
	farmem_park_init(&v->park);
	farmem_repost_init(&v->memory.repost);
	INIT_LIST_HEAD(&v->memory.pair.entry);
	v->memory.policy.io_deadline = FARMEM_DEADLINE_DEFAULT;
	farmem_latency_switch(&v->latency, farmem_latency_cheap());
	v->user.changed = volume_session_changed;
	v->user.announce = volume_session_announces;
	v->user.reopen = volume_session_reopens;
	v->user.settle = volume_session_settles;
	v->user.retry = volume_session_retries;
	return v;

exit_io:
	percpu_ref_exit(&v->io);
free_stats:
	free_percpu(v->stats);
free:
	kfree(v);
	return ERR_PTR(err);
}

void farmem_volume_free(struct farmem_volume *v)
{
	farmem_latency_switch(&v->latency, false);
	bioset_exit(&v->split_bios);
	percpu_ref_exit(&v->io);
	free_percpu(v->stats);
	mutex_destroy(&v->lock);
	kfree(v);
}
