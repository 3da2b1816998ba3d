/* SPDX-License-Identifier: GPL-2.0 */
/*
 * server.h - lends kernel memory, and how much of it where.
 */
#ifndef FLOOR_SERVER_H
#define FLOOR_SERVER_H

#include <linux/sizes.h>
#include <linux/types.h>

/*
 * Memory is lent in chunks, each contiguous: the most that the page allocator
 * has in one piece.
 */
#define FLOOR_CHUNK_SHIFT 22
#define FLOOR_CHUNK_SIZE  (1u << FLOOR_CHUNK_SHIFT)
#define FLOOR_CHUNKS_MAX  (SZ_4M / sizeof(__le64))

#define FLOOR_MAGIC 0x726f6f6cu

/**
 * struct floor_grant - what an accepted client gets as private data
 * @magic: FLOOR_MAGIC
 * @rkey: of everything
 * @table: remote address of the chunks' remote addresses, an __le64 each
 * @chunks: their number
 */
struct floor_grant {
	__le32 magic;
	__le32 rkey;
	__le64 table;
	__le32 chunks;
};

/**
 * floor_server_start() - lend memory to every node that connects
 * @where: ADDR:PORT of an RDMA interface
 * @size: bytes, a multiple of FLOOR_CHUNK_SIZE
 *
 * Context: may sleep.  Return: 0 or a negative errno, with nothing left.
 */
int floor_server_start(const char *where, u64 size);

/** floor_server_stop() - hang up on everybody, take the memory back. */
void floor_server_stop(void);

#endif /* FLOOR_SERVER_H */
