/* SPDX-License-Identifier: GPL-2.0 */
/*
 * key.h - where a client's key comes from.
 */
#ifndef FARMEM_KEY_H
#define FARMEM_KEY_H

#include <linux/types.h>

#include "farmem-proto.h"

/* Bytes of a reference, its NUL among them. */
#define FARMEM_KEY_REF_LEN 256

/**
 * struct farmem_key - a secret
 * @bytes: the first @len of them
 * @len: FARMEM_KEY_MIN to FARMEM_KEY_MAX
 */
struct farmem_key {
	u8 bytes[FARMEM_KEY_MAX];
	unsigned int len;
};

/**
 * farmem_key_ref_valid() - may this be a reference, and not a key by mistake?
 * @ref: "/PATH" of a file, "keyring:DESCRIPTION", or nothing: no key
 */
bool farmem_key_ref_valid(const char *ref);

/**
 * farmem_key_read() - get a key
 * @ref: "/PATH": a file of root's or of the caller's that nobody else can read,
 *	with lines "NAME KEY", of which the first of @client counts;
 *	"keyring:DESCRIPTION": a key of type logon or user in the caller's keyrings,
 *	whose payload is KEY.  KEY: hexadecimal digits
 * @client: the client's name
 * @key: filled in; to be wiped by the caller
 * @why: if there is none: what is wrong, a sentence without the key
 *
 * Context: may sleep, and do I/O: never where recovery waits.
 * Return: 0, or a negative errno with @why set.
 */
int farmem_key_read(const char *ref, const char *client, struct farmem_key *key,
		    const char **why);

#endif /* FARMEM_KEY_H */
