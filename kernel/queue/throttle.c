// SPDX-License-Identifier: GPL-2.0
/* throttle.c - see throttle.h. */
#include "throttle.h"

/* Of writes a queue may have no more than @most, to take one more request. */
static bool throttle_has_room(const struct farmem_queue *q, unsigned int most)
{
	if (READ_ONCE(q->write_bytes) > most)
		return !READ_ONCE(q->live);
	return list_empty_careful(&q->waiting) || !READ_ONCE(q->live);
}

/* What it waits for that waits: a reader does not for writes. */
static unsigned int throttle_enough(const struct farmem_queue *q, unsigned int most)
{
	return most == FARMEM_THROTTLE_READ ? most : farmem_throttle_low(q);
}

/* Writers that come do not pass those that wait already, or these might wait for ever. */
bool farmem_throttle_has_room(struct farmem_queue *q, unsigned int most)
{
	if (!throttle_has_room(q, most))
		return false;
	return likely(!waitqueue_active(&q->room)) ||
	       throttle_has_room(q, throttle_enough(q, most));
}

/* Once woken a task takes what room there is: it has waited for its turn. */
static void throttle_wait_for_room(struct farmem_queue *q, unsigned int most)
{
	unsigned int enough = throttle_enough(q, most);
	DEFINE_WAIT(wait);

	for (;;) {
		prepare_to_wait(&q->room, &wait, TASK_UNINTERRUPTIBLE);
		if (throttle_has_room(q, enough))
			break;
		schedule();
		enough = most;
	}
	finish_wait(&q->room, &wait);
}

void farmem_throttle_wait(struct farmem_queue *q, unsigned int most)
{
	if (unlikely(!farmem_throttle_has_room(q, most)))
		throttle_wait_for_room(q, most);
}
