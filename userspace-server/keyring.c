// SPDX-License-Identifier: GPL-2.0
/*
 * keyring.c - the clients' keys that hold now.
 *
 * Owns the server's list of keys; keys.c reads the file.  Called by main() at the
 * start and by signals.c.
 */
#include "keyring.h"
#include "keys.h"
#include "log.h"
#include "server.h"

/* Sessions that are live stay so, whatever the file says now. */
int keyring_read(struct server *server)
{
	unsigned int count = 0;
	const struct key *each;
	struct key *keys;
	char error[512];
	int ret;

	if (!server->opt.keys)
		return 0;
	ret = keys_read(server->opt.keys, &keys, error, sizeof(error));
	if (ret) {
		log_err("keys: %s", error);
		return ret;
	}
	for (each = keys; each; each = each->next)
		count++;
	keys_free(server->keys);
	server->keys = keys;
	log_info("keys: %u in %s", count, server->opt.keys);
	return 0;
}

void keyring_reload(struct server *server)
{
	if (!server->opt.keys)
		log_info("SIGHUP: there is nothing to read again without --keys");
	else if (keyring_read(server))
		log_err("keys: those of before hold; correct the file and send SIGHUP again");
}
