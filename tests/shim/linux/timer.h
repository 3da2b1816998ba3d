/* SPDX-License-Identifier: GPL-2.0 */
/* timer.h - a clock that stands still until a test moves it, and timers that it strikes */
#ifndef SHIM_TIMER_H
#define SHIM_TIMER_H

#include <linux/time64.h>
#include <linux/types.h>

#define HZ 250
#define msecs_to_jiffies(ms) (((unsigned long)(ms) + MSEC_PER_SEC / HZ - 1) / (MSEC_PER_SEC / HZ))
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)

struct timer_list {
	unsigned long expires;
	bool pending;
	void (*function)(struct timer_list *timer);
};

/* The test's. */
extern unsigned long jiffies;

static inline void timer_setup(struct timer_list *timer,
			       void (*function)(struct timer_list *timer), int flags)
{
	*timer = (struct timer_list){ .function = function };
}

static inline bool timer_pending(const struct timer_list *timer)
{
	return timer->pending;
}

static inline void mod_timer(struct timer_list *timer, unsigned long expires)
{
	timer->expires = expires;
	timer->pending = true;
}

static inline void timer_reduce(struct timer_list *timer, unsigned long expires)
{
	if (!timer->pending || time_after(timer->expires, expires))
		mod_timer(timer, expires);
}

static inline void timer_delete_sync(struct timer_list *timer)
{
	timer->pending = false;
}

/* The clock goes on to @until, and strikes @timer whenever it is time for it. */
static inline void shim_time_passes(struct timer_list *timer, unsigned long until)
{
	unsigned int strikes = 0;

	while (timer->pending && time_after_eq(until, timer->expires)) {
		if (++strikes > 1000)
			return shim_fault("a timer strikes again and again");
		if (time_after(timer->expires, jiffies))
			jiffies = timer->expires;
		timer->pending = false;
		timer->function(timer);
	}
	jiffies = until;
}

#endif /* SHIM_TIMER_H */
