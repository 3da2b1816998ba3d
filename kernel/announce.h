/* SPDX-License-Identifier: GPL-2.0 */
/*
 * announce.h - states told to user space, in order, by a thread that holds no lock.
 *
 * To send a uevent the kernel takes a mutex that all uevents share.  Its holder may
 * wait for memory, memory may wait for swap, and swap may wait for the very session
 * whose state is told.  So the thread that changes a state only notes it here.
 */
#ifndef FARMEM_ANNOUNCE_H
#define FARMEM_ANNOUNCE_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* States that wait to be told, of one object. */
#define FARMEM_ANNOUNCE_ROOM 16

/**
 * struct farmem_announce - the states of a session or of a volume, for user space
 * @lock: guards @ring, @head and @tail; taken with interrupts off
 * @ring: what is to be told, the names of states
 * @head: how many were told, ever: the next one's place in @ring, modulo its length
 * @tail: how many were noted, ever: the next one's place in @ring, likewise
 * @work: its owner's, which tells what farmem_announce_next() has
 */
struct farmem_announce {
	spinlock_t lock;
	struct {
		const char *was;
		const char *is;
	} ring[FARMEM_ANNOUNCE_ROOM];
	unsigned int head;
	unsigned int tail;
	struct work_struct work;
};

/**
 * farmem_announce_init() - nothing is to be told
 * @a: of a new object
 * @work: sends a uevent for each farmem_announce_next(); never runs twice at once, so what
 *	is taken is told in order
 */
void farmem_announce_init(struct farmem_announce *a, work_func_t work);

/**
 * farmem_announce_next() - take the next state to be told
 * @a: of its work, which is running
 * @was: the name of the state before, or NULL
 * @is: the name of the state
 *
 * Return: false: nothing is to be told.
 */
bool farmem_announce_next(struct farmem_announce *a, const char **was, const char **is);

/**
 * farmem_announce() - a state has changed
 * @a: its object's
 * @was: name of the state before; NULL: it is not told
 * @is: name of the state now
 *
 * Names are constants.  Nothing is lost, but while nobody can be told: then what does
 * not fit any more becomes one change with the last one before it.
 * Context: any; in the order of the changes.
 */
void farmem_announce(struct farmem_announce *a, const char *was, const char *is);

/**
 * farmem_announce_flush() - wait until all is told
 * @a: to be freed, or what it tells of is about to go
 *
 * Context: may sleep as long as any uevent of this machine; of a task that gives
 * nothing back that memory might wait for.
 */
void farmem_announce_flush(struct farmem_announce *a);

int farmem_announce_start(void);
void farmem_announce_end(void);

#endif /* FARMEM_ANNOUNCE_H */
