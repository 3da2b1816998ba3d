// SPDX-License-Identifier: GPL-2.0
/* session-key.c - the key that a session proves itself with, and its change. */
#include <linux/string.h>

#include "auth.h"
#include "key.h"
#include "session-key.h"
#include "session.h"

/* Of a reference; NULL of none.  An error has the session's reason set. */
static struct farmem_auth *session_make_auth(struct farmem_session *s, const char *ref,
					     const char *client)
{
	struct farmem_auth *auth;
	const char *why;

	if (!*ref)
		return NULL;
	auth = farmem_auth_create(ref, client, &why);
	if (IS_ERR(auth))
		farmem_session_reason(s, PTR_ERR(auth), "key=%s: %s", ref, why);
	return auth;
}

int farmem_session_key_read(struct farmem_session *s)
{
	struct farmem_auth *auth;

	lockdep_assert_held(&s->lock);
	auth = session_make_auth(s, s->config.key, s->config.client);
	if (IS_ERR(auth))
		return PTR_ERR(auth);
	s->auth = auth;
	return 0;
}

int farmem_session_key_set(struct farmem_session *s, const char *ref)
{
	char client[FARMEM_NAME_LEN];
	struct farmem_auth *auth = NULL;
	bool on;

	if (!farmem_key_ref_valid(ref))
		return farmem_session_reason(s, -EINVAL,
				"key=: give the path of a key file, or keyring:DESCRIPTION");
	if (farmem_session_lock(s))
		return -EINTR;
	on = s->state != FARMEM_SESSION_DOWN;
	memcpy(client, s->config.client, sizeof(client));
	mutex_unlock(&s->lock);
	if (on)
		auth = session_make_auth(s, ref, client);
	if (IS_ERR(auth))
		return PTR_ERR(auth);

	farmem_session_lock_urgent(s);
	/* The key is read only for a session that is on: that must not have changed. */
	if (on != (s->state != FARMEM_SESSION_DOWN)) {
		mutex_unlock(&s->lock);
		farmem_auth_free(auth);
		return farmem_session_reason(s, -EBUSY,
				"key=: the session was powered on or off meanwhile; write the key again");
	}
	if (on) {
		swap(s->next_auth, auth);
		s->rekeyed = true;
	}
	strscpy(s->config.key, ref, sizeof(s->config.key));
	mutex_unlock(&s->lock);
	farmem_auth_free(auth);
	return 0;
}

void farmem_session_key_use(struct farmem_session *s)
{
	lockdep_assert_held(&s->lock);
	if (!s->rekeyed)
		return;
	farmem_auth_free(s->auth);
	s->auth = s->next_auth;
	s->next_auth = NULL;
	s->rekeyed = false;
}
