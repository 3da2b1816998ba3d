/* SPDX-License-Identifier: GPL-2.0 */
/* blk_types.h - what a bio says of itself in one word: operation and flags */
#ifndef SHIM_BLK_TYPES_H
#define SHIM_BLK_TYPES_H

#include <stdbool.h>

typedef unsigned int blk_opf_t;

#define REQ_OP_READ 0u
#define REQ_OP_WRITE 1u
#define REQ_FAILFAST_DEV (1u << 8)
#define REQ_FAILFAST_TRANSPORT (1u << 9)
#define REQ_FAILFAST_DRIVER (1u << 10)
#define REQ_FAILFAST_MASK (REQ_FAILFAST_DEV | REQ_FAILFAST_TRANSPORT | REQ_FAILFAST_DRIVER)
#define REQ_SWAP (1u << 11)

static inline bool op_is_write(blk_opf_t opf)
{
	return opf & 1;
}

#endif /* SHIM_BLK_TYPES_H */
