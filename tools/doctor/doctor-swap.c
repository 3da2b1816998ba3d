// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-swap.c - settings of swap that cost more over a network than on a disk.
 *
 * While no farmem volume is swap the settings do no harm: they are named without a warning.
 */
#include <libmount.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "doctor.h"

#define DEV	"/dev/"
#define FARMEM	"farmem"
#define ZRAM	"zram"
#define DEPTH	8		/* of devices that stand on each other */

/* The swap areas, as far as they matter here. */
struct areas {
	int farmem;		/* how many of farmem's */
	int lowest;		/* priority of the one of these that is used last, and its name */
	char name[PATH_MAX];
	int clustered;		/* how many of these have more read than one page for a fault */
	int others;		/* how many of disks, and the highest priority of these */
	int highest;
	char other[PATH_MAX];
};

/* farmem's disk below a block device, dm-crypt's say, to free; NULL: there is none. */
static char *farmem_below(const char *device, int depth)
{
	if (!strncmp(device, FARMEM, strlen(FARMEM)))
		return text_format("%.*s", (int)strcspn(device, "p"), device);
	EACH_NAME(slave, depth ? name_list("%s/block/%s/slaves", sysfs_root(), device) : NULL) {
		char *found = farmem_below(*slave.at, depth - 1);

		if (found)
			return found;
	}
	return NULL;
}

static bool has_rw_page(const struct doctor *doctor)
{
	return doctor->series >= 6000 && doctor->series < 6003;
}

/*
 * A fault reads its own page alone, past the swap cache, where the kernel takes reads of
 * the disk for synchronous: those of rw_page, 6.0 to 6.2, and of a volume with sync=1.  On
 * what stands above the disk neither passes.
 */
static bool reads_one(const struct doctor *doctor, const char *area, const char *disk)
{
	CLEANUP_FREE char *sync = disk_attr(disk, "farmem/sync");

	if (strncmp(area, FARMEM, strlen(FARMEM)))
		return false;
	return has_rw_page(doctor) || (sync && *sync == '1');
}

static void add_area(const struct doctor *doctor, struct areas *areas, const char *path,
		     int priority)
{
	const char *device = strncmp(path, DEV, strlen(DEV)) ? "" : path + strlen(DEV);
	CLEANUP_FREE char *disk = farmem_below(device, DEPTH);

	if (disk) {
		if (!areas->farmem++ || priority < areas->lowest) {
			areas->lowest = priority;
			snprintf(areas->name, sizeof(areas->name), "%s", path);
		}
		areas->clustered += !reads_one(doctor, device, disk);
	} else if (strncmp(device, ZRAM, strlen(ZRAM))) {
		/* zram is memory: it may well come first. */
		if (!areas->others++ || priority > areas->highest) {
			areas->highest = priority;
			snprintf(areas->other, sizeof(areas->other), "%s", path);
		}
	}
}

static struct areas read_areas(const struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/swaps", proc_root());
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct areas areas = { 0 };
	struct libmnt_fs *fs;

	mnt_table_parse_swaps(table, path);
	while (!mnt_table_next_fs(table, iter, &fs))
		add_area(doctor, &areas, mnt_fs_get_source(fs), mnt_fs_get_priority(fs));
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return areas;
}

void check_page_cluster(struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/sys/vm/page-cluster", proc_root());
	CLEANUP_FREE char *text = attr_read("%s", path);
	CLEANUP_FREE char *wanted = doctor_sysctl_wanted("vm.page-cluster");
	struct areas areas = read_areas(doctor);
	int cluster;

	cluster = text ? atoi(text) : 0;
	if (!text) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s can't be read", path);
		doctor_advise(doctor, "sysctl vm.page-cluster    (it should be 0 for swap on farmem)");
	} else if (cluster <= 0) {
		doctor_say(doctor, VERDICT_OK, "vm.page-cluster is 0: a fault reads its own page alone");
	} else if (areas.farmem ? !areas.clustered : has_rw_page(doctor)) {
		/* What several processes share, and shared memory, is read in clusters still. */
		doctor_say(doctor, VERDICT_OK,
			   "vm.page-cluster is %d, but reads here are synchronous: a fault usually reads its own page alone",
			   cluster);
	} else if (!areas.farmem) {
		doctor_say(doctor, VERDICT_OK,
			   "vm.page-cluster is %d: a fault reads %d pages; 0 is best for swap on farmem, unless programs read memory in order",
			   cluster, 1 << (cluster > 16 ? 16 : cluster));
	} else if (wanted && !strcmp(wanted, text)) {
		/* Best where programs read memory in order; the administrator knows them. */
		doctor_say(doctor, VERDICT_OK,
			   "vm.page-cluster is %d, as this node's sysctl.d has it: a fault reads %d pages",
			   cluster, 1 << (cluster > 16 ? 16 : cluster));
	} else {
		doctor_say(doctor, VERDICT_WARN,
			   "vm.page-cluster is %d: each fault reads %d pages over the network",
			   cluster, 1 << (cluster > 16 ? 16 : cluster));
		if (wanted) {
			doctor_repair(doctor, "sysctl", "-p", SYSCTL_FILE, NULL);
		} else {
			doctor_repair(doctor, "sysctl", "-w", "vm.page-cluster=0", NULL);
			doctor_advise(doctor, "for good: echo vm.page-cluster=0 >>" SYSCTL_FILE);
		}
	}
}

void check_zswap(struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/module/zswap/parameters/enabled", sysfs_root());
	CLEANUP_FREE char *text = attr_read("%s", path);
	CLEANUP_FREE char *command = text_format("echo N >%s", path);
	struct areas areas = read_areas(doctor);

	if (!text || *text != 'Y') {
		doctor_say(doctor, VERDICT_OK, text ? "zswap is off" : "this kernel has no zswap");
	} else if (!areas.farmem) {
		doctor_say(doctor, VERDICT_OK, "zswap is on: it would compress pages before they reach farmem's swap");
	} else {
		doctor_say(doctor, VERDICT_WARN,
			   "zswap is on: zswap keeps compressed pages in this node's memory; pages reach farmem when zswap is full");
		doctor_advise(doctor, "%s    (or leave zswap on, if less traffic is worth the CPU time and the memory)",
			      command);
	}
}

void check_swap_priority(struct doctor *doctor)
{
	struct areas areas = read_areas(doctor);

	if (!areas.farmem) {
		doctor_say(doctor, VERDICT_OK, "no farmem volume is swap here");
	} else if (!areas.others || areas.lowest > areas.highest) {
		doctor_say(doctor, VERDICT_OK, "%s has priority %d%s", areas.name, areas.lowest,
			   areas.others ? ", above every disk" : "");
	} else {
		doctor_say(doctor, VERDICT_WARN, "%s has priority %d, %s %d: the disk fills first",
			   areas.name, areas.lowest, areas.other, areas.highest);
		/* Not --fix's: swapoff needs room for all that is out. */
		doctor_advise(doctor, "swapoff %s; swapon --priority %d %s", areas.name,
			      areas.highest < 100 ? 100 : areas.highest + 1, areas.name);
	}
}

/* A page of farmemd that is swapped out to its own memory waits for farmemd. */
void check_swap_loop(struct doctor *doctor)
{
	struct areas areas = read_areas(doctor);

	if (!areas.farmem || !doctor_farmemd_pid()) {
		doctor_say(doctor, VERDICT_OK, "this node does not swap to a farmemd of its own");
	} else {
		doctor_say(doctor, VERDICT_WARN,
			   "farmemd runs here, and %s is swap: if this farmemd lends that volume, this machine can lock up",
			   areas.name);
		doctor_advise(doctor, "swapoff %s    (unless this is a test, or another machine lends it)",
			      areas.name);
	}
}
