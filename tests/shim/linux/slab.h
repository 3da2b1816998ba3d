/* SPDX-License-Identifier: GPL-2.0 */
/* slab.h - the C library's memory, which ASan and valgrind watch */
#ifndef SHIM_SLAB_H
#define SHIM_SLAB_H

#include <linux/types.h>
#include <stdlib.h>

#define GFP_KERNEL 1u
#define GFP_NOIO 2u
#define GFP_NOWAIT 4u
#define GFP_ATOMIC 8u
#define __GFP_NORETRY 16u
#define __GFP_NOWARN 32u
#define __GFP_RETRY_MAYFAIL 64u
#define __GFP_ZERO 128u

#define kmalloc(bytes, gfp) ((void)(gfp), malloc(bytes))
#define kzalloc(bytes, gfp) ((void)(gfp), calloc(1, bytes))
#define kcalloc(n, bytes, gfp) ((void)(gfp), calloc(n, bytes))
#define kvcalloc(n, bytes, gfp) ((void)(gfp), calloc(n, bytes))
#define kfree(pointer) free((void *)(pointer))
#define kfree_sensitive(pointer) free((void *)(pointer))
#define kvzalloc(bytes, gfp) ((void)(gfp), calloc(1, bytes))
#define kvfree(pointer) free((void *)(pointer))

#endif /* SHIM_SLAB_H */
