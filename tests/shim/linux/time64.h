/* SPDX-License-Identifier: GPL-2.0 */
/* time64.h - units of time */
#ifndef SHIM_TIME64_H
#define SHIM_TIME64_H

#define MSEC_PER_SEC 1000L
#define NSEC_PER_MSEC 1000000L

#endif /* SHIM_TIME64_H */
