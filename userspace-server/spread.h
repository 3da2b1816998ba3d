/* SPDX-License-Identifier: GPL-2.0 */
/* spread.h - a few threads for a short while */
#ifndef SPREAD_H
#define SPREAD_H

/* spread_width() - how many pieces run at a time: at most so many as there are CPUs */
unsigned int spread_width(void);

/**
 * spread() - do pieces of one thing, several at a time
 * @count: pieces
 * @run: does piece @i; returns 0 or a negative error
 * @data: for @run
 *
 * After an error no further piece begins.  With no memory for a thread the others do it all.
 *
 * Return: 0 or the first error, when no piece runs any more.
 */
int spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data);

#endif /* SPREAD_H */
