// SPDX-License-Identifier: GPL-2.0
#include "server-key.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

/**
 * server_key() - what a client's key becomes for one server
 * @key: the client's
 * @key_len: its bytes
 * @server: the server's UUID
 * @client: the client's name, shorter than FARMEM_NAME_LEN
 * @out: the server's key goes here; see struct farmem_server_key
 *
 * Return: 0 or -EIO.
 */
int server_key(const uint8_t *key, size_t key_len, const uint8_t server[FARMEM_ID_LEN],
	       const char *client, uint8_t out[FARMEM_AUTH_LEN])
{
	struct farmem_server_key about = { .label = FARMEM_LABEL_KEY };
	unsigned int out_len = FARMEM_AUTH_LEN;

	memcpy(about.server, server, sizeof(about.server));
	memcpy(about.client, client, strnlen(client, sizeof(about.client)));
	return HMAC(EVP_sha256(), key, key_len, (uint8_t *)&about, sizeof(about), out, &out_len) ?
		0 : -EIO;
}
