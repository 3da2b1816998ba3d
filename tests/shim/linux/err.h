/* SPDX-License-Identifier: GPL-2.0 */
/* err.h - errors as pointers */
#ifndef SHIM_ERR_H
#define SHIM_ERR_H

#include <errno.h>
#include <linux/types.h>

#define MAX_ERRNO 4095
#define IS_ERR_VALUE(x) ((unsigned long)(x) >= (unsigned long)-MAX_ERRNO)
#define IS_ERR(pointer) IS_ERR_VALUE(pointer)
#define IS_ERR_OR_NULL(pointer) (!(pointer) || IS_ERR(pointer))
#define ERR_PTR(err) ((void *)(long)(err))
#define PTR_ERR(pointer) ((long)(pointer))

#endif /* SHIM_ERR_H */
