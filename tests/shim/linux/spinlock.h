/* SPDX-License-Identifier: GPL-2.0 */
/* spinlock.h - locks between the threads of explore.c; interrupts there are none */
#ifndef SHIM_SPINLOCK_H
#define SHIM_SPINLOCK_H

#include <linux/types.h>

typedef struct {
	int held;
} spinlock_t;

#define DEFINE_SPINLOCK(name) spinlock_t name

static inline void spin_lock_init(spinlock_t *lock)
{
	lock->held = 0;
}

static inline void spin_lock(spinlock_t *lock)
{
	shim_point(__func__);
	while (lock->held)
		shim_wait(&lock->held);
	lock->held = 1;
}

static inline bool spin_trylock(spinlock_t *lock)
{
	shim_point(__func__);
	if (lock->held)
		return false;
	lock->held = 1;
	return true;
}

static inline void spin_unlock(spinlock_t *lock)
{
	if (!lock->held)
		shim_fault("a lock is given back that nobody holds");
	lock->held = 0;
}

#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) do { (flags) = 0; spin_lock(lock); } while (0)
#define spin_unlock_irqrestore(lock, flags) do { (void)(flags); spin_unlock(lock); } while (0)
#define lockdep_assert_held(lock) ((void)WARN_ON(!(lock)->held))

#endif /* SHIM_SPINLOCK_H */
