// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-generator - units of systemd from the files of /etc/farmem/volumes.d.
 *
 * systemd runs this early in the boot and at each daemon-reload: systemd.generator(7).  A
 * volume or a group becomes a wish for farmem@NAME.service, and swap a unit that its disk pulls in.
 * What is wrong with a file goes to the kernel's log, and the boot goes on.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"
#include "flush.h"
#include "volume-file.h"

#define UNITS_DEFAULT "/usr/lib/systemd/system"

/* A path without its first slash in a unit's name, as systemd-escape has it; to free. */
static char *escape(const char *name)
{
	char *text = text_copy("");

	for (; *name; name++) {
		char *before = text;

		text = text_format(*name == '-' ? "%s\\x2d" : "%s%c", before, *name == '/' ? '-' : *name);
		free(before);
	}
	return text;
}

/* Its disk, to free, by a name that it has at each boot. */
static char *disk_of(const struct volume_file *file)
{
	return text_format(file->group ? "/dev/%s/volume" : "/dev/farmem/by-name/%s", file->name);
}

/* A link in the folder @unit.wants, which systemd takes for the unit's Wants=. */
static int want(const char *out, const char *unit, const char *wanted, const char *target)
{
	CLEANUP_FREE char *folder = text_format("%s/%s.wants", out, unit);
	CLEANUP_FREE char *link = text_format("%s/%s", folder, wanted);

	if ((mkdir(folder, 0755) && errno != EEXIST) || (symlink(target, link) && errno != EEXIST))
		return fail("%s: %s", link, strerror(errno));
	return RC_OK;
}

static int want_volume(const char *out, const char *name)
{
	CLEANUP_FREE char *unit = text_format("farmem@%s.service", name);

	return want(out, "multi-user.target", unit, UNITS_DEFAULT "/farmem@.service");
}

/*
 * The disk starts it, since a server may be away for long.  Without the default
 * dependencies it does not belong before swap.target, which farmem@.service comes after.
 */
static void print_swap(FILE *unit, const struct volume_file *file)
{
	CLEANUP_FREE char *disk = disk_of(file);

	fprintf(unit, "# Made by farmem-generator\n"
		"[Unit]\n"
		"Description=Swap on the farmem %s %s\n"
		"Documentation=man:farmemctl(8)\n"
		"SourcePath=%s\n"
		"DefaultDependencies=no\n"
		"Requires=farmem@%s.service\n"
		"After=farmem@%s.service\n"
		"Conflicts=umount.target\n"
		"Before=umount.target\n"
		"\n"
		"[Swap]\n"
		"What=%s\n",
		file->group ? "group" : "volume", file->name, file->path, file->name, file->name, disk);
	if (file->priority)
		fprintf(unit, "Priority=%s\n", file->priority);
	if (file->discard && !strcmp(file->discard, "yes"))
		fprintf(unit, "Options=discard\n");
	else if (file->discard && strcmp(file->discard, "no"))
		fprintf(unit, "Options=discard=%s\n", file->discard);
}

static int make_swap(const char *out, const struct volume_file *file)
{
	CLEANUP_FREE char *disk = disk_of(file);
	CLEANUP_FREE char *name = escape(disk + 1);
	CLEANUP_FREE char *swap = text_format("%s.swap", name);
	CLEANUP_FREE char *device = text_format("%s.device", name);
	CLEANUP_FREE char *path = text_format("%s/%s", out, swap);
	CLEANUP_FREE char *target = text_format("../%s", swap);
	FILE *unit = fopen(path, "we");

	if (!unit)
		return fail("%s: %s", path, strerror(errno));
	print_swap(unit, file);
	if (fclose(unit))
		return fail("%s: %s", path, strerror(errno));
	return want(out, device, swap, target);
}

static int generate(const char *out, const char *name)
{
	struct volume_file file;
	char error[512];
	int rc;

	if (volume_file_read(&file, name, error, sizeof(error)))
		rc = fail("%s", error);
	else
		rc = want_volume(out, name) || (file.swap && make_swap(out, &file));
	volume_file_free(&file);
	return rc ? RC_FAILURE : RC_OK;
}

/* What a generator prints goes nowhere: so early the kernel's log is all there is. */
static void log_to_kernel(void)
{
	CLEANUP_FREE char *path = text_format("%s/dev/kmsg", file_root());
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		dup2(fd, STDERR_FILENO);
}

int main(int argc, char **argv)
{
	int rc = RC_OK;

	if (argc != 2 && argc != 4)
		return fail("give one folder to put units into, or three, as systemd does: man systemd.generator");
	if (argc == 4)
		log_to_kernel();
	EACH_NAME(name, volume_file_names())
		if (generate(argv[1], *name.at))
			rc = RC_FAILURE;
	return flush_output(rc);
}
