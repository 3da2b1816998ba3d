// SPDX-License-Identifier: GPL-2.0
/*
 * keyring.c - the clients' keys that hold now.
 *
 * Owns the server's list of keys; keys.c reads the file.  Called by main() at the
 * start, by signals.c, and by report.c.
 */
#include <errno.h>

#include "auth.h"
#include "client.h"
#include "keyring.h"
#include "keys.h"
#include "log.h"
#include "server.h"
#include "session.h"

/*
 * Live sessions stay live, also without a key in the new file.  To end one may cost a
 * client the data that it works on: the administrator decides.
 */
int keyring_read(struct server *server)
{
	unsigned int count = 0;
	const struct key *each;
	struct key *keys;
	char error[512];
	int ret;

	if (!server->opt.keys)
		return 0;
	ret = keys_read(server->opt.keys, server->uuid, &keys, error, sizeof(error));
	if (ret) {
		log_err("keys: %s", error);
		return ret;
	}
	for (each = keys; each; each = each->next)
		count++;
	/* An editor has emptied the file, and not written it yet. */
	if (!count && server->keys) {
		log_err("keys: %s has no key; to refuse all clients, keep one key that no client uses",
			server->opt.keys);
		return -ENODATA;
	}
	keys_free(server->keys);
	server->keys = keys;
	log_info("keys: %u in %s", count, server->opt.keys);
	return 0;
}

static void keyring_name_revoked(struct server *server)
{
	struct session *session;

	LIST_FOREACH(session, &server->sessions, link) {
		if (session->state != SESSION_LIVE ||
		    auth_holds(&session->auth, server->keys,
			       client_is_open(server, session->identity)))
			continue;
		log_warn("(%s): its session goes on without a key from the key file; 'farmemctl server disconnect --client %s' ends the session and keeps the data",
			 session->client->name, session->client->name);
	}
}

int keyring_reload(struct server *server)
{
	int ret = keyring_read(server);

	if (!server->opt.keys)
		log_info("reload: there is nothing to read again without --keys");
	else if (ret)
		log_err("keys: the former keys stay in force; correct the file and reload again");
	else
		keyring_name_revoked(server);
	return ret;
}
