// SPDX-License-Identifier: GPL-2.0
/* lock.c - what only one farmemd may have */
#include <errno.h>
#include <sys/file.h>
#include <unistd.h>

#include "lock.h"
#include "log.h"

#define TRIES	100
#define USEC	100000

int lock_wait(int fd, const char *what)
{
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return 0;
		if (errno != EWOULDBLOCK)
			return -errno;
		if (!tries)
			log_info("%s: another farmemd has it; waiting for that one to end", what);
		usleep(USEC);
	}
	return -EADDRINUSE;
}
