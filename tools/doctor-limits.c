// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-limits.c - what may be locked, what huge pages there are, and farmemd itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attr.h"
#include "cleanup.h"
#include "cli.h"
#include "control.h"
#include "doctor.h"
#include "size.h"

#define MEMLOCK		"Max locked memory"
#define CAP_IPC_LOCK	14
#define MEGABYTE	(UINT64_C(1) << 20)
/* What a client of verbs needs that has no pool. */
#define CLIENT_BYTES	MEGABYTE

/* The soft limit in a process's table of limits; UINT64_MAX: none; false: not known. */
static bool memlock_of(const char *pid, uint64_t *bytes)
{
	CLEANUP_FREE char *path = text_format("%s/%s/limits", proc_root(), pid);
	CLEANUP_FREE char *line = doctor_line(path, MEMLOCK);

	if (!line)
		return false;
	*bytes = strncmp(line, "unlimited", strlen("unlimited")) ?
		strtoull(line, NULL, 10) : UINT64_MAX;
	return true;
}

static bool may_lock_all(const char *pid)
{
	CLEANUP_FREE char *path = text_format("%s/%s/status", proc_root(), pid);
	CLEANUP_FREE char *bits = doctor_line(path, "CapEff:");

	return bits && strtoull(bits, NULL, 16) & 1ull << CAP_IPC_LOCK;
}

/* The table of this process, which has it of its shell. */
void check_limits_shell(struct doctor *doctor)
{
	bool lends = doctor->nodes & NODE_MEMORY;
	CLEANUP_FREE char *size = NULL;
	uint64_t bytes;

	if (!memlock_of("self", &bytes)) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s/self/limits can't be read", proc_root());
		return;
	}
	if (bytes == UINT64_MAX || may_lock_all("self")) {
		doctor_say(doctor, VERDICT_OK, bytes == UINT64_MAX ? "no limit" :
			   "a limit, but CAP_IPC_LOCK lifts it");
		return;
	}
	size = size_format(bytes);
	if (bytes >= CLIENT_BYTES && !lends) {
		doctor_say(doctor, VERDICT_OK, "%s, enough for programs that lend no memory", size);
		return;
	}
	doctor_say(doctor, VERDICT_WARN, "%s: programs of this shell can lock no more%s", size,
		   lends ? ", and farmemd locks its whole pool" : "");
	doctor_advise(doctor, "as root: ulimit -l unlimited");
	doctor_advise(doctor, "for all logins: echo '* - memlock unlimited' >/etc/security/limits.d/rdma.conf");
}

/* The last LimitMEMLOCK= of the unit and of what is dropped in beside it, to free. */
static char *unit_limit(void)
{
	static const char *const units[] = {
		"/etc/systemd/system", "/usr/local/lib/systemd/system",
		"/usr/lib/systemd/system", "/lib/systemd/system",
	};
	char *limit = NULL;
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]) && !limit; i++) {
		CLEANUP_FREE char *unit = text_format("%s%s/farmemd.service", file_root(), units[i]);

		if (file_missing(unit))
			continue;
		limit = doctor_line(unit, "LimitMEMLOCK=");
		limit = limit ? limit : text_copy("");
	}
	return limit;
}

static char *drop_in_limit(void)
{
	CLEANUP_FREE char *folder = text_format("%s/etc/systemd/system/farmemd.service.d",
						file_root());
	char **names = name_list(folder);
	char *limit = NULL;
	char **name;

	for (name = names; name && *name; name++) {
		CLEANUP_FREE char *path = text_format("%s/%s", folder, *name);
		char *line = doctor_line(path, "LimitMEMLOCK=");

		if (!line)
			continue;
		free(limit);
		limit = line;
	}
	name_list_free(names);
	return limit;
}

static void advise_unit(struct doctor *doctor)
{
	doctor_advise(doctor, "mkdir -p /etc/systemd/system/farmemd.service.d");
	doctor_advise(doctor, "printf '[Service]\\nLimitMEMLOCK=infinity\\n' >/etc/systemd/system/farmemd.service.d/memlock.conf");
	doctor_advise(doctor, "systemctl daemon-reload; systemctl restart farmemd    (without --pool its data is lost: see farmemctl server stop)");
}

/* One that runs is asked for what it has, else the unit for what it will get. */
static bool say_running(struct doctor *doctor)
{
	unsigned int pid = doctor_farmemd_pid();
	CLEANUP_FREE char *number = text_format("%u", pid);
	CLEANUP_FREE char *size = NULL;
	uint64_t bytes;

	if (!pid || !memlock_of(number, &bytes))
		return false;
	if (bytes == UINT64_MAX || may_lock_all(number)) {
		doctor_say(doctor, VERDICT_OK, "farmemd runs (%u), without a limit", pid);
		return true;
	}
	/* It has locked its pool, or it would not run; registering may need more. */
	size = size_format(bytes);
	doctor_say(doctor, VERDICT_WARN, "farmemd runs (%u) with a limit of %s", pid, size);
	advise_unit(doctor);
	return true;
}

void check_limits_service(struct doctor *doctor)
{
	CLEANUP_FREE char *unit = unit_limit();
	CLEANUP_FREE char *over = drop_in_limit();
	const char *limit = over ? over : unit;

	if (say_running(doctor))
		return;
	if (!unit) {
		doctor_say(doctor, VERDICT_SKIPPED, "there is no farmemd.service");
	} else if (!strcmp(limit, "infinity")) {
		doctor_say(doctor, VERDICT_OK, "farmemd.service: LimitMEMLOCK=infinity");
	} else {
		doctor_say(doctor, VERDICT_FAIL, "farmemd.service: %s%s",
			   *limit ? "LimitMEMLOCK=" : "no LimitMEMLOCK, so systemd's 8M",
			   limit);
		advise_unit(doctor);
	}
}

/* Free huge pages of that size; false if this machine has none such. */
static bool free_pages(uint64_t bytes, uint64_t *count)
{
	CLEANUP_FREE char *path = text_format("%s/kernel/mm/hugepages/hugepages-%" PRIu64
					      "kB/free_hugepages", sysfs_root(), bytes / 1024);
	CLEANUP_FREE char *text = attr_read(path);

	if (text)
		*count = strtoull(text, NULL, 10);
	return text;
}

/* Those that a farmemd which runs has taken are not free, and not missing. */
void check_hugepages(struct doctor *doctor)
{
	const struct doctor_config *config = doctor->config;
	uint64_t need = config->hugepages ? config->size / config->hugepages : 0;
	CLEANUP_FREE char *size = size_format(config->hugepages);
	CLEANUP_FREE char *sysctl = NULL;
	uint64_t count = 0;

	if (!need) {
		free_pages(2 * MEGABYTE, &count);
		doctor_say(doctor, VERDICT_OK, "none are asked for in farmemd.conf; %" PRIu64
			   " of 2M are free", count);
	} else if (doctor_farmemd_pid()) {
		doctor_say(doctor, VERDICT_OK, "farmemd runs, and has what it asked for");
	} else if (!free_pages(config->hugepages, &count)) {
		doctor_say(doctor, VERDICT_FAIL, "this machine has no huge pages of %s", size);
		doctor_advise(doctor, "hugepages = 2M in /etc/farmem/farmemd.conf");
	} else if (count < need) {
		doctor_say(doctor, VERDICT_FAIL, "%" PRIu64 " of %s are free, farmemd.conf needs %"
			   PRIu64, count, size, need);
		sysctl = text_format("vm.nr_hugepages=%" PRIu64, need);
		if (config->hugepages == 2 * MEGABYTE)
			doctor_repair(doctor, "sysctl", "-w", sysctl, NULL);
		else
			doctor_advise(doctor, "hugepagesz=%s hugepages=%" PRIu64 " on the kernel's command line",
				      size, need);
	} else {
		doctor_say(doctor, VERDICT_OK, "%" PRIu64 " of %s are free, farmemd.conf needs %"
			   PRIu64, count, size, need);
	}
}

/* Does somebody accept there?  0, or the errno. */
static int knock(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int error = 0;
	int fd;

	if (strlen(path) >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errno;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		error = errno;
	close(fd);
	return error;
}

void check_farmemd(struct doctor *doctor)
{
	const char *told = doctor->args->value[OPT_CONTROL];
	CLEANUP_FREE char *usual = text_format("%s" CONTROL_PATH, file_root());
	CLEANUP_FREE char *systemd = text_format("%s/run/systemd/system", file_root());
	const char *path = told ? told : usual;
	int error = knock(path);

	if (!error || error == EAGAIN || error == EACCES) {
		doctor_say(doctor, VERDICT_OK, "it answers at %s", path);
		return;
	}
	if (doctor->guessed) {
		doctor_say(doctor, VERDICT_SKIPPED, "no; if this is a memory node say --node memory");
		return;
	}
	doctor_say(doctor, VERDICT_FAIL, "%s: %s", path, strerror(error));
	if (!file_missing(systemd))
		doctor_repair(doctor, "systemctl", "start", "farmemd", NULL);
	else
		doctor_advise(doctor, "farmemd --keys FILE --size SIZE    (or --control PATH, if it has another socket)");
}
