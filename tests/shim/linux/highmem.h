/* SPDX-License-Identifier: GPL-2.0 */
/* highmem.h - a page is where its pointer says */
#ifndef SHIM_HIGHMEM_H
#define SHIM_HIGHMEM_H

#define kmap_local_page(page) ((void *)(page))
#define kunmap_local(mapped) ((void)(mapped))

#endif /* SHIM_HIGHMEM_H */
