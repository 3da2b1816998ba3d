/* SPDX-License-Identifier: GPL-2.0 */
/* metrics.h - farmemd's metrics over HTTP */
#ifndef FARMEMD_METRICS_H
#define FARMEMD_METRICS_H

struct options;
struct metrics;

/**
 * metrics_start() - answer Prometheus at the address of --metrics
 * @opt: with that address and the control socket, which listens; stays until metrics_stop()
 * @metrics: to metrics_stop(); NULL without --metrics
 *
 * A thread of its own answers.  It asks the event loop as farmemctl does, by the control
 * socket, so an event loop that is busy makes an answer late and nothing else.
 *
 * Return: 0, or a negative errno after saying what failed.
 */
int metrics_start(const struct options *opt, struct metrics **metrics);

/* metrics_stop() - behind control_close(), which ends what the thread has asked */
void metrics_stop(struct metrics *metrics);

#endif /* FARMEMD_METRICS_H */
