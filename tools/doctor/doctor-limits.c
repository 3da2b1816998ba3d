// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-limits.c - what may be locked, what huge pages there are, and farmemd itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"
#include "size.h"

#define SYSTEMCTL_SECONDS 10
#define CAP_IPC_LOCK	14
#define MEGABYTE	(UINT64_C(1) << 20)
/* What a client of verbs needs that has no pool. */
#define CLIENT_BYTES	MEGABYTE

/* The soft limit in a process's table of limits; UINT64_MAX: none; false: not known. */
static bool memlock_of(const char *pid, uint64_t *bytes)
{
	CLEANUP_FREE char *path = text_format("%s/%s/limits", proc_root(), pid);
	CLEANUP_FREE char *line = doctor_line(path, "Max locked memory");

	if (line)
		*bytes = strncmp(line, "unlimited", 9) ? strtoull(line, NULL, 10) : UINT64_MAX;
	return line;
}

static bool may_lock_all(const char *pid)
{
	CLEANUP_FREE char *path = text_format("%s/%s/status", proc_root(), pid);
	CLEANUP_FREE char *bits = doctor_line(path, "CapEff:");

	return bits && strtoull(bits, NULL, 16) & 1ull << CAP_IPC_LOCK;
}

/*
 * farmemd.service, as systemd tells of it.  A member is meaningless after one that is false.
 * @memlock: the soft limit of locked memory in bytes; UINT64_MAX: none
 * @unbound: it runs as root with CAP_IPC_LOCK, so that the limit does not bind it
 */
struct unit {
	bool systemd, there, enabled;
	uint64_t memlock;
	bool unbound;
};

static struct unit read_unit(void)
{
	CLEANUP_FREE char *output = NULL;
	CLEANUP_FREE char *load = NULL;
	CLEANUP_FREE char *state = NULL;
	CLEANUP_FREE char *limit = NULL;
	CLEANUP_FREE char *user = NULL;
	CLEANUP_FREE char *capabilities = NULL;
	struct unit unit = { 0 };

	if (file_missing("%s/run/systemd/system", file_root()) ||
	    command_ask(&output, SYSTEMCTL_SECONDS, "systemctl", "show", "-p", "LoadState", "-p",
			"UnitFileState", "-p", "LimitMEMLOCKSoft", "-p", "User", "-p",
			"CapabilityBoundingSet", "farmemd.service", NULL))
		return unit;
	unit.systemd = true;
	load = doctor_field(output, "LoadState=");
	state = doctor_field(output, "UnitFileState=");
	/* What it calls LimitMEMLOCK is the hard limit, which binds no process. */
	limit = doctor_field(output, "LimitMEMLOCKSoft=");
	user = doctor_field(output, "User=");
	capabilities = doctor_field(output, "CapabilityBoundingSet=");
	unit.there = load && !strcmp(load, "loaded");
	unit.enabled = state && (!strcmp(state, "enabled") || !strcmp(state, "enabled-runtime"));
	if (limit && !strcmp(limit, "infinity"))
		unit.memlock = UINT64_MAX;
	else if (limit)
		size_parse(limit, &unit.memlock);
	unit.unbound = (!user || !*user || !strcmp(user, "root") || !strcmp(user, "0")) &&
		       capabilities && strstr(capabilities, "cap_ipc_lock");
	return unit;
}

/* The table of this process, which has it of its shell. */
void check_limits_shell(struct doctor *doctor)
{
	bool lends = doctor->nodes & NODE_MEMORY;
	CLEANUP_FREE char *size = NULL;
	uint64_t bytes;

	if (!memlock_of("self", &bytes)) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s/self/limits can't be read", proc_root());
		doctor_advise(doctor, "ulimit -l; mount | grep proc    (procfs must be mounted at /proc)");
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

static void advise_unit(struct doctor *doctor)
{
	doctor_advise(doctor, "mkdir -p /etc/systemd/system/farmemd.service.d");
	doctor_advise(doctor, "printf '[Service]\\nLimitMEMLOCK=infinity\\n' >/etc/systemd/system/farmemd.service.d/memlock.conf");
	doctor_advise(doctor, "systemctl daemon-reload; systemctl restart farmemd    (without --pool its data is lost: see farmemctl server stop)");
}

/* One that runs is asked for what it has, else the unit for what it will get. */
static bool say_running(struct doctor *doctor)
{
	const struct doctor_config *config = doctor->config;
	unsigned int pid = doctor_farmemd_pid();
	CLEANUP_FREE char *number = text_format("%u", pid);
	CLEANUP_FREE char *size = NULL;
	uint64_t bytes;

	if (!pid || !memlock_of(number, &bytes))
		return false;
	if (bytes == UINT64_MAX || may_lock_all(number)) {
		doctor_say(doctor, VERDICT_OK, "farmemd runs (process %u) without a limit", pid);
		return true;
	}
	size = size_format(bytes);
	if (config->locked && bytes >= config->locked) {
		doctor_say(doctor, VERDICT_OK, "farmemd runs (process %u) with a limit of %s, and its pool needs less",
			   pid, size);
		return true;
	}
	/* It has locked its pool, or it would not run; registering may need more. */
	doctor_say(doctor, VERDICT_WARN, "farmemd runs (process %u) with a limit of %s", pid, size);
	advise_unit(doctor);
	return true;
}

static void say_unit(struct doctor *doctor, const struct unit *unit)
{
	uint64_t need = doctor->config->locked;
	CLEANUP_FREE char *size = size_format(unit->memlock);
	CLEANUP_FREE char *needs = size_format(need);

	if (!unit->systemd) {
		doctor_say(doctor, VERDICT_SKIPPED, "systemd does not run here: the program that starts farmemd sets its limits");
	} else if (!unit->there) {
		doctor_say(doctor, VERDICT_SKIPPED, "there is no farmemd.service");
	} else if (unit->memlock == UINT64_MAX) {
		doctor_say(doctor, VERDICT_OK, "farmemd.service: LimitMEMLOCK=infinity");
	} else if (unit->unbound) {
		doctor_say(doctor, VERDICT_OK, "farmemd.service: a limit of %s, but the service is root with CAP_IPC_LOCK, which lifts it",
			   size);
	} else if (need && unit->memlock >= need) {
		doctor_say(doctor, VERDICT_OK, "farmemd.service: a limit of %s; the pool of farmemd.conf needs %s",
			   size, needs);
	} else {
		doctor_say(doctor, need ? VERDICT_FAIL : VERDICT_WARN,
			   "farmemd.service: a limit of %s%s%s", size,
			   need ? "; the pool of farmemd.conf needs " : ", and farmemd locks its whole pool",
			   need ? needs : "");
		advise_unit(doctor);
	}
}

void check_limits_service(struct doctor *doctor)
{
	struct unit unit;

	if (say_running(doctor))
		return;
	unit = read_unit();
	say_unit(doctor, &unit);
}

/* How many huge pages of @bytes sysfs counts, of one kind. */
static uint64_t count_huge(uint64_t bytes, const char *kind)
{
	CLEANUP_FREE char *text = attr_read("%s/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/%s_hugepages",
					    sysfs_root(), bytes / 1024, kind);

	return text ? strtoull(text, NULL, 10) : 0;
}

/* The pages that other programs have stay theirs: as many more as are missing. */
static void help_huge(struct doctor *doctor, uint64_t missing, const char *size)
{
	uint64_t bytes = doctor->config->hugepages, count = count_huge(bytes, "nr") + missing;
	CLEANUP_FREE char *meminfo = text_format("%s/meminfo", proc_root());
	CLEANUP_FREE char *usual = doctor_line(meminfo, "Hugepagesize:");
	CLEANUP_FREE char *command = text_format("echo %" PRIu64 " >%s/kernel/mm/hugepages/hugepages-%"
						 PRIu64 "kB/nr_hugepages", count, sysfs_root(),
						 bytes / 1024);
	bool is_usual = usual && strtoull(usual, NULL, 10) * 1024 == bytes;

	doctor_repair(doctor, "sh", "-c", command, NULL);
	if (is_usual)
		doctor_advise(doctor, "for good: echo vm.nr_hugepages=%" PRIu64 " >/etc/sysctl.d/90-farmem-hugepages.conf",
			      count);
	else
		doctor_advise(doctor, "for good: hugepagesz=%s hugepages=%" PRIu64 " on the kernel's command line",
			      size, count);
}

/* The pages of a farmemd that runs are not free, and not missing. */
void check_hugepages(struct doctor *doctor)
{
	const struct doctor_config *config = doctor->config;
	uint64_t bytes = config->hugepages ? config->hugepages : 2 * MEGABYTE;
	uint64_t need = config->hugepages ? config->missing / config->hugepages : 0;
	uint64_t left = count_huge(bytes, "free"), promised = count_huge(bytes, "resv");
	uint64_t unused = left > promised ? left - promised : 0;
	CLEANUP_FREE char *size = size_format(bytes);

	if (!config->hugepages) {
		doctor_say(doctor, VERDICT_OK, "farmemd.conf asks for none; %" PRIu64
			   " of 2M are free", unused);
	} else if (doctor_farmemd_pid()) {
		doctor_say(doctor, VERDICT_OK, "farmemd runs and has its huge pages already");
	} else if (file_missing("%s/kernel/mm/hugepages/hugepages-%" PRIu64 "kB", sysfs_root(),
				bytes / 1024)) {
		doctor_say(doctor, VERDICT_FAIL, "this machine has no huge pages of %s", size);
		doctor_advise(doctor, "hugepages = 2M in /etc/farmem/farmemd.conf");
	} else {
		doctor_say(doctor, unused < need ? VERDICT_FAIL : VERDICT_OK, "%" PRIu64
			   " of %s are free, farmemd.conf needs %" PRIu64, unused, size, need);
		if (unused < need)
			help_huge(doctor, need - unused, size);
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

/*
 * A user that asks about a memory node, or has enabled the service, wants it to run; a
 * configuration file alone may be left from last year.
 */
static void help_farmemd(struct doctor *doctor)
{
	bool asked = doctor->args->value[OPT_NODE];
	struct unit unit = read_unit();

	if (!unit.there)
		doctor_advise(doctor, "farmemd --keys FILE --size SIZE    (or --control PATH, if it has another socket)");
	else if (asked || unit.enabled)
		doctor_repair(doctor, "systemctl", "start", "farmemd", NULL);
	else
		doctor_advise(doctor, "systemctl start farmemd    (if this node is to lend memory)");
	if (unit.there && !unit.enabled)
		doctor_advise(doctor, "for good: systemctl enable farmemd");
}

void check_farmemd(struct doctor *doctor)
{
	const char *told = doctor->args->value[OPT_CONTROL];
	CLEANUP_FREE char *usual = text_format("%s%s", file_root(), doctor->config->control);
	const char *path = told ? told : usual;
	int error = knock(path);

	if (!error || error == EAGAIN) {
		doctor_say(doctor, VERDICT_OK, "farmemd answers at %s", path);
	} else if (error == EACCES) {
		/* Also the socket of one that is gone. */
		doctor_say(doctor, VERDICT_UNKNOWN, "%s: %s", path, strerror(error));
		doctor_advise(doctor, "as root: farmemctl doctor");
	} else if (doctor->guessed) {
		doctor_say(doctor, VERDICT_SKIPPED, "farmemd does not answer; on a memory node give --node memory");
	} else {
		doctor_say(doctor, VERDICT_FAIL, "%s: %s", path, strerror(error));
		help_farmemd(doctor);
	}
}
