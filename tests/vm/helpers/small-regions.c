// SPDX-License-Identifier: GPL-2.0
/*
 * small-regions.c - an adapter that registers only so much memory at a time.
 *
 * To be preloaded into farmemd: its regions are of 4 MiB at most, while others give the
 * whole pool in one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/verbs.h>

#define MOST	(4 << 20)

#undef ibv_query_device
int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	int (*real)(struct ibv_context *, struct ibv_device_attr *) =
		dlsym(RTLD_NEXT, "ibv_query_device");
	int ret = real(context, attr);

	if (!ret)
		attr->max_mr_size = MOST;
	return ret;
}
