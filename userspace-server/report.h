/* SPDX-License-Identifier: GPL-2.0 */
/* report.h - answers on the control socket */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct server;

/**
 * report_answer() - answer one request
 * @server: the server
 * @shows: any other request than status is refused
 * @request: JSON text, not NUL-terminated
 * @len: bytes of it
 *
 * Return: JSON text and a newline, to be freed; NULL without memory.
 */
char *report_answer(struct server *server, bool shows, const char *request, size_t len);

/* report_error() - an answer that says what is wrong */
char *report_error(const char *message);

#endif /* REPORT_H */
