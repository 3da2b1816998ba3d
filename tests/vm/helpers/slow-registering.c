// SPDX-License-Identifier: GPL-2.0
/*
 * slow-registering.c - an adapter for which registering memory takes its time.
 *
 * To be preloaded into farmemd: while /tmp/slow-registering is there, a MiB or more
 * takes 3 s, as some 60 GiB take on a real adapter.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <unistd.h>

#define LARGE	(1 << 20)
#define SECONDS	3

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int flags)
{
	struct ibv_mr *(*real)(struct ibv_pd *, void *, size_t, int) =
		dlsym(RTLD_NEXT, "ibv_reg_mr");

	if (length >= LARGE && !access("/tmp/slow-registering", F_OK))
		sleep(SECONDS);
	return real(pd, addr, length, flags);
}
