/* SPDX-License-Identifier: GPL-2.0 */
/* timekeeping.h - clocks are the test's own */
#ifndef SHIM_TIMEKEEPING_H
#define SHIM_TIMEKEEPING_H

#include <linux/time64.h>

#endif /* SHIM_TIMEKEEPING_H */
