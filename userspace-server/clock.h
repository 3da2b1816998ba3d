/* SPDX-License-Identifier: GPL-2.0 */
/* clock.h - the time that only goes forward */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* clock_seconds() - CLOCK_MONOTONIC in whole seconds */
uint64_t clock_seconds(void);

#endif /* CLOCK_H */
