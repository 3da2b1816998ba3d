/* SPDX-License-Identifier: GPL-2.0 */
/* poison.h - memory that the machine can no longer read */
#ifndef POISON_H
#define POISON_H

#include <stdbool.h>

/* poison_watch() - SIGBUS ends a poison_try(), not the program.  Return: 0 or -errno. */
int poison_watch(void);

/**
 * poison_try() - touch memory that may have an uncorrectable error
 * @touch: does it; may be left in the middle, so it must own nothing
 * @data: for @touch
 *
 * Return: false if it met such an error.
 */
bool poison_try(void (*touch)(void *data), void *data);

#endif /* POISON_H */
