// SPDX-License-Identifier: GPL-2.0
/*
 * test_throttle.c - how much a queue may have to do before submitters wait, and for what
 *
 * throttle.c itself is compiled here, with as much of a queue as it looks at.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/list.h>

#include "farmem-proto.h"

#define FARMEM_QUEUE_H

struct farmem_queue {
	bool live, software;
	unsigned int write_bytes;
	struct list_head waiting;
	int room;
};

#define list_empty_careful(list) list_empty(list)
#define DEFINE_WAIT(name) int name = 0
#define TASK_UNINTERRUPTIBLE 2
#define prepare_to_wait(queue, wait, state) ((void)(state), *(queue) += !*(wait), *(wait) = 1)
#define finish_wait(queue, wait) (*(queue) -= *(wait), *(wait) = 0)
#define waitqueue_active(queue) (*(queue) > 0)

static void schedule(void);

#include "throttle.c"

static struct farmem_queue queue;

#define WRITE farmem_throttle_most(&queue, false, 4096)
#define SWAP farmem_throttle_most(&queue, true, 4096)

/* What becomes of the writes while a submitter sleeps, one step for each wake-up. */
static unsigned int bytes_when_woken[4], sleeps;

static void schedule(void)
{
	/* It is among those that wait, so that no writer passes it. */
	queue.write_bytes = 600 * 1024;
	assert_false(farmem_throttle_has_room(&queue, WRITE));
	queue.write_bytes = bytes_when_woken[sleeps++];
	if (sleeps == 3)
		queue.live = false;
}

static int begin(void **state)
{
	(void)state;
	queue = (struct farmem_queue){ .live = true };
	INIT_LIST_HEAD(&queue.waiting);
	sleeps = 0;
	return 0;
}

static void a_writer_waits_while_the_queue_is_full(void **state)
{
	(void)state;
	queue.write_bytes = FARMEM_THROTTLE_BYTES - 1;
	farmem_throttle_wait(&queue, WRITE);
	assert_int_equal(sleeps, 0);
	queue.write_bytes = FARMEM_THROTTLE_BYTES;
	bytes_when_woken[0] = FARMEM_THROTTLE_BYTES / 2;
	farmem_throttle_wait(&queue, WRITE);
	assert_int_equal(sleeps, 1);
	assert_int_equal(queue.room, 0);
}

/* Writers that keep the queue between a half and full would leave it asleep for ever. */
static void a_writer_waits_behind_those_that_wait(void **state)
{
	(void)state;
	queue.room = 1;
	queue.write_bytes = 600 * 1024;
	assert_false(farmem_throttle_has_room(&queue, WRITE));
	assert_true(farmem_throttle_has_room(&queue, FARMEM_THROTTLE_READ));
	queue.write_bytes = FARMEM_THROTTLE_BYTES / 2;
	assert_true(farmem_throttle_has_room(&queue, WRITE));
	/* It has waited: when it wakes, others may have come first, and left room. */
	queue.write_bytes = 600 * 1024;
	bytes_when_woken[0] = 960 * 1024;
	farmem_throttle_wait(&queue, WRITE);
	assert_int_equal(sleeps, 1);
	/* They left none: it waits again, until the queue ends. */
	sleeps = 0;
	queue.write_bytes = 600 * 1024;
	bytes_when_woken[0] = bytes_when_woken[1] = bytes_when_woken[2] = FARMEM_THROTTLE_BYTES;
	farmem_throttle_wait(&queue, WRITE);
	assert_int_equal(sleeps, 3);
	assert_int_equal(queue.room, 1);
}

/* A reader waits for no writes, but for requests that wait for credits. */
static void any_waits_behind_what_could_not_be_posted(void **state)
{
	struct list_head request;

	(void)state;
	list_add(&request, &queue.waiting);
	assert_false(farmem_throttle_has_room(&queue, FARMEM_THROTTLE_READ));
	assert_false(farmem_throttle_has_room(&queue, WRITE));
	queue.live = false;
	assert_true(farmem_throttle_has_room(&queue, FARMEM_THROTTLE_READ));
}

/* A file system's writes next to them do as before, but for when they are woken. */
static void swap_waits_earlier_where_cpus_do_the_work(void **state)
{
	(void)state;
	queue.write_bytes = FARMEM_THROTTLE_PACED_BYTES;
	assert_true(farmem_throttle_has_room(&queue, SWAP));
	queue.software = true;
	assert_false(farmem_throttle_has_room(&queue, SWAP));
	assert_true(farmem_throttle_has_room(&queue, WRITE));
	assert_true(farmem_throttle_has_room(&queue, FARMEM_THROTTLE_READ));
	assert_int_equal(farmem_throttle_low(&queue), FARMEM_THROTTLE_PACED_BYTES / 2);
	/* Awake, it may go on until there is enough again. */
	bytes_when_woken[0] = FARMEM_THROTTLE_PACED_BYTES;
	bytes_when_woken[1] = FARMEM_THROTTLE_PACED_BYTES - 1;
	farmem_throttle_wait(&queue, SWAP);
	assert_int_equal(sleeps, 2);
}

/* As large bios, without which it would pass, and be twice the bound. */
static void a_large_write_comes_on_top_of_less(void **state)
{
	unsigned int bytes, most;

	(void)state;
	assert_int_equal(farmem_throttle_most(&queue, false, 0), FARMEM_THROTTLE_BYTES - 1);
	for (bytes = 4096; bytes <= 2 * FARMEM_THROTTLE_BYTES; bytes += 4096) {
		most = farmem_throttle_most(&queue, false, bytes);
		if (bytes <= FARMEM_THROTTLE_BYTES / 2)
			assert_int_equal(most + bytes, FARMEM_THROTTLE_BYTES - 1 + 4096);
		else
			assert_int_equal(most, FARMEM_THROTTLE_BYTES / 2);
	}
	queue.software = true;
	assert_int_equal(farmem_throttle_most(&queue, true, 32 << 10), (36 << 10) - 1);
	assert_int_equal(farmem_throttle_most(&queue, true, 128 << 10), 32 << 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_writer_waits_while_the_queue_is_full, begin),
		cmocka_unit_test_setup(a_writer_waits_behind_those_that_wait, begin),
		cmocka_unit_test_setup(any_waits_behind_what_could_not_be_posted, begin),
		cmocka_unit_test_setup(a_large_write_comes_on_top_of_less, begin),
		cmocka_unit_test_setup(swap_waits_earlier_where_cpus_do_the_work, begin),
	};

	return cmocka_run_group_tests_name("kernel_throttle", tests, NULL, NULL);
}
