/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock.h - what time a part of a program takes, and how much of it all CPUs idled.
 *
 * With instructions counted, a nanosecond that was not idled is an instruction.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline FILE *open_proc(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

static inline uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Since 7.3 only this tells, in clock ticks. */
static inline uint64_t idle_ticks(void)
{
	FILE *file = open_proc("/proc/stat");
	unsigned long long idle, iowait;

	if (fscanf(file, "cpu %*u %*u %*u %llu %llu", &idle, &iowait) != 2) {
		fprintf(stderr, "/proc/stat does not tell of idle CPUs\n");
		exit(1);
	}
	fclose(file);
	return (idle + iowait) * (1000000000 / sysconf(_SC_CLK_TCK));
}

/* Of all CPUs together; waiting for a disk is idling as well. */
static inline uint64_t idle_time(void)
{
	FILE *file = open_proc("/proc/timer_list");
	unsigned long long value;
	uint64_t sum = 0;
	int lines = 0;
	char line[256];

	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " .idle_sleeptime : %llu", &value) == 1 ||
		    sscanf(line, " .iowait_sleeptime : %llu", &value) == 1) {
			sum += value;
			lines++;
		}
	fclose(file);
	return lines ? sum : idle_ticks();
}

#endif /* CLOCK_H */
