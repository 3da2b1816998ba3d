/* SPDX-License-Identifier: GPL-2.0 */
/*
 * address.h - the server's address as the kernel wants it.
 */
#ifndef FARMEMCTL_ADDRESS_H
#define FARMEMCTL_ADDRESS_H

int address_canonical(const char *command, const char *text, char **canonical);
char *address_normal(const char *text);

#endif
