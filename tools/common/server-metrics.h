/* SPDX-License-Identifier: GPL-2.0 */
/* server-metrics.h - the metrics of a farmemd */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include <stdio.h>

struct json_t;

/**
 * server_metrics_put() - print what a farmemd has answered, as metrics
 * @out: where to
 * @status: its answer to "status", or NULL
 * @clients: its answer to "clients", or NULL
 *
 * Without both it counts as not up, which is the one metric then.  Allocates nothing that it
 * cannot do without.
 */
void server_metrics_put(FILE *out, const struct json_t *status, const struct json_t *clients);

#endif /* SERVER_METRICS_H */
