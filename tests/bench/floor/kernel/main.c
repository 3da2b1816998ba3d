// SPDX-License-Identifier: GPL-2.0
/*
 * farmem_floor.ko - measures what RDMA itself costs: the floor under farmem.
 *
 * A server (server.c) lends memory; a client posts and reaps READs and WRITEs
 * of it and does nothing else (run.c), told so in debugfs (control.c); and, if
 * asked, makes it a disk that does the least a disk can do (disk.c).  Both may
 * be in one load of the module, on one machine.
 *
 *	insmod farmem_floor.ko listen=10.0.0.1:7480 server=10.0.0.1:7480
 *	cd /sys/kernel/debug/farmem-floor
 *	echo op=read depth=1 bytes=4096 count=20000 reap=poll >run
 *	cat result		# ops ns_total ns_per_op p50 p99
 *
 * For measuring on one's own machines only: any node that reaches the server may
 * read and write all of its memory, and a measurement of WRITEs overwrites
 * what lies on the disk.  Unload it before the RDMA device is removed.
 */
#include <linux/module.h>

#include "control.h"
#include "disk.h"
#include "server.h"

static char *listen;
module_param(listen, charp, 0444);
MODULE_PARM_DESC(listen, "lend memory there: ADDR:PORT of an RDMA interface");

static char *server;
module_param(server, charp, 0444);
MODULE_PARM_DESC(server, "measure what this one lends: ADDR:PORT");

static char *size = "64M";
module_param(size, charp, 0444);
MODULE_PARM_DESC(size, "bytes to lend, a multiple of 4M (64M)");

static bool disk;
module_param(disk, bool, 0444);
MODULE_PARM_DESC(disk, "make what is lent /dev/floor0 (no)");

static int parse_size(u64 *bytes)
{
	char *end;

	*bytes = memparse(size, &end);
	if (!*end && *bytes && IS_ALIGNED(*bytes, FLOOR_CHUNK_SIZE) &&
	    *bytes >> FLOOR_CHUNK_SHIFT <= FLOOR_CHUNKS_MAX)
		return 0;
	pr_err("size=%s: want a multiple of %u MiB\n", size,
	       FLOOR_CHUNK_SIZE >> 20);
	return -EINVAL;
}

static int start_client(void)
{
	int err;

	err = floor_control_start(server);
	if (err || !disk)
		return err;
	err = floor_disk_start(server, floor_control_remote());
	if (err)
		floor_control_stop();
	return err;
}

static int __init floor_init(void)
{
	u64 bytes;
	int err;

	err = parse_size(&bytes);
	if (err)
		return err;
	if (!listen && !server) {
		pr_err("give listen=, server= or both\n");
		return -EINVAL;
	}
	if (listen)
		err = floor_server_start(listen, bytes);
	if (err || !server)
		return err;
	err = start_client();
	if (err && listen)
		floor_server_stop();
	return err;
}

static void __exit floor_exit(void)
{
	if (server && disk)
		floor_disk_stop();
	if (server)
		floor_control_stop();
	if (listen)
		floor_server_stop();
}

module_init(floor_init);
module_exit(floor_exit);

MODULE_DESCRIPTION("farmem's floor: what RDMA itself costs");
MODULE_AUTHOR("The farmem developers");
MODULE_LICENSE("GPL");
