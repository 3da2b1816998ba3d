// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "progress.h"

#define TIMEOUT_MAX	604800		/* a week, in seconds */
#define EVERY_MS	1000		/* look without an event: not each change has one */
#define LOOK_MS		100		/* that a look may take at least */

/* What is waited for. */
struct goal {
	const char *given;	/* the volume, as the user named it */
	const char *state;
	long end;		/* of clock_ms(), or -1 */
	int events;		/* the socket; negative if there is none */
};

static bool is_state(const char *word)
{
	const char *const *state;

	for (state = object_states(VOLUMES); *state; state++)
		if (!strcmp(*state, word))
			return true;
	return false;
}

static void on_alarm(int number)
{
}

/*
 * While the module switches a volume on or off, a read of the volume's state waits, perhaps
 * for longer than the user allows.  A signal ends that: the read fails with EINTR.  The
 * signal comes again and again, since the first one may come just before the read.
 */
static void limit_reads(long ms)
{
	struct sigaction action = { .sa_handler = on_alarm };	/* no SA_RESTART */
	struct itimerval timer = {
		.it_value = { ms / 1000, ms % 1000 * 1000 },
		.it_interval = { 0, ms ? LOOK_MS * 1000 : 0 },
	};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* How long to do one thing before the next look is due. */
static long slice(const struct goal *goal)
{
	long left = goal->end < 0 ? EVERY_MS : goal->end - clock_ms();

	return left < EVERY_MS ? left : EVERY_MS;
}

/* Its name and state now, both to free: NULL if it is being switched on or off, or not there. */
static char *look(const struct goal *goal, char **name)
{
	long limit = slice(goal);
	char *state;

	limit_reads(limit < LOOK_MS ? LOOK_MS : limit);
	/* Anew each time: the device that the user named may be another volume's by now. */
	*name = volume_named(goal->given);
	state = object_get(VOLUMES, *name, "state");
	limit_reads(0);
	return state;
}

/* Has the module told of a change? */
static bool was_told(const struct goal *goal)
{
	static struct uevent event;
	int got = goal->events < 0 ? 0 : uevent_receive(goal->events, &event);

	return got < 0 || (got && uevent_get(&event, "FARMEM_STATE"));
}

/* Until the next look; false when asked to stop. */
static bool pause_for_event(const struct goal *goal)
{
	long left, end = clock_ms() + slice(goal);

	while ((left = end - clock_ms()) > 0) {
		if (stop_requested() || !stop_wait(goal->events, left / 1000.0))
			return false;
		if (was_told(goal))
			return true;
	}
	return !stop_requested();
}

static int explain(const struct goal *goal, const char *name, const char *state)
{
	CLEANUP_FREE char *what = NULL;
	int rc;

	if (module_check() || object_require(VOLUMES, name))
		return RC_FAILURE;
	what = state ? text_format("is %s, not %s", state, goal->state) :
	       text_format("is not %s: it is being switched on or off", goal->state);
	limit_reads(LOOK_MS);
	rc = volume_refuse(name, state, what);
	limit_reads(0);
	return rc;
}

/* Return: an exit code; the volume's name goes to @name, to free. */
static int await(const struct goal *goal, char **name)
{
	progress_begin("waiting until %s is %s", goal->given, goal->state);
	for (;;) {
		CLEANUP_FREE char *state = look(goal, name);
		bool reached = state && !strcmp(state, goal->state);
		bool late = !reached && goal->end >= 0 && clock_ms() >= goal->end;

		if (reached || late || !pause_for_event(goal)) {
			progress_end();
			return reached ? RC_OK : late ? explain(goal, *name, state) :
			       fail("interrupted");
		}
		free(*name);
		*name = NULL;
	}
}

static int parse(const struct cli_args *args, const char *given, struct goal *goal)
{
	double seconds;
	int rc;

	*goal = (struct goal) {
		.given = given,
		.state = args->value[OPT_STATE] ? args->value[OPT_STATE] : "live",
		.end = -1,
	};
	rc = strncmp(given, "/dev/", 5) ? name_check(args->title, VOLUMES, given) : RC_OK;
	if (!rc && !is_state(goal->state))
		rc = misuse(args->title, "--state %s: give off, live, recovering, failed or lost",
			    goal->state);
	if (rc || !args->value[OPT_TIMEOUT])
		return rc;
	rc = cli_number(args, OPT_TIMEOUT, 0, TIMEOUT_MAX, &seconds);
	if (!rc)
		goal->end = clock_ms() + (long)(seconds * 1000);
	return rc;
}

/** wait_run() - farmemctl wait [NAME] [--state STATE] [--timeout SECONDS] */
int wait_run(const struct cli_args *args)
{
	CLEANUP_FREE char *given = volume_wanted(args);
	CLEANUP_FREE char *name = NULL;
	const void *row;
	struct goal goal;
	int rc;

	if (!given)
		return RC_USAGE;
	rc = parse(args, given, &goal);
	if (rc)
		return rc;
	stop_catch();
	/* Before the first look, so that no change is missed.  Without it looks alone must do. */
	goal.events = uevent_open();
	rc = await(&goal, &name);
	if (goal.events >= 0)
		close(goal.events);
	row = name;
	return rc || !args->value[OPT_JSON] ? rc : table_print(args, &row, 1);
}
