/* SPDX-License-Identifier: GPL-2.0 */
/* control-socket.h - one question to a farmemd, one line back */
#ifndef CONTROL_SOCKET_H
#define CONTROL_SOCKET_H

/**
 * control_socket_open() - connect to a farmemd
 * @path: its control socket
 * @seconds: how long each step of control_socket_ask() may take
 *
 * Return: a socket for one control_socket_ask(), or a negative errno.
 */
int control_socket_open(const char *path, unsigned int seconds);

/**
 * control_socket_ask() - ask, and wait for the answer
 * @fd: the socket; is closed
 * @request: JSON without a line's end
 *
 * Context: may sleep; any thread.
 *
 * Return: the answer's line, to free.  NULL: none came.  errno is EAGAIN after @seconds, and
 * 0 if farmemd closed the socket.
 */
char *control_socket_ask(int fd, const char *request);

#endif /* CONTROL_SOCKET_H */
