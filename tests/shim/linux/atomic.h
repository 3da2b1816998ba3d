/* SPDX-License-Identifier: GPL-2.0 */
/* atomic.h - counters; each operation is one step */
#ifndef SHIM_ATOMIC_H
#define SHIM_ATOMIC_H

#include <linux/types.h>

typedef struct {
	int counter;
} atomic_t;

#define ATOMIC_INIT(n) { (n) }

static inline int atomic_read(const atomic_t *v)
{
	shim_point(__func__);
	return v->counter;
}

static inline void atomic_set(atomic_t *v, int n)
{
	shim_point(__func__);
	v->counter = n;
}

static inline int atomic_add_return(int n, atomic_t *v)
{
	shim_point(__func__);
	return v->counter += n;
}

static inline bool atomic_add_unless(atomic_t *v, int n, int unless)
{
	shim_point(__func__);
	if (v->counter == unless)
		return false;
	v->counter += n;
	return true;
}

#define atomic_add(n, v) ((void)atomic_add_return(n, v))
#define atomic_sub(n, v) ((void)atomic_add_return(-(n), v))
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_sub(1, v)
#define atomic_inc_return(v) atomic_add_return(1, v)
#define atomic_dec_return(v) atomic_add_return(-1, v)
#define atomic_dec_and_test(v) (!atomic_add_return(-1, v))
#define atomic_inc_not_zero(v) atomic_add_unless(v, 1, 0)

typedef struct {
	long counter;
} atomic_long_t;

static inline void atomic_long_or(long bits, atomic_long_t *v)
{
	shim_point(__func__);
	v->counter |= bits;
}

static inline void atomic_long_andnot(long bits, atomic_long_t *v)
{
	shim_point(__func__);
	v->counter &= ~bits;
}

#define xchg(p, value) \
	({ \
		__typeof__(*(p)) new_ = (value), old_; \
		shim_point("xchg"); \
		old_ = *(p); \
		*(p) = new_; \
		old_; \
	})
#define cmpxchg(p, old, new) \
	({ \
		__typeof__(*(p)) expected_ = (old), new_ = (new), old_; \
		shim_point("cmpxchg"); \
		old_ = *(p); \
		if (old_ == expected_) \
			*(p) = new_; \
		old_; \
	})

#endif /* SHIM_ATOMIC_H */
