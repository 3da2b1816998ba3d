/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sweep.h - everything with everything.
 */
#ifndef VERBS_SWEEP_H
#define VERBS_SWEEP_H

#include "options.h"

int sweep_main(struct options *options);

#endif
