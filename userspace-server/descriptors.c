// SPDX-License-Identifier: GPL-2.0
/*
 * descriptors.c - what of the kernel's files depends on the number of a descriptor.
 *
 * Owns nothing.  Two habits of the kernel and of librdmacm are easy to overlook:
 *
 * - The kernel closes the files of a process that dies from the highest descriptor down
 *   (they are its task works, last in, first out, since 4.3).  The lock on the pool's file
 *   must outlive the queue pairs that reach its memory, or a successor would take the pool
 *   while a client still writes to it.  So that file has a lower descriptor than any RDMA
 *   device.  It is opened later than the devices, since filling the pool is slow and all
 *   that may fail comes first: main() holds a place for it.
 *
 * - librdmacm keeps a context for as long as a device exists.  The kernel keeps a soft
 *   device for as long as a context exists, and "rdma link del" waits for that.  librdmacm
 *   has no call to close a context.  So, when nothing is left on the device, /dev/null takes
 *   the place of the context's two files: the kernel sees them closed, and librdmacm drops
 *   the context when it looks for devices next.
 */
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <unistd.h>

#include "descriptors.h"

int descriptors_hold(void)
{
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void descriptors_release(int place)
{
	if (place >= 0)
		close(place);
}

void descriptors_cut(const struct ibv_context *verbs)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		return;
	dup3(null, verbs->async_fd, O_CLOEXEC);
	dup3(null, verbs->cmd_fd, O_CLOEXEC);
	close(null);
}
