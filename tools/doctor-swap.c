// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-swap.c - settings of swap that cost more over a network than on a disk.
 *
 * They harm nobody as long as nothing of farmem is swap: then they are told of, and
 * are no warning.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cleanup.h"
#include "doctor.h"

#define FARMEM	"/dev/farmem"
#define ZRAM	"/dev/zram"

/* The swap areas, as far as they matter here. */
struct areas {
	int farmem;		/* how many of farmem's */
	int lowest;		/* priority of the one of these that is used last, and its name */
	char name[64];
	int others;		/* how many of disks, and the highest priority of these */
	int highest;
	char other[64];
};

static void add_area(struct areas *areas, const char *name, int priority)
{
	if (!strncmp(name, FARMEM, strlen(FARMEM))) {
		if (!areas->farmem++ || priority < areas->lowest) {
			areas->lowest = priority;
			strcpy(areas->name, name);
		}
	} else if (strncmp(name, ZRAM, strlen(ZRAM))) {
		/* zram is memory: it may well come first. */
		if (!areas->others++ || priority > areas->highest) {
			areas->highest = priority;
			strcpy(areas->other, name);
		}
	}
}

static struct areas read_areas(void)
{
	CLEANUP_FREE char *path = text_format("%s/swaps", proc_root());
	struct areas areas = { 0 };
	FILE *file = fopen(path, "re");
	char line[512], name[64];
	int priority;

	while (file && fgets(line, sizeof(line), file))
		if (*line == '/' && sscanf(line, "%63s %*s %*s %*s %d", name, &priority) == 2)
			add_area(&areas, name, priority);
	if (file)
		fclose(file);
	return areas;
}

/* A fault's read that bypasses the swap cache reads one page, whatever is set here. */
static bool reads_one(const struct doctor *doctor)
{
	return doctor->series && doctor->series < 6003;
}

void check_page_cluster(struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/sys/vm/page-cluster", proc_root());
	CLEANUP_FREE char *text = attr_read(path);
	struct areas areas = read_areas();
	int cluster;

	if (!text) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s can't be read", path);
		doctor_advise(doctor, "sysctl vm.page-cluster    (for swap on farmem it is to be 0)");
		return;
	}
	cluster = atoi(text);
	if (cluster <= 0) {
		doctor_say(doctor, VERDICT_OK, "vm.page-cluster is 0: a fault reads its own page alone");
	} else if (reads_one(doctor) && cluster <= 3) {
		doctor_say(doctor, VERDICT_OK,
			   "vm.page-cluster is %d, but rw_page reads a fault's own page alone as a rule",
			   cluster);
	} else if (!areas.farmem) {
		doctor_say(doctor, VERDICT_OK,
			   "vm.page-cluster is %d: a fault reads %d pages; for swap on farmem 0 is best unless memory is walked through in order",
			   cluster, 1 << (cluster > 16 ? 16 : cluster));
	} else {
		doctor_say(doctor, VERDICT_WARN,
			   "vm.page-cluster is %d: each fault reads %d pages over the network",
			   cluster, 1 << (cluster > 16 ? 16 : cluster));
		doctor_repair(doctor, "sysctl", "-w", "vm.page-cluster=0", NULL);
		doctor_advise(doctor, "for good: echo vm.page-cluster=0 >/etc/sysctl.d/90-farmem.conf");
	}
}

void check_zswap(struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/module/zswap/parameters/enabled", sysfs_root());
	CLEANUP_FREE char *text = attr_read(path);
	CLEANUP_FREE char *command = text_format("echo N >%s", path);
	struct areas areas = read_areas();

	if (!text || *text != 'Y') {
		doctor_say(doctor, VERDICT_OK, text ? "it is off" : "this kernel has none");
	} else if (!areas.farmem) {
		doctor_say(doctor, VERDICT_OK, "it is on: it would compress in front of farmem's swap");
	} else {
		doctor_say(doctor, VERDICT_WARN,
			   "it is on: pages are compressed into this node's own memory first, and reach farmem when that is full");
		doctor_repair(doctor, "sh", "-c", command, NULL);
	}
}

void check_swap_priority(struct doctor *doctor)
{
	struct areas areas = read_areas();

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

/* A page of farmemd's that waits for farmemd. */
void check_swap_loop(struct doctor *doctor)
{
	struct areas areas = read_areas();

	if (!areas.farmem || !doctor_farmemd_pid()) {
		doctor_say(doctor, VERDICT_OK, "no");
		return;
	}
	doctor_say(doctor, VERDICT_WARN,
		   "farmemd runs here, and %s is swap: if it lends that very volume, this machine can lock up",
		   areas.name);
	doctor_advise(doctor, "swapoff %s    (unless this is a test, or another machine lends it)",
		      areas.name);
}
