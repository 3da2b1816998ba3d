/* SPDX-License-Identifier: GPL-2.0 */
/* vmalloc.h - the C library's memory, which ASan and valgrind watch */
#ifndef SHIM_VMALLOC_H
#define SHIM_VMALLOC_H


#include <linux/slab.h>
#include <stdlib.h>

#define vmalloc(bytes) malloc(bytes)
#define __vmalloc(bytes, gfp) ((gfp) & __GFP_ZERO ? calloc(1, bytes) : malloc(bytes))
#define vzalloc(bytes) calloc(1, bytes)
#define vfree(pointer) free((void *)(pointer))

#endif /* SHIM_VMALLOC_H */
