/* SPDX-License-Identifier: GPL-2.0 */
/* hash.h - hmac(sha256), as libcrypto computes it */
#ifndef SHIM_CRYPTO_HASH_H
#define SHIM_CRYPTO_HASH_H

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

struct crypto_shash {
	u8 key[128];
	unsigned int key_len;
};

static inline struct crypto_shash *crypto_alloc_shash(const char *name, u32 type, u32 mask)
{
	return strcmp(name, "hmac(sha256)") ? NULL : calloc(1, sizeof(struct crypto_shash));
}

static inline void crypto_free_shash(struct crypto_shash *shash)
{
	free(shash);
}

static inline int crypto_shash_setkey(struct crypto_shash *shash, const u8 *key, unsigned int len)
{
	if (len > sizeof(shash->key))
		return -EINVAL;
	memcpy(shash->key, key, len);
	shash->key_len = len;
	return 0;
}

static inline int crypto_shash_tfm_digest(struct crypto_shash *shash, const u8 *data,
					  unsigned int len, u8 *out)
{
	return HMAC(EVP_sha256(), shash->key, shash->key_len, data, len, out, NULL) ? 0 : -EIO;
}

#endif /* SHIM_CRYPTO_HASH_H */
