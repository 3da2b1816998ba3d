/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - the files in debugfs.
 */
#ifndef FLOOR_CONTROL_H
#define FLOOR_CONTROL_H

#include "link.h"

/**
 * floor_control_start() - connect for measuring, make the files
 * @where: ADDR:PORT of the server
 *
 * Context: may sleep.  Return: 0 or a negative errno, with nothing left.
 */
int floor_control_start(const char *where);

/** floor_control_stop() - remove the files, disconnect; a running run ends. */
void floor_control_stop(void);

/** floor_control_remote() - what the server lends; while started. */
const struct floor_remote *floor_control_remote(void);

#endif /* FLOOR_CONTROL_H */
