/* SPDX-License-Identifier: GPL-2.0 */
/*
 * zero-range.h - pages whose state bytes a request writes.
 */
#ifndef FARMEM_ZERO_RANGE_H
#define FARMEM_ZERO_RANGE_H

#include <linux/bio.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

/**
 * struct farmem_zero_range - pages whose state bytes are being written
 * @node: in farmem_zeromap.busy
 * @first: page
 * @count: pages
 * @bios: to try again when it is over
 * @requests: the same, by their @entry
 */
struct farmem_zero_range {
	struct rb_node node;
	u64 first;
	u64 count;
	struct bio_list bios;
	struct list_head requests;
};

#endif /* FARMEM_ZERO_RANGE_H */
