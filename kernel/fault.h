/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fault.h - faults on purpose, for the tests: stock kernels have none.
 *
 * Only in a build with FARMEM_FAULTS=y.  /sys/kernel/debug/farmem/fail_* then
 * make every nth operation of a kind fail; 0 (the default) none.
 */
#ifndef FARMEM_FAULT_H
#define FARMEM_FAULT_H

#include <linux/types.h>

enum farmem_fault {
	FARMEM_FAULT_READ,	/* a read fails, nothing is sent */
	FARMEM_FAULT_WRITE,	/* a write or discard fails, nothing is sent */
	FARMEM_FAULT_MAP,	/* DMA mapping has a shortage */
	FARMEM_FAULT_POST,	/* the send queue has a shortage */
	FARMEM_FAULT_POST_HARD,	/* posting fails, and not for want of room */
	FARMEM_FAULT_COMPLETION, /* a request that is done is taken for one that failed */
	FARMEM_FAULTS_COUNT,
};

#ifdef FARMEM_FAULTS

/** farmem_fault() - is it this one's turn to fail?  Context: any. */
bool farmem_fault(enum farmem_fault fault);
void farmem_fault_init(void);
void farmem_fault_exit(void);

#else

static inline bool farmem_fault(enum farmem_fault fault)
{
	return false;
}
static inline void farmem_fault_init(void) { }
static inline void farmem_fault_exit(void) { }

#endif

#endif /* FARMEM_FAULT_H */
