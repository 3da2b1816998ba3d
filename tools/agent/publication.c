// SPDX-License-Identifier: GPL-2.0
/* publication.c - puts a key of the directory, and knows what etcd has of it. */
#include <string.h>

#include "attr.h"
#include "publication.h"

#define RETRY_SECONDS	5
/* A key that somebody deleted, or that an older call overtook, is right again after so long. */
#define AGAIN_SECONDS	300

time_t publication_now(void)
{
	return clock_ms() / 1000;
}

static void publication_told(void *data, const json_t *answer, const char *error)
{
	struct publication *publication = data;

	publication->call = NULL;
	publication->at = publication_now();
	free(publication->text);
	publication->text = answer ? publication->sent : NULL;
	/* A call that failed may have been done. */
	publication->there = publication->sent || !answer;
	if (!answer) {
		free(publication->sent);
		publication->retry = publication->at + RETRY_SECONDS;
	}
	publication->sent = NULL;
	publication->told(publication->data, publication, answer ? NULL : error);
	if (!answer && strstr(error, "lease not found"))
		lease_lost(publication->lease);
}

bool publication_may(const struct publication *publication)
{
	return publication->lease->id && !publication->call && publication_now() >= publication->retry;
}

bool publication_is_old(const struct publication *publication)
{
	return !publication->text || publication_now() >= publication->at + AGAIN_SECONDS;
}

static void publication_call(struct publication *publication, const char *path, json_t *body)
{
	publication->there = true;
	publication->call = checked(etcd_call(publication->lease->etcd, path, checked(body), publication_told, publication));
}

void publication_tell(struct publication *publication, char *text)
{
	publication->sent = text;
	publication_call(publication, "kv/put", etcd_put(publication->key, text, publication->lease->id));
}

void publication_withdraw(struct publication *publication)
{
	publication_call(publication, "kv/deleterange", etcd_get(publication->key));
}

void publication_follow(struct publication *publication, char *text)
{
	if (publication_may(publication) && (publication_is_old(publication) || strcmp(text, publication->text)))
		publication_tell(publication, text);
	else
		free(text);
}

void publication_forget(struct publication *publication)
{
	etcd_cancel(publication->call);
	publication->call = NULL;
	free(publication->text);
	free(publication->sent);
	publication->text = publication->sent = NULL;
	publication->there = false;
}

void publication_close(struct publication *publication)
{
	publication_forget(publication);
	free(publication->key);
	publication->key = NULL;
}
