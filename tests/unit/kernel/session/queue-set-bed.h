/* SPDX-License-Identifier: GPL-2.0 */
/* queue-set-bed.h - what queue-set.c calls, and the test of it hardly looks at */
#ifndef QUEUE_SET_BED_H
#define QUEUE_SET_BED_H

/* Of session.h, queue.h and their like. */
#define FARMEM_CONNECT_H
#define FARMEM_HEARTBEAT_H
#define FARMEM_SESSION_H
#define FARMEM_SESSION_KEY_H
#define FARMEM_SESSION_PATIENCE HZ
#define FARMEM_WQ_H

#define CPUS 4
#define HZ 250
#define nr_cpu_ids CPUS
#define num_online_cpus() CPUS
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < CPUS; (cpu)++)

static unsigned long jiffies;

#define time_after(a, b) ((long)((b) - (a)) < 0)

typedef struct mempool mempool_t;
/* Of a workqueue, how often its work was asked for, and with which delay. */
struct work_struct {
	int unused;
};

struct delayed_work {
	struct work_struct work;
	unsigned int asked;
	unsigned long delay;
};

#define to_delayed_work(w) container_of(w, struct delayed_work, work)
#define INIT_DELAYED_WORK(w, f) ((void)(w), (void)(f))
#define mod_delayed_work(wq, w, d) ((w)->asked++, (w)->delay = (d))
#define mutex_lock(lock) spin_lock(lock)
#define mutex_unlock(lock) spin_unlock(lock)

struct farmem_device;
struct farmem_session;
struct ib_wc;

/* What a format of the kernel's takes for another one and its arguments. */
struct va_format {
	const char *fmt;
	va_list *va;
};

enum farmem_session_state { FARMEM_SESSION_CONNECTING, FARMEM_SESSION_LIVE };

enum farmem_queue_large { FARMEM_LARGE_NONE, FARMEM_LARGE_WRITE, FARMEM_LARGE_READ };

struct farmem_queue;

struct farmem_queue_ops {
	void (*failed)(struct farmem_queue *q, int err, enum farmem_queue_large large,
		       const char *fmt, ...);
	void (*message)(struct farmem_queue *q, struct ib_wc *wc);
};

struct farmem_queue {
	unsigned int index, mtu;
	enum farmem_connect_failure failed_at;
	bool given_up;
	bool live;
	unsigned long succeeded;
	struct farmem_session *session;
	const struct farmem_queue_ops *ops;
};

struct farmem_session {
	mempool_t *requests;
	const char *name;
	char reason[40];
	spinlock_t lock, state_lock;
	int abort_error;
	enum farmem_session_state state;
	bool live;
	struct {
		unsigned int queues_max, connect_timeout;
	} config;
	struct {
		struct farmem_queue **map[FARMEM_QUEUE_TYPES], *queues;
		unsigned int count, granted, wanted;
		struct delayed_work grow_work;
		unsigned long grow_until, grow_delay;
		bool growing;
	} set;
	unsigned long deadline;
	atomic_t lock_awaited;
	struct {
		atomic_t passed[2];
	} heartbeat;
	struct {
		struct farmem_device *device;
		int device_user;
	} link;
	int key, next_key;
};

#define synchronize_rcu() shim_point("synchronize_rcu")
#define farmem_session_reason(s, err, text) ((void)(s), (err))
#define farmem_session_forget_reason(s) ((void)(s))
#define farmem_session_key_use(s) ((void)((s)->key = (s)->next_key))
#define farmem_session_live(s) READ_ONCE((s)->live)
#define farmem_request_pool(n, gfp) ((void)(gfp), (mempool_t *)malloc(n))
#define mempool_destroy(pool) free(pool)
#define farmem_heartbeat_alloc(s) ((void)(s), 0)
#define farmem_device_put(device, user) ((void)(device), (void)(user))

static int farmem_connect_resolve(struct farmem_session *s, struct farmem_queue *q);
#define farmem_connect_establish(s, q) 0

static void farmem_queue_init(struct farmem_queue *q, struct farmem_session *s,
			      const struct farmem_queue_ops *ops, unsigned int index)
{
	q->session = s;
	q->ops = ops;
	q->index = index;
}

static void farmem_queue_start(struct farmem_queue *q, unsigned long patience)
{
	(void)patience;
	WRITE_ONCE(q->live, true);
}

static void farmem_queue_open(struct farmem_queue *q)
{
	(void)q;
}

static void farmem_queue_stop(struct farmem_queue *q)
{
	WRITE_ONCE(q->live, false);
}

static void farmem_queue_drain(struct farmem_queue *q, unsigned long deadline)
{
	(void)q;
	(void)deadline;
	shim_point(__func__);
}

static void farmem_queue_destroy(struct farmem_queue *q)
{
	(void)q;
	shim_point(__func__);
}

static void farmem_control_destroy(struct farmem_session *s)
{
	(void)s;
}

static void farmem_connect_detach(struct farmem_queue *q)
{
	(void)q;
	shim_point(__func__);
}

static void farmem_connect_disconnect(struct farmem_queue *q)
{
	(void)q;
}

static int hello_error;

static int farmem_control_hello(struct farmem_session *s)
{
	(void)s;
	return hello_error;
}

static unsigned int unclaims;

static void farmem_session_unclaim(struct farmem_session *s)
{
	(void)s;
	unclaims++;
}

static void farmem_session_ignore_reports(struct farmem_session *s, int err)
{
	spin_lock(&s->state_lock);
	if (!s->abort_error)
		WRITE_ONCE(s->abort_error, err);
	spin_unlock(&s->state_lock);
}

static bool farmem_session_lock_contended(struct farmem_session *s)
{
	(void)s;
	return false;
}

/* As session.c has it. */
static bool farmem_session_extend(struct farmem_session *s)
{
	if (READ_ONCE(s->abort_error) || !s->set.growing || atomic_read(&s->lock_awaited) ||
	    time_after(jiffies, s->set.grow_until))
		return false;
	s->deadline = jiffies + FARMEM_SESSION_PATIENCE;
	return true;
}

static int farmem_session_become_live(struct farmem_session *s)
{
	s->live = true;
	return 0;
}

static const char *failed_for;

static void farmem_session_fail(struct farmem_session *s, int err, const char *fmt, ...)
{
	(void)s;
	(void)err;
	failed_for = fmt;
}

#define farmem_session_announce(s, was, is) ((void)(s), (void)(was), (void)(is))
#define farmem_heartbeat_start(s) ((void)(s))
#define farmem_heartbeat_patience(s) ((void)(s), 19ul * HZ)
#define farmem_control_arrived(s, wc) ((void)(s), (void)(wc))

#endif /* QUEUE_SET_BED_H */
