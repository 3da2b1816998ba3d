/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compiler.h - annotations, and accesses that others may come between
 *
 * Threads run one at a time, in program order: what a CPU may reorder is not seen.
 */
#ifndef SHIM_COMPILER_H
#define SHIM_COMPILER_H

#include "../shim.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define noinline __attribute__((__noinline__))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __printf(a, b) __attribute__((format(printf, a, b)))
#define __maybe_unused __attribute__((unused))
#define __uninitialized
#define __must_check __attribute__((warn_unused_result))
#define fallthrough __attribute__((fallthrough))
#define __percpu
#define __rcu
#define __user
#define __iomem

#define READ_ONCE(x) \
	(*({ shim_point("READ_ONCE"); (const volatile __typeof__(x) *)&(x); }))
#define WRITE_ONCE(x, value) \
	do { \
		__typeof__(x) written = (value); \
		shim_point("WRITE_ONCE"); \
		*(volatile __typeof__(x) *)&(x) = written; \
	} while (0)
#define smp_load_acquire(p) READ_ONCE(*(p))
#define smp_store_release(p, value) WRITE_ONCE(*(p), value)
#define smp_mb() do { } while (0)
#define smp_rmb() do { } while (0)
#define smp_wmb() do { } while (0)
#define barrier() __asm__ volatile("" : : : "memory")

#define SHIM_STRING_(x) #x
#define SHIM_STRING(x) SHIM_STRING_(x)
#define WARN_ON(condition) \
	({ \
		bool warned = (condition); \
		if (warned) \
			shim_fault(__FILE__ ":" SHIM_STRING(__LINE__) ": WARN_ON(" #condition ")"); \
		warned; \
	})
#define WARN_ON_ONCE(condition) WARN_ON(condition)

#endif /* SHIM_COMPILER_H */
