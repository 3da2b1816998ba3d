// SPDX-License-Identifier: GPL-2.0
/*
 * held-resume.c - LVM is slow while a device is suspended.
 *
 * To be preloaded into LVM: while /tmp/held-resume is there, it is 10 s late to resume a device
 * of the device mapper, and then takes the file away.  Here LVM has locked its memory, and
 * sleeps in what is locked with it: what it then needs of the kernel it gets, or nothing goes on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/dm-ioctl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FILE_NAME	"/tmp/held-resume"
#define SECONDS		10

static int resumes(unsigned long request, const struct dm_ioctl *dm)
{
	return request == DM_DEV_SUSPEND && !(dm->flags & DM_SUSPEND_FLAG);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, void *);
	va_list arguments;
	void *argument;
	int held, result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!real)
		real = dlsym(RTLD_NEXT, "ioctl");
	held = resumes(request, argument) && !access(FILE_NAME, F_OK);
	if (held)
		sleep(SECONDS);
	result = real(fd, request, argument);
	if (held)
		unlink(FILE_NAME);
	return result;
}
