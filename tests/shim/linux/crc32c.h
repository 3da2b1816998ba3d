/* SPDX-License-Identifier: GPL-2.0 */
/* crc32c.h - the polynomial of RFC 3385, a bit at a time */
#ifndef SHIM_CRC32C_H
#define SHIM_CRC32C_H

#include <linux/types.h>

static inline u32 crc32c(u32 crc, const void *data, size_t bytes)
{
	const u8 *byte = data;
	int bit;

	for (; bytes; bytes--)
		for (crc ^= *byte++, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	return crc;
}

#endif /* SHIM_CRC32C_H */
