// SPDX-License-Identifier: GPL-2.0
/*
 * server-uuid.c - which server this is.
 *
 * Owns no state.  libsystemd mixes the machine's ID with an application's, which is
 * here a hash of the control socket's path.  Called by main() at the start, and by
 * check.c.
 */
#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-id128.h>

#include "options.h"
#include "server-uuid.h"

static int server_uuid_hash(const char *path, sd_id128_t *application)
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	char *text;
	int len = asprintf(&text, "farmem-server:%s", path), good;

	if (len < 0)
		return -ENOMEM;
	good = EVP_Digest(text, len, hash, NULL, EVP_sha256(), NULL);
	free(text);
	memcpy(application->bytes, hash, sizeof(application->bytes));
	return good ? 0 : -EIO;
}

int server_uuid(const struct options *opt, uint8_t uuid[FARMEM_ID_LEN], char *error, size_t size)
{
	static const uint8_t none[FARMEM_ID_LEN];
	sd_id128_t application, id;
	int ret;

	memcpy(uuid, opt->uuid, FARMEM_ID_LEN);
	if (memcmp(uuid, none, FARMEM_ID_LEN))
		return 0;
	ret = server_uuid_hash(opt->control, &application);
	if (!ret)
		ret = sd_id128_get_machine_app_specific(application, &id);
	if (ret) {
		snprintf(error, size, "/etc/machine-id: %s; make one with 'systemd-machine-id-setup', or give this server a UUID of its own with --uuid, the same at every start",
			 strerror(-ret));
		return ret;
	}
	memcpy(uuid, id.bytes, FARMEM_ID_LEN);
	return 0;
}
