/* SPDX-License-Identifier: GPL-2.0 */
/* control.h - the control socket, and the one that shows the status alone */
#ifndef CONTROL_H
#define CONTROL_H

struct server;

/**
 * control_open() - listen on the path of --control, mode 0600, and of --status-socket, 0660
 * @server: with its options and its event loop
 *
 * A socket that another farmemd left behind is replaced, one that is served is
 * not.  Return: 0 or -errno, logged.
 */
int control_open(struct server *server);

/* control_close() - close them and all their connections, remove their paths */
void control_close(struct server *server);

#endif /* CONTROL_H */
