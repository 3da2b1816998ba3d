/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fault.h - faults on purpose, for the tests: stock kernels have none.
 *
 * Only in a build with FARMEM_FAULTS=y.  /sys/kernel/debug/farmem/fail_* and
 * delay_completion then make every nth operation of a kind fail, counted from when
 * they were written; 0 (the default) none.  "times" is how many may fail from now
 * on, of all kinds, -1 (the default) any number; "delay_ms" how long a delay is, and
 * "errno" what fail_create says.  say_* is what an adapter says of itself; 0 (the
 * default): the truth.
 */
#ifndef FARMEM_FAULT_H
#define FARMEM_FAULT_H

#include <linux/types.h>

enum farmem_fault {
	FARMEM_FAULT_READ,	/* a read fails, nothing is sent */
	FARMEM_FAULT_WRITE,	/* a write or discard fails, nothing is sent */
	FARMEM_FAULT_MAP,	/* DMA mapping has a shortage */
	FARMEM_FAULT_MAP_HARD,	/* DMA mapping is impossible */
	FARMEM_FAULT_POST,	/* the send queue has a shortage */
	FARMEM_FAULT_POST_HARD,	/* posting fails, and not for want of room */
	FARMEM_FAULT_COMPLETION, /* a request that is done is taken for one that failed */
	FARMEM_FAULT_ARRIVAL,	/* a READ that is done has not brought its last bytes */
	FARMEM_FAULT_BEAT,	/* a heartbeat never leaves */
	FARMEM_FAULT_ALLOC,	/* there is no memory for a session or a volume */
	FARMEM_FAULT_REQUEST,	/* the cache of requests has none: the mempools' reserves do */
	FARMEM_FAULT_CREATE,	/* the driver makes no queue pair, and says "errno" */
	FARMEM_FAULT_CM,	/* a step of connecting fails */
	FARMEM_FAULT_KNOW_OWN,	/* a session is taken for one of another node */
	FARMEM_FAULT_UEVENT,	/* a uevent waits, until this is 0 again */
	FARMEM_FAULT_DELAY,	/* completions are not looked at for delay_ms */
	FARMEM_FAULTS_COUNT,
};

/* What an adapter says of itself, when it arrives. */
enum farmem_say {
	FARMEM_SAY_MAX_SGE_RD,	/* SGEs that a READ may have */
	FARMEM_SAY_MAX_MAPPING,	/* bytes that one DMA mapping may have; larger ones fail */
	FARMEM_SAY_IWARP,	/* 1: it speaks iWARP */
	FARMEM_SAY_ADAPTER,	/* 1: it does its work itself, not CPUs */
	FARMEM_SAYS_COUNT,
};

#ifdef FARMEM_FAULTS

/** farmem_fault() - is it this one's turn to fail?  Context: any. */
bool farmem_fault(enum farmem_fault fault);

/** farmem_fault_create() - what the driver is to say to a new queue: 0 or a negative errno. */
int farmem_fault_create(void);

/** farmem_fault_delays() - shall completions wait now?  Context: any. */
bool farmem_fault_delays(void);

/** farmem_fault_said() - @own, or what a test would have it be.  Context: any. */
u32 farmem_fault_said(enum farmem_say what, u32 own);

/** farmem_fault_hold() - wait while it is this one's turn.  May sleep. */
void farmem_fault_hold(enum farmem_fault fault);

void farmem_fault_init(void);
void farmem_fault_exit(void);

#else

static inline bool farmem_fault(enum farmem_fault fault)
{
	return false;
}
static inline int farmem_fault_create(void)
{
	return 0;
}
static inline bool farmem_fault_delays(void)
{
	return false;
}
static inline u32 farmem_fault_said(enum farmem_say what, u32 own)
{
	return own;
}
static inline void farmem_fault_hold(enum farmem_fault fault) { }
static inline void farmem_fault_init(void) { }
static inline void farmem_fault_exit(void) { }

#endif

/* farmem_fault_alloc() - an allocation's pointer, or NULL if its turn is to fail */
#define farmem_fault_alloc(call) \
	(farmem_fault(FARMEM_FAULT_ALLOC) ? NULL : (call))

#endif /* FARMEM_FAULT_H */
