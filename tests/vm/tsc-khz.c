// SPDX-License-Identifier: GPL-2.0
/*
 * tsc-khz: prints how fast this machine's time-stamp counter runs, in kHz.
 *
 * An emulated guest has the machine's counter. It would measure it while booting,
 * against an emulated timer; if the machine gives its CPU to somebody else just then,
 * every second of the guest is too short or too long from there on.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

enum { TRIES = 100, NS_PER_MS = 1000000 };

struct reading {
	int64_t ns;
	uint64_t ticks;
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return time.tv_sec * 1000LL * NS_PER_MS + time.tv_nsec;
}

/* Both clocks at once: of many tries the one that was interrupted least. */
static struct reading read_both(void)
{
	struct reading best = { 0 };
	int64_t least = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t before = now();
		uint64_t ticks = __rdtsc();
		int64_t took = now() - before;

		if (took < least) {
			least = took;
			best = (struct reading){ before + took / 2, ticks };
		}
	}
	return best;
}

int main(void)
{
	struct timespec tenth = { .tv_nsec = 100 * NS_PER_MS };
	struct reading start = read_both(), end;

	nanosleep(&tenth, NULL);
	end = read_both();
	printf("%llu\n", (unsigned long long)((end.ticks - start.ticks) * NS_PER_MS /
					      (uint64_t)(end.ns - start.ns)));
	return 0;
}
