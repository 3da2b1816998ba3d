/* SPDX-License-Identifier: GPL-2.0 */
/* server-key.h - what a client's key becomes for one server */
#ifndef FARMEMCTL_SERVER_KEY_H
#define FARMEMCTL_SERVER_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

int server_key(const uint8_t *key, size_t key_len, const uint8_t server[FARMEM_ID_LEN],
	       const char *client, uint8_t out[FARMEM_AUTH_LEN]);

#endif
