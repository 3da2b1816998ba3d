/* SPDX-License-Identifier: GPL-2.0 */
/* timekeeping.h - clocks are the test's own */
#ifndef SHIM_TIMEKEEPING_H
#define SHIM_TIMEKEEPING_H

#define NSEC_PER_MSEC 1000000L

#endif /* SHIM_TIMEKEEPING_H */
