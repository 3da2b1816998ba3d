// SPDX-License-Identifier: GPL-2.0
/*
 * pool-file.c - the file of --pool: on a file system that is memory, locked, of
 * the right size.
 *
 * Called by pool.c once, and by check.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "log.h"
#include "parse.h"
#include "pool-file.h"

/* What is left of a farmemd that was killed ends in milliseconds. */
#define LOCK_TRIES	100
#define LOCK_USEC	100000

uint64_t pool_file_page(const char *path)
{
	char folder[PATH_MAX];
	struct statfs fs;

	if (statfs(path, &fs)) {
		snprintf(folder, sizeof(folder), "%s", path);
		if (errno != ENOENT || statfs(dirname(folder), &fs))
			return 0;
	}
	if (fs.f_type == HUGETLBFS_MAGIC)
		return fs.f_bsize;
	return fs.f_type == TMPFS_MAGIC ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

uint64_t pool_file_allocated(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_blocks * 512ull;
}

/*
 * The lock goes when the last of a process's files does, and so do its queue pairs:
 * the kernel closes all of them before a process that was killed can be waited for.
 */
static int lock(int fd, const char *path)
{
	int tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return 0;
		if (errno != EWOULDBLOCK)
			break;
		if (!tries)
			log_info("pool: %s is locked; waiting for who has it to end", path);
		usleep(LOCK_USEC);
	}
	log_err("pool: cannot lock %s: %s; see 'fuser -v %s'", path,
		errno == EWOULDBLOCK ? "another farmemd has it" : strerror(errno), path);
	return -EBUSY;
}

static int make_size(int fd, const char *path, uint64_t bytes)
{
	char has[SIZE_TEXT], needs[SIZE_TEXT];
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if ((uint64_t)st.st_size == bytes)
		return 0;
	if (st.st_size) {
		log_err("pool: %s is %s (%lld bytes), and --size and --slab-size ask for one of %s (%llu bytes); give those that it was made with, or remove it to start empty: what it holds is lost then",
			path, format_size(st.st_size, has), (long long)st.st_size,
			format_size(bytes, needs), (unsigned long long)bytes);
		return -EINVAL;
	}
	if (!fallocate(fd, 0, 0, bytes))
		return 0;
	log_err("pool: cannot take %s for %s: %s; lower --size, or give the file system more: 'mount -o remount,size=...' (tmpfs), nr_hugepages (hugetlbfs)",
		format_size(bytes, needs), path, strerror(errno));
	/* What was taken of it must not look like a pool. */
	if (ftruncate(fd, 0))
		log_err("pool: cannot empty %s again: %m; remove it", path);
	return -ENOSPC;
}

static bool is_ours(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st)) {
		log_err("pool: %s: %m", path);
		return false;
	}
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077) {
		log_err("pool: %s must be a file of farmemd's user that nobody else can open; 'chmod 600' and 'chown' it, or remove it",
			path);
		return false;
	}
	return true;
}

int pool_file_open(const char *path, uint64_t bytes)
{
	int fd, ret;

	if (!pool_file_page(path)) {
		log_err("pool: %s is not on a file system that is memory; put it on tmpfs (/dev/shm, /run) or hugetlbfs",
			path);
		return -EINVAL;
	}
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		ret = -errno;
		log_err("pool: cannot open %s: %m", path);
		return ret;
	}
	ret = is_ours(fd, path) ? lock(fd, path) : -EPERM;
	if (!ret)
		ret = make_size(fd, path, bytes);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}
