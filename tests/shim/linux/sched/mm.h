/* SPDX-License-Identifier: GPL-2.0 */
/* sched/mm.h - scopes of allocation, which mean nothing here */
#ifndef SHIM_SCHED_MM_H
#define SHIM_SCHED_MM_H

#define memalloc_noio_save() 0u
#define memalloc_noio_restore(flags) ((void)(flags))

#endif /* SHIM_SCHED_MM_H */
