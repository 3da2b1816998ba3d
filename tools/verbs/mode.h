/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mode.h - what goes with what, and why not.
 */
#ifndef VERBS_MODE_H
#define VERBS_MODE_H

#include <stdbool.h>

#include "options.h"

const char *mode_refusal(const struct options *options);
bool mode_has_receives(const struct options *options);
bool mode_is_atomic(const struct options *options);
bool mode_is_read(const struct options *options);
const char *mode_latency(const struct options *options);

#endif
