// SPDX-License-Identifier: GPL-2.0
/*
 * fake-kernel.c - the module's side of configfs, sysfs and uevents, preloaded
 * into farmemctl by tests/cli/run.
 *
 * A mkdir below $FARMEM_CONFIGFS fills the directory as configfs would, writes
 * to `power` and `release` make and remove disks below $FARMEM_SYSFS, and what
 * was done goes to $FAKE_LOG.  Steered by:
 *   $FAKE_FAIL    "sessions/a/power=111:reason": this write fails so; with "off "
 *                 before it, a write of 0
 *   $FAKE_SIGNAL  "sessions/a/power": SIGINT arrives during this write
 *   a file `.fixed` in an object: module parameters made it (rmdir: EPERM)
 *   a file `.open` beside a disk: some process has it open (EBUSY)
 *   $FAKE_HUGETLBFS  a folder that is to be a hugetlbfs with pages of 2 MiB
 *   $FAKE_EVENTS  uevents: lines "port KEY=VALUE ..."; SIGINT after the last of a file, none
 *                 of a FIFO, whose lines may come later
 *   $FAKE_PATIENT a wait for a uevent has no time limit; a file of that name says that one
 *                 has begun
 *   $FAKE_HASTE   N: the clock that nobody sets runs N times as fast
 *   $FAKE_FULL    N: the Nth file that this process gives a name to finds the disk full
 *   $FAKE_FOREIGN a file or folder of that name belongs to another user, 4711
 *   $FAKE_PAUSE   N: the Nth step of what this process asks of the kernel waits: a
 *                 file `paused` in the folder $FAKE_GATE says so, `go` lets it go on;
 *                 a file `waiting` there says that a process waits for a lock
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

struct attr {
	const char *name;
	const char *value;
};

static const struct attr session_attrs[] = {
	{ "server", "" }, { "source", "" }, { "client", "node1" }, { "key", "" }, { "queues", "0" },
	{ "takeover", "0" }, { "connect_timeout", "20" },
	{ "reconnect_delay", "1" }, { "reconnect_max", "30" },
	{ "heartbeat", "5" }, { "peer_timeout", "7" }, { "power", "0" },
	{ "state", "down" }, { "reason", "" }, { "generation", "0" },
	{ "slab_size", "0" }, { "queue_count", "0" }, { "device", "" },
	{ "server_capacity", "0" }, { "server_free", "0" }, { "server_pressure", "0.00" },
	{ "server_wanted", "0" }, { "server_wanted_within", "0" },
	{ "lease", "0" },
	{ "volumes", "0" }, { NULL, NULL }
};

static const struct attr session_live[] = {
	{ "state", "live" }, { "reason", "" }, { "generation", "5eed0001" },
	{ "slab_size", "67108864" }, { "queue_count", "4" }, { "device", "rxe0" },
	{ "server_capacity", "8589934592" }, { "server_free", "7516192768" },
	{ NULL, NULL }
};

static const struct attr volume_attrs[] = {
	{ "session", "" }, { "size", "0" }, { "uuid", "" }, { "sync", "0" }, { "checksum", "none" },
	{ "io_deadline", "30" }, { "partner", "" }, { "stale", "0" }, { "power", "0" }, { "release", "" }, { "device", "" }, { "state", "off" },
	{ "reason", "" }, { NULL, NULL }
};

#define MEMORY_BYTES 8192	/* room for md's superblock */
#define NO_TIMES "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"

static const struct attr disk_attrs[] = {
	{ "dev", "251:0" }, { "size", "8388608" }, { "farmem/volume", "" },
	{ "farmem/session", "" }, { "farmem/uuid", "" }, { "farmem/state", "live" },
	{ "farmem/generation", "5eed0001" }, { "farmem/slab_size", "67108864" },
	{ "farmem/slabs", "64" }, { "farmem/regions", "1" }, { "farmem/sync", "0" }, { "farmem/checksum", "none" },
	{ "farmem/reads", "0" }, { "farmem/writes", "0" }, { "farmem/read_bytes", "0" },
	{ "farmem/write_bytes", "0" }, { "farmem/discards", "0" },
	{ "farmem/zero_reads", "0" }, { "farmem/zero_writes", "0" },
	{ "farmem/zero_pages", "0" }, { "farmem/slot_frees", "0" },
	{ "farmem/polled_reads", "0" }, { "farmem/irq_reads", "0" },
	{ "farmem/shortages", "0" }, { "farmem/read_errors", "0" },
	{ "farmem/write_errors", "0" }, { "farmem/lost_pages", "0" }, { "farmem/lost_reads", "0" },
	{ "farmem/checksum_errors", "0" }, { "farmem/inflight", "0" },
	{ "farmem/parked", "0" }, { "farmem/latency", "1" }, { "farmem/read_latency", NO_TIMES },
	{ "farmem/write_latency", NO_TIMES }, { "farmem/discard_latency", NO_TIMES },
	{ "farmem/fault_latency", NO_TIMES }, { NULL, NULL }
};

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((format(printf, 1, 2)))
static void note(const char *fmt, ...)
{
	const char *path = getenv("FAKE_LOG");
	FILE *log = path ? fopen(path, "a") : NULL;
	va_list ap;

	if (!log)
		return;
	va_start(ap, fmt);
	vfprintf(log, fmt, ap);
	va_end(ap);
	fclose(log);
}

static void put(const char *directory, const char *name, const char *value)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (file) {
		fprintf(file, "%s\n", value);
		fclose(file);
	}
}

static void put_all(const char *directory, const struct attr *attr)
{
	for (; attr->name; attr++)
		put(directory, attr->name, attr->value);
}

static void get(const char *directory, const char *name, char *value, size_t room)
{
	char path[PATH_MAX];
	FILE *file;

	*value = '\0';
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "r");
	if (!file)
		return;
	if (!fgets(value, room, file))
		*value = '\0';
	value[strcspn(value, "\n")] = '\0';
	fclose(file);
}

static bool has(const char *directory, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return !access(path, F_OK);
}

static void empty(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

/* One step of what is asked of the kernel; others may come before it. */
static void step(void)
{
	const char *pause = getenv("FAKE_PAUSE"), *gate = getenv("FAKE_GATE");
	static int steps;

	if (!pause || ++steps != atoi(pause))
		return;
	put(gate, "paused", "");
	while (!has(gate, "go"))
		usleep(1000);
}

int fcntl(int fd, int command, ...)
{
	const char *gate = getenv("FAKE_GATE");
	void *argument;
	va_list ap;

	va_start(ap, command);
	argument = va_arg(ap, void *);
	va_end(ap);
	if (gate && command == F_OFD_SETLKW) {
		if (!REAL(fcntl)(fd, F_OFD_SETLK, argument))
			return 0;
		put(gate, "waiting", "");
	}
	return REAL(fcntl)(fd, command, argument);
}

/* The part below the module's configfs directory, NULL for other paths. */
static const char *inside(const char *path)
{
	const char *root = getenv("FARMEM_CONFIGFS");
	size_t length = root ? strlen(root) : 0;

	if (!length || strncmp(path, root, length) || path[length] != '/')
		return NULL;
	return path + length + 1;
}

static void disk_path(const char *device, char *path)
{
	snprintf(path, PATH_MAX, "%s/block/%s", getenv("FARMEM_SYSFS"), device);
}

/* Where a rack is faked: what a server keeps of a volume, for the disk of that volume. */
static bool memory_path(const char *volume, char *path)
{
	const char *rack = getenv("FAKE_RACK");

	snprintf(path, PATH_MAX, "%s/memory-%s", rack ? rack : "", strrchr(volume, '/') + 1);
	return rack;
}

static void memory_add(const char *volume, const char *device)
{
	char memory[PATH_MAX], link[PATH_MAX];
	int fd;

	if (!memory_path(volume, memory))
		return;
	fd = REAL(open)(memory, O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, MEMORY_BYTES))
		abort();
	close(fd);
	snprintf(link, sizeof(link), "%s/dev/%s", getenv("FARMEM_ROOT"), device);
	unlink(link);
	if (symlink(memory, link))
		abort();
}

static void memory_remove(const char *volume)
{
	char memory[PATH_MAX];

	if (memory_path(volume, memory))
		unlink(memory);
}

static void disk_add(const char *volume)
{
	char device[32], disk[PATH_MAX], path[PATH_MAX + 16], value[256];
	static const char *const copied[] = { "session", "uuid", "sync", "checksum" };
	size_t i;
	int n = 0;

	do {
		snprintf(device, sizeof(device), "farmem%d", n++);
		disk_path(device, disk);
	} while (!access(disk, F_OK));
	REAL(mkdir)(disk, 0755);
	snprintf(path, sizeof(path), "%s/farmem", disk);
	REAL(mkdir)(path, 0755);
	snprintf(path, sizeof(path), "%s/holders", disk);
	REAL(mkdir)(path, 0755);
	put_all(disk, disk_attrs);
	put(disk, "farmem/volume", strrchr(volume, '/') + 1);
	for (i = 0; i < sizeof(copied) / sizeof(*copied); i++) {
		get(volume, copied[i], value, sizeof(value));
		snprintf(path, sizeof(path), "farmem/%s", copied[i]);
		put(disk, path, value);
	}
	put(volume, "device", device);
	put(volume, "state", "live");
	memory_add(volume, device);
}

static int disk_remove(const char *volume)
{
	char device[32], disk[PATH_MAX], path[PATH_MAX + 16];

	get(volume, "device", device, sizeof(device));
	if (!*device)
		return 0;
	disk_path(device, disk);
	if (has(disk, ".open"))
		return EBUSY;
	snprintf(path, sizeof(path), "%s/farmem", disk);
	empty(path);
	REAL(rmdir)(path);
	snprintf(path, sizeof(path), "%s/holders", disk);
	REAL(rmdir)(path);
	empty(disk);
	REAL(rmdir)(disk);
	put(volume, "device", "");
	put(volume, "state", "off");
	return 0;
}

/* How many volumes that are on use the session. */
static int users_of(const char *session)
{
	char path[PATH_MAX], volume[PATH_MAX + 300], power[8], name[256];
	struct dirent *entry;
	int count = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/volumes", getenv("FARMEM_CONFIGFS"));
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		snprintf(volume, sizeof(volume), "%s/%s", path, entry->d_name);
		get(volume, "power", power, sizeof(power));
		get(volume, "session", name, sizeof(name));
		count += *power == '1' && !strcmp(name, strrchr(session, '/') + 1);
	}
	if (dir)
		closedir(dir);
	return count;
}

/* What others see of a session while it is being switched. */
static int session_switch(const char *session, bool on)
{
	char server[256];

	if (!on && users_of(session))
		return EBUSY;
	get(session, "server", server, sizeof(server));
	if (on && !*server) {
		put(session, "reason", "no server: set server=ADDR:PORT, or server=local");
		return EINVAL;
	}
	put(session, "state", on ? "connecting" : "closing");
	put(session, "power", "1");
	step();
	if (on)
		put_all(session, session_live);
	else
		put(session, "state", "down");
	return 0;
}

static int volume_on(const char *volume)
{
	char session[PATH_MAX], name[256], state[32], text[512];

	get(volume, "session", name, sizeof(name));
	snprintf(session, sizeof(session), "%s/sessions/%s", getenv("FARMEM_CONFIGFS"), name);
	get(session, "state", state, sizeof(state));
	if (!strcmp(state, "live")) {
		disk_add(volume);
		return 0;
	}
	snprintf(text, sizeof(text), *state ? "session %s is %s; power it on first" :
		 "no session %s; create it first", name, state);
	put(volume, "reason", text);
	return *state ? ENOTCONN : ENOENT;
}

/* What a write to attribute @name of @object does; 0 or an errno. */
static int attr_store(const char *object, const char *name, const char *value)
{
	bool session = strstr(object, "/sessions/");
	bool on = !strcmp(value, "1");
	char power[8];
	int rc = 0;

	get(object, "power", power, sizeof(power));
	if (!strcmp(name, "release")) {
		rc = disk_remove(object);
		if (!rc) {
			put(object, "power", "0");
			memory_remove(object);
		}
		return rc;
	}
	if (strcmp(name, "power")) {
		if (*power == '1' && strcmp(name, "io_deadline") && strcmp(name, "partner"))
			return EBUSY;
		put(object, name, value);
		return 0;
	}
	if (session)
		rc = session_switch(object, on);
	else
		rc = on ? volume_on(object) : disk_remove(object);
	if (!rc)
		put(object, "power", value);
	return rc;
}

/* The errno that $FAKE_FAIL wants for this write; leaves its reason behind. */
static int told_to_fail(const char *object, const char *attr, const char *value)
{
	const char *rule = getenv("FAKE_FAIL");
	bool off = rule && !strncmp(rule, "off ", 4);
	char *reason;
	int error;

	if (!rule || off != !strcmp(value, "0"))
		return 0;
	rule += off ? 4 : 0;
	if (strncmp(rule, attr, strlen(attr)) || rule[strlen(attr)] != '=')
		return 0;
	error = strtol(rule + strlen(attr) + 1, &reason, 10);
	if (*reason == ':')
		put(object, "reason", reason + 1);
	/* A session that failed to start is not off: it is `failed`. */
	if (!strncmp(attr, "sessions/", 9) && strstr(attr, "/power") && error != EBUSY)
		put(object, "power", "1");
	return error;
}

ssize_t write(int fd, const void *data, size_t length)
{
	char link[64], path[PATH_MAX], value[4096], object[PATH_MAX];
	const char *attr;
	ssize_t got;
	int error;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = readlink(link, path, sizeof(path) - 1);
	path[got > 0 ? got : 0] = '\0';
	attr = inside(path);
	if (!attr)
		return REAL(write)(fd, data, length);
	/* configfs asks nobody then. */
	if (!length)
		return 0;
	snprintf(value, sizeof(value), "%.*s", (int)length, (const char *)data);
	value[strcspn(value, "\n")] = '\0';
	snprintf(object, sizeof(object), "%s", path);
	*strrchr(object, '/') = '\0';
	step();
	/* Its directory may be gone by now. */
	if (access(path, F_OK)) {
		errno = ENOENT;
		return -1;
	}
	error = told_to_fail(object, attr, value);
	if (!error)
		error = attr_store(object, strrchr(attr, '/') + 1, value);
	note("%s = %s%s%s\n", attr, value, error ? ": " : "", error ? strerror(error) : "");
	if (getenv("FAKE_SIGNAL") && !strcmp(getenv("FAKE_SIGNAL"), attr))
		raise(SIGINT);
	errno = error;
	return error ? -1 : (ssize_t)length;
}

int mkdir(const char *path, mode_t mode)
{
	const char *name = inside(path);
	int rc;

	if (name)
		step();
	rc = REAL(mkdir)(path, mode);
	if (rc || !name)
		return rc;
	note("mkdir %s\n", name);
	put_all(path, strncmp(name, "sessions/", 9) ? volume_attrs : session_attrs);
	return 0;
}

int rename(const char *from, const char *to)
{
	static int count;

	if (getenv("FAKE_FULL") && atoi(getenv("FAKE_FULL")) == ++count) {
		note("full %s\n", to);
		errno = ENOSPC;
		return -1;
	}
	return REAL(rename)(from, to);
}

int rmdir(const char *path)
{
	const char *name = inside(path);
	char power[8];

	if (name) {
		step();
		note("rmdir %s\n", name);
		get(path, "power", power, sizeof(power));
		errno = has(path, ".fixed") ? EPERM : *power == '1' ? EBUSY : 0;
		if (errno)
			return -1;
		empty(path);
	}
	return REAL(rmdir)(path);
}

int statfs(const char *path, struct statfs *fs)
{
	const char *folder = getenv("FAKE_HUGETLBFS");
	int ret = REAL(statfs)(path, fs);

	if (!ret && folder && !strncmp(path, folder, strlen(folder))) {
		fs->f_type = HUGETLBFS_MAGIC;
		fs->f_bsize = 2 << 20;
	}
	return ret;
}

/* The client's name, unless told: that of the host. */
int uname(struct utsname *name)
{
	int ret = REAL(uname)(name);

	strcpy(name->nodename, "node1");
	return ret;
}

/* Uevents: the "socket" is the file of events, always readable, or a FIFO. */

int clock_gettime(clockid_t id, struct timespec *now)
{
	const char *haste = getenv("FAKE_HASTE");
	int rc = REAL(clock_gettime)(id, now);

	if (haste && id == CLOCK_MONOTONIC) {
		now->tv_sec *= atol(haste);
		now->tv_nsec = 0;
	}
	return rc;
}

int stat(const char *path, struct stat *file)
{
	const char *foreign = getenv("FAKE_FOREIGN");
	const char *name = strrchr(path, '/');
	int rc = REAL(stat)(path, file);

	if (foreign && !rc && !strcmp(name ? name + 1 : path, foreign))
		file->st_uid = 4711;
	return rc;
}

static int events = -1;

int socket(int domain, int type, int protocol)
{
	if (domain != AF_NETLINK || !getenv("FAKE_EVENTS"))
		return REAL(socket)(domain, type, protocol);
	events = open(getenv("FAKE_EVENTS"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return events;
}

int bind(int fd, const struct sockaddr *address, socklen_t length)
{
	return fd == events ? 0 : REAL(bind)(fd, address, length);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit, const sigset_t *mask)
{
	const char *patient = getenv("FAKE_PATIENT");

	if (patient)
		close(REAL(open)(patient, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	return REAL(ppoll)(fds, count, patient ? NULL : limit, mask);
}

/* Its length; 0 after the last line, -1 before the next one. */
static ssize_t next_line(char *line, size_t room)
{
	ssize_t got = 0;
	size_t length = 0;

	while (length < room - 1 && (got = read(events, line + length, 1)) == 1 &&
	       line[length] != '\n')
		length++;
	line[length] = '\0';
	return got < 0 ? got : (ssize_t)length;
}

ssize_t recvmsg(int fd, struct msghdr *header, int flags)
{
	struct sockaddr_nl *sender = header->msg_name;
	char line[4096];
	ssize_t length;
	char *text;
	char *c;

	if (fd != events)
		return REAL(recvmsg)(fd, header, flags);
	length = next_line(line, sizeof(line));
	if (length <= 0) {
		if (!length)
			raise(SIGINT);
		errno = EAGAIN;
		return -1;
	}
	if (!strcmp(line, "overrun")) {
		errno = ENOBUFS;
		return -1;
	}
	sender->nl_pid = strtoul(line, &text, 10);
	text++;
	for (c = text; *c; c++)
		if (*c == ' ')
			*c = '\0';
	length = c - text + 1;
	memcpy(header->msg_iov[0].iov_base, text, length);
	return length;
}
