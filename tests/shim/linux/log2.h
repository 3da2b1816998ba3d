/* SPDX-License-Identifier: GPL-2.0 */
/* log2.h - is_power_of_2() alone */
#ifndef SHIM_LOG2_H
#define SHIM_LOG2_H

#include <linux/types.h>

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

#endif /* SHIM_LOG2_H */
