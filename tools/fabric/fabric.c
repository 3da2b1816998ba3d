// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-fabric - asks RDMA devices and a memory server for `farmemctl doctor`.
 *
 *   farmem-fabric devices
 *	device NAME			each that libibverbs sees
 *	port NAME NUMBER MTU LARGEST	bytes
 *   farmem-fabric visit SERVER CLIENT KEYFILE SOURCE	(the last three may be empty)
 *	address ADDR			the server's, numeric
 *	contact WORD			"answered" or "silent", once the server was asked
 *	step ID VERDICT TEXT ADVICE	one for each step, until one fails
 *
 * A line each on standard output, its fields with tabs between.  It is for farmemctl
 * of the same release alone.  Exit code 0 whatever was found, 1 if it could not look.
 */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric.h"
#include "flush.h"

/* All limits of a visit and what a resolver takes lie within it. */
#define SECONDS 55

static unsigned int mtu_bytes(enum ibv_mtu mtu)
{
	return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128u << mtu : 0;
}

static void tell_ports(struct ibv_context *context, const char *name)
{
	struct ibv_device_attr device;
	struct ibv_port_attr port;
	unsigned int i;

	if (ibv_query_device(context, &device))
		return;
	for (i = 1; i <= device.phys_port_cnt; i++)
		if (!ibv_query_port(context, i, &port))
			printf("port\t%s\t%u\t%u\t%u\n", name, i, mtu_bytes(port.active_mtu),
			       mtu_bytes(port.max_mtu));
}

static int devices(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device **device;

	for (device = list; device && *device; device++) {
		struct ibv_context *context = ibv_open_device(*device);

		/* One that cannot be opened is of no use to anybody. */
		if (!context)
			continue;
		printf("device\t%s\n", ibv_get_device_name(*device));
		tell_ports(context, ibv_get_device_name(*device));
		ibv_close_device(context);
	}
	if (list)
		ibv_free_device_list(list);
	return 0;
}

int main(int argc, char **argv)
{
	alarm(SECONDS);
	if (argc == 2 && !strcmp(argv[1], "devices"))
		return flush_output(devices());
	if (argc == 6 && !strcmp(argv[1], "visit"))
		return flush_output(fabric_visit(argv[2], argv[3], argv[4], argv[5]));
	fprintf(stderr, "farmem-fabric is a part of `farmemctl doctor`; run that instead\n");
	return 1;
}
