/* SPDX-License-Identifier: GPL-2.0 */
/* algapi.h - comparing in constant time */
#ifndef SHIM_CRYPTO_ALGAPI_H
#define SHIM_CRYPTO_ALGAPI_H

#include <openssl/crypto.h>

#define crypto_memneq(a, b, bytes) CRYPTO_memcmp(a, b, bytes)

#endif /* SHIM_CRYPTO_ALGAPI_H */
