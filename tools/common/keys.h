/* SPDX-License-Identifier: GPL-2.0 */
/* keys.h - files that say which client has which key */
#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

/**
 * struct key - a line of the file
 * @next: the next line's
 * @name: the client
 * @len: bytes of the key, FARMEM_KEY_MIN to FARMEM_KEY_MAX
 * @secret: the key
 *
 * A client may have several: that is how a key is changed without an outage.
 */
struct key {
	struct key *next;
	char name[FARMEM_NAME_LEN];
	size_t len;
	uint8_t secret[FARMEM_KEY_MAX];
};

/**
 * keys_read() - read a file of keys
 * @path: lines; empty ones and those that begin with "#" are nothing.  A regular
 *	file of root's or of our own user, that no other user can read.  Our group may
 *	read one of root's.
 * @server: the UUID of the server whose file it is: lines "NAME UUID KEY", that UUID
 *	in each; NULL for a client's file: lines "NAME KEY".  KEY: hexadecimal digits
 * @keys: the list, in the file's order; keys_free() it
 * @error: room for a message, which never quotes a key
 * @size: of @error
 *
 * Return: 0; or a negative error with @error filled and @keys NULL.
 */
int keys_read(const char *path, const uint8_t *server, struct key **keys, char *error, size_t size);

/* keys_is_name() - can a client have this name, as HELLO carries it? */
bool keys_is_name(const char *text);

/* keys_free() - wipe them, too */
void keys_free(struct key *keys);

/* keys_next() - the first key of @name at or after @from, or NULL */
const struct key *keys_next(const struct key *from, const char *name);

/**
 * server_key() - what a client's key becomes for one server: 0 or -EIO
 * @key: the client's
 * @key_len: bytes of it, FARMEM_KEY_MIN to FARMEM_KEY_MAX
 * @server: the server's UUID
 * @client: the client's name, shorter than FARMEM_NAME_LEN
 * @out: the server's key goes here; see struct farmem_server_key
 */
int server_key(const uint8_t *key, size_t key_len, const uint8_t server[FARMEM_ID_LEN],
	       const char *client, uint8_t out[FARMEM_AUTH_LEN]);

#endif /* KEYS_H */
