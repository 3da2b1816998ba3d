/* SPDX-License-Identifier: GPL-2.0 */
/* kernel.h - byte order, small arithmetic and snprintf, as the kernel's header has them */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#include <endian.h>
#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>

#define le16_to_cpu(x) le16toh(x)
#define le32_to_cpu(x) le32toh(x)
#define le64_to_cpu(x) le64toh(x)
#define cpu_to_le16(x) ((__le16)htole16(x))
#define cpu_to_le32(x) ((__le32)htole32(x))
#define cpu_to_le64(x) ((__le64)htole64(x))
#define cpu_to_be32(x) ((__be32)htobe32(x))

#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(x, low, high) min(max(x, low), high)

#define U32_MAX (~0u)
#define U64_MAX (~0ull)

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define BITS_TO_LONGS(n) DIV_ROUND_UP(n, BITS_PER_LONG)
#define round_up(x, y) ((((x) - 1) | ((__typeof__(x))(y) - 1)) + 1)
#define round_down(x, y) ((x) & ~((__typeof__(x))(y) - 1))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))

#define pr_err(...) fprintf(stderr, __VA_ARGS__)
#define pr_warn(...) fprintf(stderr, __VA_ARGS__)
#define pr_notice(...) fprintf(stderr, __VA_ARGS__)
#define pr_info(...) fprintf(stderr, __VA_ARGS__)

/* Digits alone: what the module asks for has no sign and no prefix. */
static inline int kstrtoull(const char *text, unsigned int base, unsigned long long *n)
{
	char *end;

	errno = 0;
	*n = strtoull(text, &end, base);
	return errno == ERANGE ? -ERANGE : *end ? -EINVAL : 0;
}

#endif /* SHIM_KERNEL_H */
