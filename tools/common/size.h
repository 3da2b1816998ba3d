/* SPDX-License-Identifier: GPL-2.0 */
/*
 * size.h - byte counts as people write them: 4096, 64K, 512MiB, 1.5G.
 */
#ifndef FARMEMCTL_SIZE_H
#define FARMEMCTL_SIZE_H

#include <stdint.h>

int size_parse(const char *text, uint64_t *bytes);
char *size_format(uint64_t bytes);

#endif
