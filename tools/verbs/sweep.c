// SPDX-License-Identifier: GPL-2.0
/*
 * Each combination runs in a process of its own, so one that fails, or hangs, leaves the
 * others alone: that process has an alarm set, which ends it.  Where one is refused by the
 * device, it is tried once more with nothing in it but the pair that it was for: if that is
 * refused too, the two cannot be together.
 */
#include "sweep.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "mode.h"
#include "output.h"
#include "pairs.h"
#include "process.h"
#include "talk.h"
#include "trouble.h"

#define RUNS_MAX 1024
#define APART_MAX 1024
#define ITERATIONS 64

/* All of a run's waits may take their time, one after the other; then it hangs. */
#define WAITS 12

/* What is combined; the first value of each is the one of a run of no other interest. */
static const struct {
	const char *name;
	unsigned int levels, value[LEVELS_MAX];
} plan[] = {
	{ "size", 3, { 8, 1000, 32768 } },
	{ "inline", 2, { 0, 1 } },
	{ "mw", 2, { 0, 1 } },
	{ "transport", 3, { TRANSPORT_RC, TRANSPORT_UC, TRANSPORT_UD } },
	{ "processes", 2, { 1, 2 } },
	{ "share", 4, { SHARE_NONE, SHARE_FORK, SHARE_SHM, SHARE_IMPORT } },
	{ "op", 6, { OP_WRITE, OP_SEND, OP_WRITE_IMM, OP_READ, OP_CAS, OP_FADD } },
	{ "setup", 2, { SETUP_HAND, SETUP_CM } },
	{ "wait", 2, { WAIT_POLL, WAIT_EVENT } },
	{ "signal-every", 2, { 1, 8 } },
	{ "depth", 2, { 16, 1 } },
	{ "queues", 2, { 1, 3 } },
	{ "shared-cq", 2, { 0, 1 } },
	{ "srq", 2, { 0, 1 } },
	{ "sge", 2, { 1, 3 } },
	{ "remote-sge", 2, { 1, 3 } },
	{ "responder-resources", 2, { AUTO, 1 } },
	{ "initiator-depth", 2, { AUTO, 1 } },
	{ "retry-count", 2, { 6, 7 } },
	{ "rnr-retry", 2, { 6, 7 } },
};

/*
 * The first so many are those that devices differ in.  Their pairs are tried with nothing
 * else, so that one that is refused keeps nothing else from being tried.
 */
#define CAREFUL 6

#define FACTORS (sizeof(plan) / sizeof(plan[0]))

_Static_assert(FACTORS <= FACTORS_MAX, "no more factors fit");

/**
 * struct sweep - a sweep
 * @options: the command line
 * @factors: what is combined
 * @cover: which pairs are done
 * @rows: combinations that were run
 * @count: of @rows
 * @failed: of those
 * @aparts: what cannot be combined
 * @apart_count: of @aparts
 */
struct sweep {
	const struct options *options;
	struct factor factors[FACTORS];
	struct cover cover;
	struct sweep_row *rows;
	size_t count;
	unsigned int failed;
	struct apart aparts[APART_MAX];
	size_t apart_count;
};

static void begin(struct sweep *sweep)
{
	struct options *initial = &sweep->cover.initial;
	unsigned int i;

	*initial = *sweep->options;
	initial->verify = 1;
	initial->iterations = ITERATIONS;
	for (i = 0; i < FACTORS; i++) {
		sweep->factors[i].row = options_find(plan[i].name);
		sweep->factors[i].levels = plan[i].levels;
		memcpy(sweep->factors[i].value, plan[i].value, sizeof(plan[i].value));
		*options_number(sweep->factors[i].row, initial) = plan[i].value[0];
	}
	sweep->cover.factors = sweep->factors;
	sweep->cover.count = FACTORS;
}

/* Seconds. */
static unsigned int bound(const struct options *options)
{
	return options->connect_timeout + WAITS * options->timeout;
}

/* In a process of its own: the run, its row to one file, its errors to another. */
static void run_here(const struct options *options, int rows_fd, int errors_fd)
{
	struct row *rows = calloc(PROCESSES_MAX * ROWS_MAX, sizeof(*rows));
	size_t count = 0;
	int rc = RC_FAILURE;

	alarm(bound(options));
	dup2(errors_fd, STDERR_FILENO);
	if (rows)
		rc = process_run(options, rows, &count);
	if (!rc && (!count || write(rows_fd, rows, sizeof(*rows)) != sizeof(*rows)))
		rc = RC_FAILURE;
	free(rows);
	exit(rc);
}

/* The first line of what was said, without the program's name. */
static void read_reason(int fd, char *why, size_t size)
{
	ssize_t got = pread(fd, why, size - 1, 0);
	const char *colon;

	why[got > 0 ? got : 0] = '\0';
	why[strcspn(why, "\n")] = '\0';
	colon = strstr(why, ": ");
	if (colon)
		memmove(why, colon + 2, strlen(colon + 2) + 1);
}

static void judge(struct sweep_row *row, int status, int rows_fd, int errors_fd)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : RC_FAILURE;

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(row->why, sizeof(row->why), "it hung, and was ended after %u s",
			 bound(&row->options));
	else if (code != RC_OK)
		read_reason(errors_fd, row->why, sizeof(row->why));
	if (code == RC_OK && pread(rows_fd, &row->row, sizeof(row->row), 0) ==
	    (ssize_t)sizeof(row->row))
		row->verdict = "ok";
	else
		row->verdict = code == RC_REFUSED ? "refused" : "FAILED";
}

/* Run one combination; NULL: not even a process could be made. */
static struct sweep_row *run(struct sweep *sweep, const struct options *options)
{
	int rows_fd = memfd_create("rows", MFD_CLOEXEC);
	int errors_fd = memfd_create("errors", MFD_CLOEXEC);
	struct sweep_row *row = &sweep->rows[sweep->count];
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		run_here(options, rows_fd, errors_fd);
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		trouble_errno("running a combination");
		row = NULL;
	} else {
		memset(row, 0, sizeof(*row));
		row->options = *options;
		judge(row, status, rows_fd, errors_fd);
		sweep->failed += !strcmp(row->verdict, "FAILED");
		sweep->count++;
	}
	close(rows_fd);
	close(errors_fd);
	return row;
}

static void show_progress(struct sweep *sweep)
{
	unsigned int count[3];

	if (!isatty(STDERR_FILENO))
		return;
	pairs_count(&sweep->cover, count);
	fprintf(stderr, "\r%zu runs, %u of %u pairs to do, %u cannot be ...  ", sweep->count,
		count[0], count[0] + count[1] + count[2], count[2]);
}

/* One pair, and whatever else fits in; or alone, if that is refused. */
static int run_pair(struct sweep *sweep, const struct pair *pair, const struct options *plain,
		    const struct options *rich)
{
	bool alone = pair->b < CAREFUL || !memcmp(plain, rich, sizeof(*plain));
	struct sweep_row *row = run(sweep, alone ? plain : rich);

	if (row && !strcmp(row->verdict, "refused") && !alone)
		row = run(sweep, plain);
	if (!row)
		return -1;
	/* One that failed has been tried all the same: the table says so. */
	if (strcmp(row->verdict, "refused"))
		pairs_done(&sweep->cover, &row->options);
	else
		pairs_refused(&sweep->cover, pair);
	return 0;
}

static int run_all(struct sweep *sweep)
{
	struct options plain, rich;
	struct pair pair;

	while (sweep->count + 2 <= RUNS_MAX &&
	       pairs_next(&sweep->cover, &pair, &plain, &rich)) {
		show_progress(sweep);
		if (run_pair(sweep, &pair, &plain, &rich))
			return -1;
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%60s\r", "");
	return 0;
}

static void name_value(const struct sweep *sweep, unsigned int factor, unsigned int level,
		       char *name, size_t size)
{
	const struct option_row *row = sweep->factors[factor].row;
	unsigned int value = sweep->factors[factor].value[level];
	struct options options = sweep->cover.initial;
	char text[16];

	*options_number(row, &options) = value;
	if (row->kind == KIND_SWITCH || value == AUTO)
		snprintf(name, size, "%s--%s", value && value != AUTO ? "" : "no ", row->name);
	else
		snprintf(name, size, "--%s %s", row->name,
			 options_value(&options, row, text, sizeof(text)));
}

/* What the device said to two values, or to one; or the rule, if none got so far. */
static const char *refusal_of(const struct sweep *sweep, const struct options *options)
{
	const struct sweep_row *row;
	const char *why;
	size_t i;

	for (row = sweep->rows; row < sweep->rows + sweep->count; row++) {
		if (strcmp(row->verdict, "refused"))
			continue;
		for (i = 0; i < FACTORS; i++) {
			unsigned int value = *options_number(sweep->factors[i].row, options);

			if (value != sweep->factors[i].value[0] &&
			    value != *options_number(sweep->factors[i].row, &row->options))
				break;
		}
		if (i == FACTORS)
			return row->why;
	}
	why = mode_refusal(options);
	return why ? why : "the device refuses";
}

static struct apart *new_apart(struct sweep *sweep, const char *why)
{
	struct apart *apart = &sweep->aparts[sweep->apart_count];

	if (sweep->apart_count == APART_MAX)
		return NULL;
	sweep->apart_count++;
	apart->why = why;
	return apart;
}

static void find_gone(struct sweep *sweep)
{
	unsigned int factor, level;

	for (factor = 0; factor < FACTORS; factor++)
		for (level = 0; level < sweep->factors[factor].levels; level++) {
			struct options options = sweep->cover.initial;
			struct apart *apart;

			if (!pairs_gone(&sweep->cover, factor, level))
				continue;
			*options_number(sweep->factors[factor].row, &options) =
				sweep->factors[factor].value[level];
			apart = new_apart(sweep, refusal_of(sweep, &options));
			if (apart)
				name_value(sweep, factor, level, apart->value,
					   sizeof(apart->value));
		}
}

/* Which two values cannot be together: by the rules, or because the device refuses. */
static void find_impossible(struct sweep *sweep)
{
	struct pair pair = { 0 };

	while (pairs_impossible(&sweep->cover, &pair)) {
		struct options options;
		struct apart *apart;
		const char *why;

		if (pairs_gone(&sweep->cover, pair.a, pair.i) ||
		    pairs_gone(&sweep->cover, pair.b, pair.j))
			continue;
		why = pairs_reason(&sweep->cover, &pair, &options);
		apart = new_apart(sweep, why ? why : refusal_of(sweep, &options));
		if (!apart)
			return;
		name_value(sweep, pair.a, pair.i, apart->value, sizeof(apart->value));
		name_value(sweep, pair.b, pair.j, apart->with, sizeof(apart->with));
	}
}

static int print(struct sweep *sweep)
{
	unsigned int count[3];
	int rc;

	find_gone(sweep);
	find_impossible(sweep);
	pairs_count(&sweep->cover, count);
	rc = output_sweep(sweep->rows, sweep->count, sweep->aparts, sweep->apart_count,
			  count, sweep->options->json);
	if (!sweep->options->json)
		printf("%zu runs, %u failed; %u pairs of values ran, %u cannot be\n",
		       sweep->count, sweep->failed, count[1], count[2]);
	if (!count[0])
		return rc;
	trouble("%u pairs of values were not tried: a sweep ends after %u runs", count[0],
		RUNS_MAX);
	return RC_FAILURE;
}

/* One look at the server is enough to know that there is none. */
static int check_server(const struct options *options)
{
	struct talk talk = { .fd = -1, .timeout = options->timeout };
	int rc = talk_connect(&talk, options->server, options->port, options->connect_timeout);

	if (!rc)
		rc = talk_send(&talk, "bye");
	talk_close(&talk);
	return rc;
}

/**
 * sweep_main() - run every two values of all options together
 * @options: the command line
 *
 * Return: an exit code: RC_FAILURE if a combination failed that should not.
 */
int sweep_main(struct options *options)
{
	struct sweep *sweep = calloc(1, sizeof(*sweep));
	int rc = RC_FAILURE;

	if (check_server(options))
		goto out;
	if (getrandom(&options->seed, sizeof(options->seed), 0) < 0)
		options->seed = getpid();
	options->seed &= 0xffffff;
	if (sweep)
		sweep->rows = calloc(RUNS_MAX, sizeof(*sweep->rows));
	if (!sweep || !sweep->rows) {
		fail("out of memory");
		goto out;
	}
	sweep->options = options;
	begin(sweep);
	if (!run_all(sweep))
		rc = print(sweep);
	if (sweep->failed)
		rc = RC_FAILURE;
out:
	if (sweep)
		free(sweep->rows);
	free(sweep);
	return rc;
}
