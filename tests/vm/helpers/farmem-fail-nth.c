// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-fail-nth.c - fails every allocation of an operation, one after the other.
 *
 *   farmem-fail-nth [OPTION...] OPERATION [-- UNDO]
 *
 * Does OPERATION with its first allocation failing, then with its second, and so on
 * until it needs no more, by /proc/thread-self/fail-nth.  Whatever fails must say one
 * of the errors allowed; after what succeeds all the same (a fallback, an allocation
 * that was not needed) UNDO takes it back, with nothing failing, and must succeed.
 *
 *   write FILE TEXT         mkdir DIR           rmdir DIR
 *   load FILE.ko ARGS       unload MODULE       discard DISK
 *   pread DISK              pwrite DISK         64 KiB, O_DIRECT
 *
 *   --errors A,B            the errors allowed, by name; ENOMEM
 *   --most N                operations at most: the later allocations are left out
 *   --step N                every Nth allocation only
 *   --reasons FILE          print what FILE says after each that failed
 *
 * Prints what became of them.  Exit status: 0, or 1 and the reason.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BYTES	(64u << 10)

struct operation {
	const char *verb, *target, *text;
};

static const char *allowed = "ENOMEM";
static const char *reason_file;
static unsigned int most = 100000, step = 1;
static int control;	/* fail-nth */
static void *buffer;

static void arm(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(control, text, len, 0) != len)
		err(1, "fail-nth");
}

/* How many allocations more it would have taken; 0: the last to come failed. */
static unsigned int left(void)
{
	char text[16] = "";

	if (pread(control, text, sizeof(text) - 1, 0) <= 0)
		err(1, "fail-nth");
	return strtoul(text, NULL, 10);
}

static int open_disk(const char *path)
{
	return open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
}

static int on_disk(const struct operation *op, int fd)
{
	uint64_t range[2] = { 0, BYTES };

	if (!strcmp(op->verb, "discard"))
		return ioctl(fd, BLKDISCARD, range);
	if (!strcmp(op->verb, "pread"))
		return pread(fd, buffer, BYTES, 0) == BYTES ? 0 : -1;
	return pwrite(fd, buffer, BYTES, 0) == BYTES ? 0 : -1;
}

/* What needs a file has it open before the first allocation counts. */
static int open_for(const struct operation *op)
{
	int fd = 0;

	if (!strcmp(op->verb, "write"))
		fd = open(op->target, O_WRONLY | O_CLOEXEC);
	else if (!strcmp(op->verb, "load"))
		fd = open(op->target, O_RDONLY | O_CLOEXEC);
	else if (!strcmp(op->verb, "pread") || !strcmp(op->verb, "pwrite") ||
		 !strcmp(op->verb, "discard"))
		fd = open_disk(op->target);
	if (fd < 0)
		err(1, "%s", op->target);
	return fd;
}

static int act(const struct operation *op, int fd)
{
	if (!strcmp(op->verb, "write"))
		return write(fd, op->text, strlen(op->text)) < 0 ? -1 : 0;
	if (!strcmp(op->verb, "mkdir"))
		return mkdir(op->target, 0755);
	if (!strcmp(op->verb, "rmdir"))
		return rmdir(op->target);
	if (!strcmp(op->verb, "load"))
		return syscall(SYS_finit_module, fd, op->text, 0);
	if (!strcmp(op->verb, "unload"))
		return syscall(SYS_delete_module, op->target, O_NONBLOCK);
	return on_disk(op, fd);
}

/* perform() - with the nth allocation failing, or none.  Return: 0 or an errno. */
static int perform(const struct operation *op, unsigned int n, unsigned int *unused)
{
	int fd = open_for(op), error = 0;

	arm(n);
	if (act(op, fd))
		error = errno;
	*unused = left();
	arm(0);
	if (fd)
		close(fd);
	return error;
}

static int is_allowed(int error)
{
	const char *name = strerrorname_np(error), *at = allowed;
	size_t len = strlen(name);

	while ((at = strstr(at, name))) {
		if ((at == allowed || at[-1] == ',') && (!at[len] || at[len] == ','))
			return 1;
		at += len;
	}
	return 0;
}

static void open_control(void)
{
	control = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (control < 0)
		err(1, "/proc/thread-self/fail-nth: has this kernel fault injection?");
}

static void print_reason(unsigned int n, int error)
{
	char text[512] = "";
	int fd = open(reason_file, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		err(1, "%s", reason_file);
	close(fd);
	printf("%u: %s: %s", n, strerrorname_np(error), *text ? text : "\n");
}

static const char *value(int *argc, char ***argv)
{
	if (*argc < 2)
		errx(1, "%s needs a value", **argv);
	(*argc)--;
	return *++*argv;
}

static int parse_operation(int argc, char **argv, struct operation *op)
{
	static const char *const with_text[] = { "write", "load" };
	int wanted = 2;
	size_t i;

	for (i = 0; i < sizeof(with_text) / sizeof(*with_text); i++)
		if (argc && !strcmp(argv[0], with_text[i]))
			wanted = 3;
	if (argc < wanted)
		errx(1, "an operation is missing, or a part of it");
	*op = (struct operation){ argv[0], argv[1], wanted > 2 ? argv[2] : NULL };
	return wanted;
}

static void parse(int argc, char **argv, struct operation *op, struct operation *undo)
{
	int taken;

	for (argc--, argv++; argc && !strncmp(*argv, "--", 2); argc--, argv++) {
		if (!strcmp(*argv, "--errors"))
			allowed = value(&argc, &argv);
		else if (!strcmp(*argv, "--most"))
			most = strtoul(value(&argc, &argv), NULL, 10);
		else if (!strcmp(*argv, "--step"))
			step = strtoul(value(&argc, &argv), NULL, 10);
		else if (!strcmp(*argv, "--reasons"))
			reason_file = value(&argc, &argv);
		else
			errx(1, "unknown option %s", *argv);
	}
	taken = parse_operation(argc, argv, op);
	if (argc > taken && !strcmp(argv[taken], "--"))
		parse_operation(argc - taken - 1, argv + taken + 1, undo);
	if (!step)
		errx(1, "--step takes 1 or more");
}

int main(int argc, char **argv)
{
	struct operation op, undo = {};
	unsigned int n, unused, done = 0, failed = 0;
	int error;

	parse(argc, argv, &op, &undo);
	if (posix_memalign(&buffer, 4096, BYTES))
		errx(1, "no memory");
	memset(buffer, 0x5a, BYTES);
	open_control();

	for (n = 1; done < most; n += step) {
		error = perform(&op, n, &unused);
		done++;
		if (error && !is_allowed(error))
			errx(1, "%s %s, allocation %u: %s", op.verb, op.target, n,
			     strerror(error));
		/* A failure of another kind is no answer to ours. */
		if (error && unused)
			errx(1, "%s %s failed and no allocation did: %s", op.verb, op.target,
			     strerror(error));
		if (error) {
			failed++;
			if (reason_file)
				print_reason(n, error);
			continue;
		}
		if (undo.verb) {
			unsigned int ignored;

			error = perform(&undo, 0, &ignored);
			if (error)
				errx(1, "%s %s, after allocation %u of %s failed: %s", undo.verb,
				     undo.target, n, op.verb, strerror(error));
		}
		if (unused)
			break;
	}
	printf("%s %s: %u times, %u failed\n", op.verb, op.target, done, failed);
	return 0;
}
