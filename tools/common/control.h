/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - one question to farmemd's control socket, one answer.
 */
#ifndef FARMEMCTL_CONTROL_H
#define FARMEMCTL_CONTROL_H

#include <jansson.h>

#define CONTROL_PATH "/run/farmem/farmemd.sock"

json_t *control_ask(const char *path, json_t *request);

#endif
