/* SPDX-License-Identifier: GPL-2.0 */
/*
 * holder.h - who uses a farmem disk: swap, a mount, a device on top of it.
 */
#ifndef FARMEMCTL_HOLDER_H
#define FARMEMCTL_HOLDER_H

char *holder_find(const char *device);
int holder_refuse(const char *device);

#endif
