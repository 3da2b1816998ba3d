/* SPDX-License-Identifier: GPL-2.0 */
/*
 * create.h - volume create: all or nothing, and what to do with the device.
 */
#ifndef FARMEMCTL_CREATE_H
#define FARMEMCTL_CREATE_H

struct cli_args;

int volume_create(const struct cli_args *args);

#endif
