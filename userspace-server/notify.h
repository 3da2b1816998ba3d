/* SPDX-License-Identifier: GPL-2.0 */
/* notify.h - tell systemd, and never wait for it */
#ifndef NOTIFY_H
#define NOTIFY_H

/**
 * notify_send() - sd_notify(), but for a manager that does not listen
 * @format: "STATUS=…" or the like, as of printf()
 *
 * sd_notify() waits while the socket's queue is full: systemd may be stopped, or busy,
 * for as long as it likes.  For what is said from the event loop.
 *
 * Return: 0, also where there is no systemd; -EAGAIN: not sent, its queue is full;
 * another -errno.
 */
int notify_send(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* NOTIFY_H */
