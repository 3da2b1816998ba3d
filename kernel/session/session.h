/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - the association with one memory server: its state, its failure, its lock.
 */
#ifndef FARMEM_SESSION_H
#define FARMEM_SESSION_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/socket.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "announce.h"
#include "control.h"
#include "device.h"
#include "farmem-proto.h"
#include "heartbeat.h"
#include "key.h"
#include "queue.h"

struct farmem_auth;
struct farmem_local;

#define FARMEM_ADDR_LEN 80
#define FARMEM_REASON_LEN 400

/* So long a missing queue may keep others waiting for the session. */
#define FARMEM_SESSION_PATIENCE HZ

enum farmem_session_state {
	FARMEM_SESSION_DOWN,
	FARMEM_SESSION_CONNECTING,
	FARMEM_SESSION_LIVE,
	FARMEM_SESSION_RECOVERING,
	FARMEM_SESSION_FAILED,
	FARMEM_SESSION_CLOSING,
};

/**
 * struct farmem_session_user - a volume on a session
 * @entry: on session->users
 * @changed: the session left or entered live, and that is the first thing done
 *	about it; neither sleeps nor allocates, session->lock held
 * @announce: the same, for user space; does not sleep, session->lock held
 * @reopen: the session is connected again, and takes no requests yet: get what it
 *	granted granted again; may sleep, session->lock held.  An error: not now
 * @retry: the session is live: what it could not have again when the session came back
 *	is asked for once more; as @reopen.  Return: whether it is still to be had
 * @settle: its queues take requests, and the session is as good as live: write what
 *	must be there before that; as @reopen.  1: it was written, others are to be asked again
 */
struct farmem_session_user {
	struct list_head entry;
	void (*changed)(struct farmem_session_user *user);
	void (*announce)(struct farmem_session_user *user);
	int (*reopen)(struct farmem_session_user *user);
	int (*settle)(struct farmem_session_user *user);
	bool (*retry)(struct farmem_session_user *user);
};

/**
 * struct farmem_session_config - what the user has set, while the session was off
 * @server: ADDR:PORT, or "local"
 * @source: an address of this node, or empty
 * @client: this client's name
 * @key: where its key is, see farmem_key_read(); empty: it has none
 * @queues_max: cap of queue pairs, 0 = automatic
 * @takeover: fence a live client of the same name
 * @connect_timeout: seconds, the bound of each operation, and again whenever the
 *	server says that it is working on it
 * @reconnect_delay: seconds before the second attempt to reconnect, then twice
 *	that, and so on; 0: none is made, a session that failed stays so
 * @reconnect_max: seconds, between any two
 * @heartbeat: seconds between two; 0: none
 * @peer_timeout: milliseconds after which a peer that acknowledges nothing is gone
 */
struct farmem_session_config {
	char server[FARMEM_ADDR_LEN];
	char source[FARMEM_ADDR_LEN];
	char client[FARMEM_NAME_LEN];
	char key[FARMEM_KEY_REF_LEN];
	unsigned int queues_max;
	bool takeover;
	unsigned int connect_timeout;
	unsigned int reconnect_delay;
	unsigned int reconnect_max;
	unsigned int heartbeat;
	unsigned int peer_timeout;
};

/**
 * struct farmem_queue_set - the queues of a session, while it is powered
 * @map: for each type the queue of each possible CPU
 * @queues: @wanted of them
 * @count: the first so many are in use
 * @granted: so many they are to become
 * @wanted: as many were asked for and allocated
 * @grow_work: connects those that are missing, once the session is live: queue-set.c
 * @grow_until: jiffies; of the attempt at one of them
 * @grow_delay: jiffies until the next attempt, after one that failed
 * @growing: such an attempt is under way, by the holder of the session's lock
 */
struct farmem_queue_set {
	struct farmem_queue **map[FARMEM_QUEUE_TYPES];
	struct farmem_queue *queues;
	unsigned int count;
	unsigned int granted;
	unsigned int wanted;
	struct delayed_work grow_work;
	unsigned long grow_until;
	unsigned long grow_delay;
	bool growing;
};

/**
 * struct farmem_link - the way to the server, and what the server said last
 * @net: network namespace of the task that powered the session on
 * @device: RDMA device of the queues
 * @device_user: hears when the device goes
 * @server_addr: of the server, from the session's configuration
 * @source_addr: ours, from there; family 0: the kernel chooses
 * @token: of this connection, for all its queues
 * @generation: of the server's memory
 * @slab_size: bytes
 * @capacity: bytes that the server has
 * @lease: seconds that the server keeps the slabs of a client that is silent; 0: until released
 * @free: bytes that the server has free, as of the last heartbeat
 * @pressure: on the server's memory, in hundredths of a percent, as of the last heartbeat;
 *	see struct farmem_status
 * @wanted: bytes that the server wants back, as of the last heartbeat
 * @within: seconds until that is urgent; of no meaning if @wanted is 0
 */
struct farmem_link {
	struct net *net;
	struct farmem_device *device;
	struct notifier_block device_user;
	struct sockaddr_storage server_addr;
	struct sockaddr_storage source_addr;
	u8 token[FARMEM_ID_LEN];
	u64 generation;
	u64 slab_size;
	u64 capacity;
	u64 free;
	u64 wanted;
	u32 within;
	u32 pressure;
	u32 lease;
};

/**
 * struct farmem_recovery - from an error to the next attempt
 * @error_work: takes the session down, once it has left live
 * @reconnect_work: an attempt
 * @left_live: jiffies; set before the session's state
 * @attempts: to reconnect, since requests succeeded
 * @fenced: its queues are down; under the session's lock
 * @logged: what of the last attempt that failed is in the log, hashed
 */
struct farmem_recovery {
	struct work_struct error_work;
	struct delayed_work reconnect_work;
	unsigned long left_live;
	unsigned int attempts;
	bool fenced;
	u32 logged;
};

/*
 * Memory that recovery can do without for now.  What GFP_KERNEL cannot have in a kernel
 * thread that must not start I/O it asks for again, without an end, and the session with it.
 */
#define FARMEM_GFP_MAY_FAIL (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct farmem_session - one memory server, one client name
 * @state: changed by farmem_session_enter() alone
 * @max_sge: of its device, 0 = any
 * @max_segment: bytes of an SGE, of its device, 0 = any
 * @requests: mempool of its own requests, heartbeats and transfers, while it has queues
 * @set: its queues
 * @name: as in configfs
 * @kref: a reference for its creator, and one for each farmem_session_get()
 * @entry: on the list of sessions
 * @lock: serializes power, configuration, control requests and teardown;
 *	taken inside a volume's lock
 * @lock_wanted: so many threads wait for @lock that an attempt shall not keep waiting
 * @lock_awaited: so many wait for it at all, by farmem_session_lock() or as those do
 * @state_lock: guards @state, @abort_error, @reason and the control inbox;
 *	taken with interrupts off, nests inside everything
 * @abort_error: why waits of this session end early, 0 = they go on
 * @reason: last error, for people
 * @wait: what connecting and control requests sleep on
 * @deadline: jiffies; of the operation that holds @lock
 * @noio: what farmem_session_end() restores
 * @io_wq: for I/O that is tried again, which may wait for what the end of a recovery,
 *	or requests that are replayed, give back
 * @connect_wq: for attempts to connect, which take long
 * @error_wq: for the end of its queues, which may have to end such an attempt
 * @announce: its states, for user space
 * @config: as configured
 * @auth: the key of its connections while powered, NULL without one; read at power-on
 *	and kept, since a file might be swapped to, or lie on, this very session
 * @next_auth: the key that was set since, if @rekeyed: for when it connects anew
 * @rekeyed: @next_auth was set, maybe to NULL, and is not in use yet
 * @claimed: it alone acts as its client at its server; under the lock of the list of
 *	sessions, as @server_uuid and @identity are while it is set
 * @identity: of the client, a hash of its name
 * @server_uuid: of its server, as the last REP said
 * @proved_uuid: of the server that it was live with last, since it is on
 * @incarnation: random, of this object
 * @link: the way to its server
 * @recovery: how it comes back
 * @control: its conversation with the server, on queue 0
 * @heartbeat: of the server, and of itself
 * @users: powered volumes, under @lock
 * @user_count: their number
 * @local: this machine's memory, of the loopback transport
 */
struct farmem_session {
	enum farmem_session_state state;
	unsigned int max_sge;
	unsigned int max_segment;
	mempool_t *requests;
	struct farmem_queue_set set;

	char name[FARMEM_NAME_LEN];
	struct kref kref;
	struct list_head entry;
	struct mutex lock;
	atomic_t lock_wanted;
	atomic_t lock_awaited;
	spinlock_t state_lock;
	int abort_error;
	char reason[FARMEM_REASON_LEN];
	wait_queue_head_t wait;
	unsigned long deadline;
	unsigned int noio;
	struct workqueue_struct *io_wq;
	struct workqueue_struct *connect_wq;
	struct workqueue_struct *error_wq;
	struct farmem_announce announce;

	struct farmem_session_config config;
	struct farmem_auth *auth;
	struct farmem_auth *next_auth;
	bool rekeyed;
	bool claimed;
	u8 identity[FARMEM_ID_LEN];
	u8 server_uuid[FARMEM_ID_LEN];
	u8 proved_uuid[FARMEM_ID_LEN];
	u64 incarnation;

	struct farmem_link link;
	struct farmem_recovery recovery;
	struct farmem_control control;
	struct farmem_heartbeat heartbeat;
	struct list_head users;
	unsigned int user_count;
	struct farmem_local *local;
};

/**
 * farmem_session_wait() - sleep until a condition, an abort or the deadline
 * @s: the session, its lock held
 * @cond: re-evaluated after each wake_up of @s->wait
 *
 * An abort beats a condition that holds as well.
 *
 * Return: 0, the abort's error, -ETIMEDOUT, or -EINTR when killed.
 */
#define farmem_session_wait(s, cond)					\
({									\
	long left_ = (long)((s)->deadline - jiffies);			\
									\
	left_ = wait_event_killable_timeout((s)->wait,			\
			READ_ONCE((s)->abort_error) || (cond),		\
			max(left_, 1L));				\
	READ_ONCE((s)->abort_error) ? READ_ONCE((s)->abort_error) :	\
	left_ > 0 ? 0 : left_ == 0 ? -ETIMEDOUT : -EINTR;		\
})

/** farmem_session_get() - by name, with a reference.  Return: it or NULL. */
struct farmem_session *farmem_session_get(const char *name);

/** farmem_session_delist() - no new users by name; for its creator. */
void farmem_session_delist(struct farmem_session *s);

/** farmem_session_init() - what session.c guards of it. */
void farmem_session_init(struct farmem_session *s);

/** farmem_session_enlist() - it can be found by name; until farmem_session_delist(). */
void farmem_session_enlist(struct farmem_session *s);

/** farmem_session_enter() - change the state, and announce it; @s->lock held. */
void farmem_session_enter(struct farmem_session *s, enum farmem_session_state state);

/**
 * farmem_session_ignore_reports() - what its connections report from now on is no news
 * @s: the session
 * @err: negative errno; what waits for the session ends with it
 *
 * The attempt has ended, or the session is taken down, and its reason is known.
 * Context: process.
 */
void farmem_session_ignore_reports(struct farmem_session *s, int err);

/**
 * farmem_session_fail() - the funnel of every failure
 * @s: the session
 * @err: negative errno
 * @fmt: the reason, a sentence for people
 *
 * A live session is torn down from @s->error_wq, and then recovers, or failed if it
 * may not; an attempt to connect gives up.  Later calls change nothing.
 *
 * Context: any.
 */
__printf(3, 4)
void farmem_session_fail(struct farmem_session *s, int err, const char *fmt, ...);

/**
 * farmem_session_recover() - the session has just left live
 * @s: recovering, or failed
 *
 * From a workqueue: tells its users, ends its queues and, unless it failed,
 * connects until it is live.  Context: any.
 */
void farmem_session_recover(struct farmem_session *s);

/**
 * farmem_session_reason() - note why an operation did not work
 * @s: any state
 * @err: negative errno of the operation
 * @fmt: the reason, a sentence for people; cut to FARMEM_REASON_LEN
 *
 * Context: any.  Return: @err, for the caller to pass on.
 */
__printf(3, 4)
int farmem_session_reason(struct farmem_session *s, int err, const char *fmt, ...);

/**
 * farmem_session_forget_reason() - of a live session: what an operation complained of
 * is no longer news
 * @s: any state; unless it is live, its reason stays
 */
void farmem_session_forget_reason(struct farmem_session *s);

/** farmem_session_copy_reason() - a copy of at most @len bytes, NUL included. */
void farmem_session_copy_reason(struct farmem_session *s, char *buf, size_t len);

/**
 * farmem_session_claim() - be the one session of this node with its server
 * @s: connecting or recovering, its lock held
 * @uuid: of the server
 *
 * Return: 0, or -EBUSY with the reason set: another one is.
 */
int farmem_session_claim(struct farmem_session *s, const u8 *uuid);

/** farmem_session_unclaim() - no session came of it: what it was live with counts again */
void farmem_session_unclaim(struct farmem_session *s);

/** farmem_session_changed() - tell the users; @s->lock held, does not sleep. */
void farmem_session_changed(struct farmem_session *s);

/** farmem_session_announce() - user space shall hear of a state; @s->lock held. */
void farmem_session_announce(struct farmem_session *s,
			     enum farmem_session_state old,
			     enum farmem_session_state state);

/**
 * farmem_session_become_live() - unless it was aborted meanwhile, and tell its users
 * @s: connecting or recovering, its queues started, its lock held
 *
 * For farmem_queues_go_live() alone.  Return: 0 or the abort's error.
 */
int farmem_session_become_live(struct farmem_session *s);

/** farmem_session_state_name() - lower case, as sysfs shows it. */
const char *farmem_session_state_name(enum farmem_session_state state);

/**
 * farmem_session_attach() - a volume starts to use a live session
 * @s: in any state; an error unless it is live
 * @user: on no session; its calls may come from now on
 *
 * Context: @s->lock held.  Return: 0 or -ENOTCONN.
 */
int farmem_session_attach(struct farmem_session *s,
			  struct farmem_session_user *user);
void farmem_session_detach(struct farmem_session *s,
			   struct farmem_session_user *user);

/**
 * farmem_session_extend() - may an attempt at a missing queue go on for a while?
 * @s: its deadline is over; its lock held
 *
 * As long as nobody else wants @s->lock; then there is another deadline.
 */
bool farmem_session_extend(struct farmem_session *s);

/**
 * farmem_session_begin() - take the lock for control requests
 * @s: its lock not held
 *
 * Starts the clock of farmem_session_wait().  Until farmem_session_end()
 * allocations do no I/O: reclaim would wait for the very session whose failure
 * can't be handled while its lock is held.
 */
void farmem_session_begin(struct farmem_session *s);
void farmem_session_end(struct farmem_session *s);

/** farmem_session_lock() - take @s->lock for a look or a setting.  Return: 0 or -EINTR. */
int farmem_session_lock(struct farmem_session *s);

/**
 * farmem_session_lock_urgent() - take the session's lock, from an attempt to connect too
 * @s: recovering or not
 *
 * Another attempt follows, if the session then still recovers.  Context: may sleep.
 */
void farmem_session_lock_urgent(struct farmem_session *s);

/** farmem_session_lock_contended() - does an attempt keep somebody waiting? */
bool farmem_session_lock_contended(struct farmem_session *s);

/** farmem_session_restart_clock() - a further step gets its full time. */
static inline void farmem_session_restart_clock(struct farmem_session *s)
{
	s->deadline = jiffies + s->config.connect_timeout * HZ;
}

/** farmem_session_live() - a reader that sees it sees what was done before.  Context: any. */
static inline bool farmem_session_live(const struct farmem_session *s)
{
	return smp_load_acquire(&s->state) == FARMEM_SESSION_LIVE;
}

/** farmem_session_queue() - this CPU's queue of a type; NULL: server=local has none. */
static inline struct farmem_queue *
farmem_session_queue(struct farmem_session *s, enum farmem_queue_type type)
{
	return unlikely(s->local) ? NULL : READ_ONCE(s->set.map[type][raw_smp_processor_id()]);
}

#endif /* FARMEM_SESSION_H */
