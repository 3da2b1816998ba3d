/* SPDX-License-Identifier: GPL-2.0 */
/* status.h - how much memory is free, for systemd and for clients */
#ifndef STATUS_H
#define STATUS_H

struct server;

/* status_report() - tell systemd and clients how much memory is free */
void status_report(struct server *server);

#endif /* STATUS_H */
