// SPDX-License-Identifier: GPL-2.0
/* test_worker.c - jobs run in order, and none is forgotten at the end */
#include <stdlib.h>
#include <unistd.h>

#include "stubs.h"
#include "util.h"
#include "worker.h"

#define JOBS 100

struct counted {
	struct job job;
	struct worker *worker;
	int number;
	int ran;
	struct counted *next;
};

static int ran, done, told;

static void run(struct job *job)
{
	container_of(job, struct counted, job)->ran = ++ran;
}

static void progress(void *data)
{
	(*(int *)data)++;
}

static void finish(struct job *job)
{
	struct counted *counted = container_of(job, struct counted, job);

	assert_int_equal(counted->number, ++done);
	assert_int_equal(counted->ran, done);
	if (counted->next)
		worker_submit(counted->worker, &counted->next->job);
}

static void in_order_and_to_the_end(void **state)
{
	static struct counted counted[JOBS + 1];
	struct worker *worker;
	sd_event *event;
	int i;

	assert_true(sd_event_new(&event) >= 0);
	worker = worker_start(event, progress, &told);
	assert_non_null(worker);
	for (i = 0; i <= JOBS; i++) {
		counted[i].job.run = run;
		counted[i].job.done = finish;
		counted[i].worker = worker;
		counted[i].number = i + 1;
		if (i < JOBS)
			worker_submit(worker, &counted[i].job);
	}
	/* Submitted while the worker stops. */
	counted[JOBS - 1].next = &counted[JOBS];
	while (done < 10)
		assert_true(sd_event_run(event, 1000000) >= 0);
	worker_stop(worker);
	assert_int_equal(done, JOBS + 1);
	assert_true(told >= 1);
	sd_event_unref(event);
}

static void half_way(struct job *job)
{
	struct counted *counted = container_of(job, struct counted, job);
	int tries;

	worker_step(counted->worker);
	/* It goes on when the loop has heard of that. */
	for (tries = 3000; tries && !__atomic_load_n(&counted->number, __ATOMIC_ACQUIRE); tries--)
		usleep(1000);
	counted->ran = tries;
}

static void let_go_on(void *data)
{
	struct counted *counted = data;

	__atomic_store_n(&counted->number, 1, __ATOMIC_RELEASE);
}

static void over(struct job *job)
{
	done = 1;
}

/* A client that waits for a long job is to hear of its steps. */
static void a_step_is_told_before_the_job_is_done(void **state)
{
	struct counted counted = { .job = { .run = half_way, .done = over } };
	sd_event *event;

	done = 0;
	assert_true(sd_event_new(&event) >= 0);
	counted.worker = worker_start(event, let_go_on, &counted);
	assert_non_null(counted.worker);
	worker_submit(counted.worker, &counted.job);
	while (!done)
		assert_true(sd_event_run(event, 1000000) >= 0);
	assert_true(counted.ran);
	worker_stop(counted.worker);
	sd_event_unref(event);
}

/* Holds its worker until it may go on. */
static void wait_for_it(struct job *job)
{
	struct counted *counted = container_of(job, struct counted, job);

	while (!__atomic_load_n(&counted->number, __ATOMIC_ACQUIRE))
		usleep(1000);
}

static void note_done(struct job *job)
{
	container_of(job, struct counted, job)->number = ++done;
}

static void urgent_jobs_come_first_and_cancelled_ones_never(void **state)
{
	struct counted first = { .job = { .run = wait_for_it, .done = note_done } };
	struct counted job[4] = {};
	struct worker *worker;
	sd_event *event;
	int i;

	ran = done = 0;
	assert_true(sd_event_new(&event) >= 0);
	worker = worker_start(event, NULL, NULL);
	assert_non_null(worker);
	worker_submit(worker, &first.job);
	for (i = 0; i < 4; i++)
		job[i].job = (struct job){ .run = run, .done = note_done };
	worker_submit(worker, &job[0].job);
	worker_submit(worker, &job[1].job);
	worker_submit_urgent(worker, &job[2].job);
	worker_submit_urgent(worker, &job[3].job);
	assert_true(worker_cancel(worker, &job[0].job));
	assert_false(worker_cancel(worker, &job[0].job));
	assert_true(worker_cancel(worker, &job[3].job));
	__atomic_store_n(&first.number, 1, __ATOMIC_RELEASE);
	worker_stop(worker);
	assert_int_equal(done, 3);
	assert_int_equal(job[2].ran, 1);
	assert_int_equal(job[1].ran, 2);
	assert_int_equal(job[0].ran + job[3].ran, 0);
	sd_event_unref(event);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order_and_to_the_end),
		cmocka_unit_test(a_step_is_told_before_the_job_is_done),
		cmocka_unit_test(urgent_jobs_come_first_and_cancelled_ones_never),
	};

	return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}
