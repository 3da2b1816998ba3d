/* SPDX-License-Identifier: GPL-2.0 */
/* overflow.h - the compiler's own checks are what the kernel's macros wrap, too */
#ifndef SHIM_OVERFLOW_H
#define SHIM_OVERFLOW_H

#define check_add_overflow(a, b, sum) __builtin_add_overflow(a, b, sum)
#define check_mul_overflow(a, b, product) __builtin_mul_overflow(a, b, product)
/* The kernel's sticks to SIZE_MAX; a count of 16 bits does not get there. */
#define struct_size(p, member, count) (sizeof(*(p)) + sizeof(*(p)->member) * (count))

#endif /* SHIM_OVERFLOW_H */
