/* SPDX-License-Identifier: GPL-2.0 */
/* delay.h - sleeps: others go on */
#ifndef SHIM_DELAY_H
#define SHIM_DELAY_H

#include <linux/compiler.h>

#define usleep_range(least, most) shim_point("usleep_range")

#endif /* SHIM_DELAY_H */
