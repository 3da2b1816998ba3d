/* SPDX-License-Identifier: GPL-2.0 */
/* cache.h - what shares a cache line makes no difference here */
#ifndef SHIM_CACHE_H
#define SHIM_CACHE_H

#define ____cacheline_aligned_in_smp

#endif /* SHIM_CACHE_H */
