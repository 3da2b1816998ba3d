// SPDX-License-Identifier: GPL-2.0
/*
 * pool-file.c - the file of --pool: on a file system that is memory, locked, of
 * the right size.
 *
 * Called by pool.c once.  pool-size.c knows file systems.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format.h"
#include "options.h"
#include "lock.h"
#include "log.h"
#include "pool-file.h"
#include "pool-size.h"
#include "super.h"

static int pool_file_lock(int fd, const char *path)
{
	char what[PATH_MAX];
	int ret;

	snprintf(what, sizeof(what), "pool %s", path);
	ret = lock_wait(fd, what);
	if (!ret)
		return 0;
	log_err("pool: cannot lock %s: %s; see 'fuser -v %s'", path,
		ret == -EADDRINUSE ? "another farmemd has it" : strerror(-ret), path);
	return -EBUSY;
}

int pool_file_read_super(int fd, uint64_t bytes, struct super_geometry *geometry)
{
	uint8_t head[SUPER_HEAD_BYTES] __attribute__((aligned(8)));
	ssize_t got;

	if (bytes < sizeof(head))
		return -ENOENT;
	got = pread(fd, head, sizeof(head), bytes - sizeof(head));
	if (got < 0)
		return -errno;
	return got == sizeof(head) ? super_read(head, geometry) : -EIO;
}

static int pool_file_refuse(const struct options *opt, const struct super_geometry *made)
{
	char size[SIZE_TEXT], slab_size[SIZE_TEXT];

	log_err("pool: %s was made with --size %s and --slab-size %s; give those, or the name of another file",
		opt->pool, format_size(made->slabs * made->slab_size, size),
		format_size(made->slab_size, slab_size));
	return -EINVAL;
}

/* Files of pools of several sizes may be as long as each other: pages are large. */
static int pool_file_check_made(int fd, const struct options *opt, uint64_t has, uint64_t needs)
{
	struct super_geometry made;
	int ret = pool_file_read_super(fd, has, &made);

	if (!ret && (made.slab_size != opt->slab_size ||
		     made.slabs * made.slab_size != opt->size))
		return pool_file_refuse(opt, &made);
	switch (ret) {
	case 0:
	case -ENOENT:
		if (has == needs)
			return 0;
		log_err("pool: %s has %llu bytes, but this pool needs %llu: the file %s; give the name of another one",
			opt->pool, (unsigned long long)has, (unsigned long long)needs,
			ret ? "is no pool of farmemd" :
			      "was made on a file system with pages of another size");
		return -EINVAL;
	case -EPROTONOSUPPORT:
		log_err("pool: %s is of another version of farmemd; use that one, or remove the file to start empty",
			opt->pool);
		return -EINVAL;
	case -EINVAL:
		log_err("pool: the superblock in %s is damaged; remove the file to start empty, which loses the data in it",
			opt->pool);
		return ret;
	default:
		log_err("pool: cannot read %s: %s", opt->pool, strerror(-ret));
		return ret;
	}
}

static int pool_file_make_size(int fd, const struct options *opt, uint64_t bytes, bool *made)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	*made = !st.st_size;
	if (!*made)
		return pool_file_check_made(fd, opt, st.st_size, bytes);
	if (!ftruncate(fd, bytes))
		return 0;
	log_err("pool: cannot make %s %llu bytes long: %m", opt->pool, (unsigned long long)bytes);
	return -errno;
}

static bool pool_file_is_ours(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st)) {
		log_err("pool: %s: %m", path);
		return false;
	}
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077) {
		log_err("pool: %s must be a file of farmemd's user that no other user can open; 'chmod 600' and 'chown' it, or remove it",
			path);
		return false;
	}
	return true;
}

int pool_file_open(const struct options *opt, uint64_t bytes, bool *made)
{
	const char *path = opt->pool;
	uint64_t hugepage;
	int fd, ret;

	if (pool_size_hugepage(path, &hugepage)) {
		log_err("pool: %s is not on a file system in memory; put it on tmpfs (/dev/shm, /run) or hugetlbfs",
			path);
		return -EINVAL;
	}
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		ret = -errno;
		log_err("pool: cannot open %s: %m", path);
		return ret;
	}
	ret = pool_file_is_ours(fd, path) ? pool_file_lock(fd, path) : -EINVAL;
	if (!ret)
		ret = pool_file_make_size(fd, opt, bytes, made);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}
