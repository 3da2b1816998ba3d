/* SPDX-License-Identifier: GPL-2.0 */
/*
 * address.h - ADDR:PORT as the module parameters have it.
 */
#ifndef FLOOR_ADDRESS_H
#define FLOOR_ADDRESS_H

#include <linux/socket.h>

/**
 * floor_address_parse() - understand ADDR:PORT, [ADDR]:PORT for IPv6
 * @text: what the user wrote
 * @addr: the result
 *
 * Context: may sleep.  Return: 0 or -EINVAL.
 */
int floor_address_parse(const char *text, struct sockaddr_storage *addr);

#endif /* FLOOR_ADDRESS_H */
