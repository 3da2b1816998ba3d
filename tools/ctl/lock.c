// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>

#include "attr.h"
#include "progress.h"

/* FNV-1a over both words: the byte of the lock file that stands for the object. */
static off_t place(const char *kind, const char *name)
{
	CLEANUP_FREE char *text = text_format("%s/%s", kind, name);
	uint64_t hash = 0xcbf29ce484222325;
	const char *c;

	for (c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	return hash >> 2;
}

/* Root's alone: other users must not be able to keep farmemctl waiting. */
static int lock_file(void)
{
	static int fd = -1;
	CLEANUP_FREE char *path = NULL;

	if (fd < 0) {
		path = text_format("%s/farmemctl.lock", run_root());
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	return fd;
}

static struct flock range_of(const char *kind, const char *name)
{
	return (struct flock) {
		.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = place(kind, name),
		.l_len = 1,
	};
}

/** lock_is_taken() - does another farmemctl work on an object now? */
bool lock_is_taken(const char *kind, const char *name)
{
	struct flock range = range_of(kind, name);

	return lock_file() >= 0 && !fcntl(lock_file(), F_OFD_GETLK, &range) && range.l_type != F_UNLCK;
}

/**
 * lock_take() - wait until no other farmemctl works on an object
 * @kind: SESSIONS or VOLUMES, or "servers"
 * @name: of the object, which need not exist
 *
 * A user without the right to open the file of locks goes on: the kernel refuses changes.
 * Return: RC_OK, or RC_FAILURE when interrupted.
 */
int lock_take(const char *kind, const char *name)
{
	struct flock range = range_of(kind, name);

	/* Of the open file: no library that closes the same file takes it away. */
	progress_begin("waiting until %s is let go by another farmemctl", name);
	while (lock_file() >= 0 && fcntl(lock_file(), F_OFD_SETLKW, &range) && errno == EINTR)
		if (stop_requested()) {
			progress_end();
			return fail("interrupted");
		}
	progress_end();
	return RC_OK;
}
