/* SPDX-License-Identifier: GPL-2.0 */
/* prefault.h - every page of the pool is there before it is needed */
#ifndef PREFAULT_H
#define PREFAULT_H

#include <stdint.h>

/**
 * prefault_now() - take pages of a new pool, by several threads
 * @base: where it is mapped
 * @from: the first byte that is wanted
 * @bytes: how many
 * @fd: --pool's file, whose file system may have less: -ENOSPC; or -1
 *
 * Logs its progress, and tells systemd to wait on.
 *
 * Return: 0, -EINTR when SIGTERM or SIGINT is pending, or another negative error.
 */
int prefault_now(uint8_t *base, uint64_t from, uint64_t bytes, int fd);

/**
 * prefault_range() - have these pages, in the page table too
 * @start: in the mapping of a pool, any alignment
 * @bytes: how many
 *
 * The pages are read, not written: a client may be writing there.
 *
 * Return: 0, -EHWPOISON when one cannot be read, or another negative error.
 */
int prefault_range(uint8_t *start, uint64_t bytes);

#endif /* PREFAULT_H */
