// SPDX-License-Identifier: GPL-2.0
/*
 * check.c - what must be so before memory can be lent, and how to make it so.
 *
 * Owns the table of checks.  farmemd --check prints all of them; a start runs those on
 * memory and logs only what is wrong.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sysexits.h>

#include "check.h"
#include "cm.h"
#include "device.h"
#include "device-limits.h"
#include "options.h"
#include "keys.h"
#include "log.h"
#include "metrics.h"
#include "parse.h"
#include "pool-size.h"
#include "server.h"
#include "server-uuid.h"
#include "util.h"

/* Memory that farmemd needs beside the pool. */
#define OWN_BYTES	(64 * MEGABYTE)
#define MEGABYTE	(UINT64_C(1) << 20)

/* @CHECK_NEVER: fails, and would at the next start. */
enum verdict { CHECK_OK, CHECK_WARN, CHECK_FAIL, CHECK_NEVER };

struct check {
	const char *name;
	enum verdict (*run)(const struct options *opt, char *text, size_t size);
	bool at_start;
};

/* The number after @key at the start of a line of a /proc or /sys file. */
static int check_read_number(const char *path, const char *key, int base, uint64_t *number)
{
	FILE *file = fopen(path, "re");
	char line[256];
	int ret = -ENOENT;

	if (!file)
		return -errno;
	while (ret && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		ret = sscanf(line + strlen(key), base == 16 ? "%" SCNx64 : "%" SCNu64, number) == 1 ?
			0 : -EINVAL;
	}
	fclose(file);
	return ret;
}

static bool check_may_lock(void)
{
	uint64_t effective;

	return !check_read_number("/proc/self/status", "CapEff:", 16, &effective) &&
	       effective & 1ull << CAP_IPC_LOCK;
}

static uint64_t check_mapped(const struct options *opt)
{
	return pool_size_mapped(opt->size, opt->slab_size, opt->hugepage_size);
}

static uint64_t check_missing(const struct options *opt)
{
	return pool_size_missing(check_mapped(opt) - opt->spare, opt->pool);
}

static enum verdict check_memlock(const struct options *opt, char *text, size_t size)
{
	uint64_t need = check_mapped(opt) + OWN_BYTES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit)) {
		snprintf(text, size, "%s", strerror(errno));
		return CHECK_FAIL;
	}
	if (limit.rlim_cur == RLIM_INFINITY || check_may_lock()) {
		snprintf(text, size, "unlimited");
		return CHECK_OK;
	}
	snprintf(text, size, "need %" PRIu64 "M, limit %" PRIu64 "M%s", need / MEGABYTE,
		 (uint64_t)limit.rlim_cur / MEGABYTE, limit.rlim_cur >= need ? "" :
		 "; run 'ulimit -l unlimited' as root first, or set LimitMEMLOCK=infinity in the unit");
	return limit.rlim_cur >= need ? CHECK_OK : CHECK_FAIL;
}

static enum verdict check_hugepages(const struct options *opt, char *text, size_t size)
{
	uint64_t need = check_missing(opt) / opt->hugepage_size;
	uint64_t kib = opt->hugepage_size / 1024, unused, available;
	struct huge_pages pages;

	if (pool_size_huge(opt->hugepage_size, &pages)) {
		snprintf(text, size, "this machine has no huge pages of %" PRIu64 "M", kib / 1024);
		return CHECK_FAIL;
	}
	/* The kernel makes these of other memory, if there is some. */
	if (check_read_number("/proc/meminfo", "MemAvailable:", 10, &available))
		available = 0;
	unused = pages.unused + min(pages.allowed, available / kib);
	if (unused >= need) {
		snprintf(text, size, "%" PRIu64 " huge pages needed, %" PRIu64 " free", need, unused);
		return CHECK_OK;
	}
	snprintf(text, size, "%" PRIu64 " huge pages needed, %" PRIu64
		 " free; raise the number in /sys/kernel/mm/hugepages/hugepages-%" PRIu64
		 "kB/nr_hugepages by %" PRIu64, need, unused, kib, need - unused);
	return CHECK_FAIL;
}

static enum verdict check_memory(const struct options *opt, char *text, size_t size)
{
	uint64_t need = check_missing(opt) + OWN_BYTES;
	uint64_t kib, total;

	if (opt->hugepage_size)
		return check_hugepages(opt, text, size);
	if (check_read_number("/proc/meminfo", "MemTotal:", 10, &total) ||
	    check_read_number("/proc/meminfo", "MemAvailable:", 10, &kib)) {
		snprintf(text, size, "cannot read /proc/meminfo");
		return CHECK_WARN;
	}
	if (total * 1024 < need) {
		snprintf(text, size, "need %" PRIu64 "M, this machine has %" PRIu64 "M; lower --size",
			 need / MEGABYTE, total / 1024);
		return CHECK_NEVER;
	}
	snprintf(text, size, "need %" PRIu64 "M, %" PRIu64 "M available%s", need / MEGABYTE,
		 kib / 1024, kib * 1024 >= need ? "" : "; lower --size");
	return kib * 1024 >= need ? CHECK_OK : CHECK_FAIL;
}

/* A page that is written to swap on farmem while farmemd waits for a page. */
static enum verdict check_swap(const struct options *opt, char *text, size_t size)
{
	FILE *file = fopen("/proc/swaps", "re");
	bool found = false;
	char line[256];

	(void)opt;
	while (file && fgets(line, sizeof(line), file))
		found |= !strncmp(line, "/dev/farmem", strlen("/dev/farmem"));
	if (file)
		fclose(file);
	if (!found) {
		snprintf(text, size, "no farmem volume is swap here");
		return CHECK_OK;
	}
	snprintf(text, size, "this machine swaps to a farmem volume; if this server lends that volume, "
		 "the machine can lock up: run 'swapoff' on it, unless this is only a test");
	return CHECK_WARN;
}

static enum verdict check_uuid(const struct options *opt, char *text, size_t size)
{
	uint8_t uuid[FARMEM_ID_LEN];

	if (server_uuid(opt, uuid, text, size))
		return CHECK_FAIL;
	format_uuid(uuid, text);
	return CHECK_OK;
}

static enum verdict check_keys(const struct options *opt, char *text, size_t size)
{
	uint8_t uuid[FARMEM_ID_LEN];
	struct key *keys = NULL;
	const struct key *key;
	unsigned int count = 0;

	if (opt->keys && (server_uuid(opt, uuid, text, size) ||
			  keys_read(opt->keys, uuid, &keys, text, size)))
		return CHECK_FAIL;
	for (key = keys; key; key = key->next)
		count++;
	keys_free(keys);
	if (opt->insecure) {
		snprintf(text, size, "%u; --insecure also admits clients without a key", count);
		return CHECK_WARN;
	}
	if (!opt->keys) {
		snprintf(text, size, "none; give --keys FILE ('farmemctl key derive' makes its lines), or --insecure");
		return CHECK_FAIL;
	}
	snprintf(text, size, "%u in %s", count, opt->keys);
	return CHECK_OK;
}

static enum verdict check_devices(const struct options *opt, char *text, size_t size)
{
	int count = 0, used = 0, i;
	struct ibv_device **list = ibv_get_device_list(&count);

	(void)opt;
	if (!list || !count) {
		snprintf(text, size, "none; see 'rdma link', for soft-RoCE "
			 "'rdma link add rxe0 type rxe netdev eth0'");
		if (list)
			ibv_free_device_list(list);
		return CHECK_FAIL;
	}
	for (i = 0; i < count && used < (int)size; i++)
		used += snprintf(text + used, size - used, "%s%s", i ? ", " : "",
				 ibv_get_device_name(list[i]));
	ibv_free_device_list(list);
	return CHECK_OK;
}

static enum verdict check_device(struct ibv_device *device, const struct options *opt,
				 char *text, size_t size)
{
	static const enum verdict verdict[] = {
		[LIMITS_FIT] = CHECK_OK, [LIMITS_TIGHT] = CHECK_WARN, [LIMITS_UNFIT] = CHECK_FAIL,
	};
	struct ibv_context *verbs = ibv_open_device(device);
	enum limits_verdict judged = LIMITS_UNFIT;
	struct ibv_device_attr attr;
	struct limits limits;
	int ret;

	ret = verbs ? ibv_query_device(verbs, &attr) : errno;
	if (ret) {
		snprintf(text, size, "cannot be asked for its limits: %s", strerror(ret));
	} else {
		device_limits_of(device_speaks_iwarp(verbs), &attr, &limits);
		judged = device_limits_judge(&limits, opt, text, size);
	}
	if (verbs)
		ibv_close_device(verbs);
	return verdict[judged];
}

/* Its thread and its socket are there for a moment; what is wrong is logged. */
static enum verdict check_metrics(const struct options *opt, char *text, size_t size)
{
	struct metrics *metrics;
	int ret;

	if (opt->metrics.ss_family == AF_UNSPEC) {
		snprintf(text, size, "not asked for");
		return CHECK_OK;
	}
	ret = metrics_start(opt, &metrics);
	metrics_stop(metrics);
	snprintf(text, size, "%s", ret ? "farmemd would go on without them, see above" : "can be answered");
	return ret ? CHECK_WARN : CHECK_OK;
}

static const struct check checks[] = {
	{ "memory lock limit", check_memlock, true },
	{ "memory", check_memory, true },
	{ "swap", check_swap, true },
	{ "server UUID", check_uuid, false },
	{ "keys", check_keys, false },
	{ "metrics", check_metrics, false },
	{ "RDMA devices", check_devices, false },
};

#define CHECKS (sizeof(checks) / sizeof(checks[0]))

static void check_print_line(enum verdict verdict, const char *name, const char *text)
{
	static const char *const word[] = { "ok", "warn", "FAIL", "FAIL" };

	printf("%-4s  %s: %s\n", word[verdict], name, text);
}

/* With all addresses, one family may be missing, but not both. */
static int check_print_listen(const struct options *opt)
{
	const struct server server = { .opt = *opt };
	struct sockaddr_storage addr[OPTIONS_LISTEN_MAX];
	unsigned int count = cm_addresses(&server, addr);
	unsigned int failed = 0, i;
	char name[ADDRESS_TEXT], text[160];
	int ret;

	for (i = 0; i < count; i++) {
		ret = cm_probe_address((struct sockaddr *)&addr[i]);
		failed += ret != 0;
		snprintf(text, sizeof(text), "%s%s%s", ret ? strerror(-ret) : "can be bound",
			 ret ? "; " : "", ret ? cm_address_hint(ret) : "");
		check_print_line(!ret ? CHECK_OK : opt->listen_count || failed == count ?
				 CHECK_FAIL : CHECK_WARN,
				 format_address((struct sockaddr *)&addr[i], name), text);
	}
	return failed && (opt->listen_count || failed == count);
}

/* What each device can have.  An unfit device is a failure if no other is fit. */
static int check_print_limits(const struct options *opt)
{
	int count = 0, fit = 0, i;
	struct ibv_device **list = ibv_get_device_list(&count);
	enum verdict verdict;
	char text[400];

	for (i = 0; list && i < count; i++)
		fit += check_device(list[i], opt, text, sizeof(text)) != CHECK_FAIL;
	for (i = 0; list && i < count; i++) {
		verdict = check_device(list[i], opt, text, sizeof(text));
		check_print_line(verdict == CHECK_FAIL && fit ? CHECK_WARN : verdict,
				 ibv_get_device_name(list[i]), text);
	}
	if (list)
		ibv_free_device_list(list);
	return count && !fit;
}

int check_print(const struct options *opt)
{
	char text[320];
	int failed = 0;
	size_t i;

	check_print_line(CHECK_OK, "configuration", opt->config ? opt->config : "command line");
	for (i = 0; i < CHECKS; i++) {
		enum verdict verdict = checks[i].run(opt, text, sizeof(text));

		check_print_line(verdict, checks[i].name, text);
		failed |= verdict >= CHECK_FAIL;
	}
	failed |= check_print_limits(opt);
	failed |= check_print_listen(opt);
	return failed;
}

int check_start(const struct options *opt)
{
	char text[320];
	int ret = 0;
	size_t i;

	for (i = 0; i < CHECKS; i++) {
		enum verdict verdict = CHECK_OK;

		if (checks[i].at_start)
			verdict = checks[i].run(opt, text, sizeof(text));
		if (verdict == CHECK_WARN)
			log_warn("%s: %s", checks[i].name, text);
		if (verdict < CHECK_FAIL)
			continue;
		log_err("%s: %s", checks[i].name, text);
		if (ret != -EINVAL)
			ret = verdict == CHECK_NEVER ? -EINVAL : -EAGAIN;
	}
	return ret;
}

int check_exit_status(int error)
{
	return error == -EINVAL || error == -EPROTONOSUPPORT ? EX_CONFIG : EXIT_FAILURE;
}
