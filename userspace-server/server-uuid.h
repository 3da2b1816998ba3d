/* SPDX-License-Identifier: GPL-2.0 */
/* server-uuid.h - which server this is, to its clients and their keys */
#ifndef SERVER_UUID_H
#define SERVER_UUID_H

#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

struct options;

/**
 * server_uuid() - the server's UUID, the same at each start
 * @opt: --uuid, or else --control, which no two servers of a machine share
 * @uuid: of --uuid; or made from the machine's ID and the path of the control socket
 * @error: room for a message
 * @size: of @error
 *
 * Return: 0; or a negative error with @error filled: without --uuid, where the machine
 * has no ID.
 */
int server_uuid(const struct options *opt, uint8_t uuid[FARMEM_ID_LEN], char *error, size_t size);

#endif /* SERVER_UUID_H */
