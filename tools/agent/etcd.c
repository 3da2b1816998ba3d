// SPDX-License-Identifier: GPL-2.0
/*
 * etcd.c - calls that find a member of etcd that answers, with a token that it takes.
 *
 * Owns its calls.  One that fails for want of an answer goes to the next endpoint, each of
 * which it asks once; the next call begins with the endpoint that answered last.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base64.h"
#include "etcd.h"
#include "http.h"

#define UNAUTHENTICATED	16	/* google.rpc.Code */

struct etcd {
	struct http *http;
	char **endpoint;
	size_t endpoints;
	size_t at;	/* the one that answered last */
	char *user, *password;
	char *token;	/* NULL: to be asked for, if there is a user */
	unsigned int seconds;
	LIST_HEAD(, etcd_call) calls;
};

struct etcd_call {
	LIST_ENTRY(etcd_call) link;
	struct etcd *etcd;
	struct http_call *http;
	const char *path;
	char *body;
	char *token;	/* that it was asked with */
	size_t at;	/* the endpoint that is asked */
	size_t asked;	/* endpoints, in vain */
	bool renewed;	/* the token was, for this call */
	etcd_done_fn done;
	void *data;
};

static bool etcd_ask(struct etcd_call *call);

static void etcd_free(struct etcd_call *call)
{
	LIST_REMOVE(call, link);
	free(call->body);
	free(call->token);
	free(call);
}

static void etcd_over(struct etcd_call *call, const json_t *answer, const char *error)
{
	etcd_done_fn done = call->done;
	void *data = call->data;

	etcd_free(call);
	done(data, answer, error);
}

static void etcd_fail(struct etcd_call *call, const char *what)
{
	const struct etcd *etcd = call->etcd;
	char error[512], others[64] = "", *at;

	if (call->asked > 1)
		snprintf(others, sizeof(others), "none of etcd's %zu members answers; ", etcd->endpoints);
	snprintf(error, sizeof(error), "%s%s: %s", others, etcd->endpoint[call->at], what);
	/* It comes from the network, may be cut, and goes to logs, terminals and browsers. */
	for (at = error; *at; at++)
		if (iscntrl((unsigned char)*at) || !isascii((unsigned char)*at))
			*at = '?';
	etcd_over(call, NULL, error);
}

static void etcd_again(struct etcd_call *call)
{
	if (!etcd_ask(call))
		etcd_over(call, NULL, "out of memory");
}

/* No answer, or none that says what became of the request: another member may know better. */
static void etcd_next(struct etcd_call *call, const char *what)
{
	if (++call->asked >= call->etcd->endpoints) {
		etcd_fail(call, what);
		return;
	}
	call->at = (call->at + 1) % call->etcd->endpoints;
	etcd_again(call);
}

static void etcd_drop_token(struct etcd *etcd, const char *refused)
{
	if (!etcd->token || !refused || strcmp(etcd->token, refused))
		return;
	free(etcd->token);
	etcd->token = NULL;
}

static void etcd_refused(struct etcd_call *call, long status, const json_t *answer)
{
	const char *why = json_string_value(json_object_get(answer, "error"));
	long code = json_integer_value(json_object_get(answer, "code"));
	char text[64];

	/* JWT tokens are of one revision of users and roles, which an administrator may change. */
	if (call->token && !call->renewed &&
	    (code == UNAUTHENTICATED || (why && strstr(why, "revision of auth store is old")))) {
		call->renewed = true;
		etcd_drop_token(call->etcd, call->token);
		etcd_again(call);
		return;
	}
	snprintf(text, sizeof(text), "it answers with status %ld", status);
	if (status >= 500)
		etcd_next(call, why ? why : text);
	else
		etcd_fail(call, why ? why : text);
}

static void etcd_on_answer(void *data, long status, const char *text)
{
	struct etcd_call *call = data;
	json_t *answer;

	call->http = NULL;
	if (!status) {
		etcd_next(call, text);
		return;
	}
	call->etcd->at = call->at;
	answer = json_loads(text, 0, NULL);
	if (status == 200 && json_is_object(answer))
		etcd_over(call, answer, NULL);
	else if (status == 200)
		etcd_fail(call, "this answer does not come from etcd");
	else
		etcd_refused(call, status, answer);
	json_decref(answer);
}

static void etcd_on_token(void *data, long status, const char *text)
{
	struct etcd_call *call = data;
	struct etcd *etcd = call->etcd;
	const char *token;
	json_t *answer;

	call->http = NULL;
	if (!status) {
		etcd_next(call, text);
		return;
	}
	answer = json_loads(text, 0, NULL);
	token = json_string_value(json_object_get(answer, "token"));
	if (status == 200 && token) {
		free(etcd->token);
		etcd->token = strdup(token);
		etcd_again(call);
	} else {
		etcd_refused(call, status, answer);
	}
	json_decref(answer);
}

static bool etcd_post(struct etcd_call *call, const char *path, const char *body,
		      void (*done)(void *data, long status, const char *text))
{
	struct etcd *etcd = call->etcd;
	char url[512];
	struct http_request request = {
		.url = url, .body = body, .token = call->token, .seconds = etcd->seconds,
		.done = done, .data = call,
	};

	snprintf(url, sizeof(url), "%s/v3/%s", etcd->endpoint[call->at], path);
	call->http = http_post(etcd->http, &request);
	return call->http;
}

static bool etcd_ask_token(struct etcd_call *call)
{
	json_t *who = json_pack("{s:s, s:s}", "name", call->etcd->user, "password", call->etcd->password);
	char *body = json_dumps(who, JSON_COMPACT);
	bool asked = body && etcd_post(call, "auth/authenticate", body, etcd_on_token);

	free(body);
	json_decref(who);
	return asked;
}

/* One of the two steps of a call: a token, if one is needed; what is to be done. */
static bool etcd_ask(struct etcd_call *call)
{
	struct etcd *etcd = call->etcd;

	free(call->token);
	call->token = NULL;
	if (etcd->user && !etcd->token)
		return etcd_ask_token(call);
	if (etcd->token && !(call->token = strdup(etcd->token)))
		return false;
	return etcd_post(call, call->path, call->body, etcd_on_answer);
}

struct etcd_call *etcd_call(struct etcd *etcd, const char *path, json_t *body, etcd_done_fn done, void *data)
{
	struct etcd_call *call = calloc(1, sizeof(*call));

	if (!call) {
		json_decref(body);
		return NULL;
	}
	LIST_INSERT_HEAD(&etcd->calls, call, link);
	call->etcd = etcd;
	call->path = path;
	call->at = etcd->at;
	call->done = done;
	call->data = data;
	call->body = json_dumps(body, JSON_COMPACT);
	json_decref(body);
	if (call->body && etcd_ask(call))
		return call;
	etcd_free(call);
	return NULL;
}

void etcd_cancel(struct etcd_call *call)
{
	if (!call)
		return;
	http_cancel(call->http);
	etcd_free(call);
}

static bool etcd_split(struct etcd *etcd, const char *endpoints)
{
	char *text = strdup(endpoints), *at = text, *word, **longer;

	while (text && (word = strsep(&at, ", \t"))) {
		if (!*word)
			continue;
		longer = realloc(etcd->endpoint, (etcd->endpoints + 1) * sizeof(*longer));
		if (!longer)
			break;
		etcd->endpoint = longer;
		while (*word && word[strlen(word) - 1] == '/')
			word[strlen(word) - 1] = '\0';
		longer[etcd->endpoints] = strdup(word);
		if (!longer[etcd->endpoints])
			break;
		etcd->endpoints++;
	}
	free(text);
	return text && !word && etcd->endpoints;
}

struct etcd *etcd_open(sd_event *event, const struct etcd_options *options)
{
	const struct http_tls tls = { options->ca, options->cert, options->key };
	struct etcd *etcd = calloc(1, sizeof(*etcd));

	if (!etcd)
		return NULL;
	LIST_INIT(&etcd->calls);
	etcd->seconds = options->seconds;
	etcd->user = options->user ? strdup(options->user) : NULL;
	etcd->password = strdup(options->password ? options->password : "");
	etcd->http = http_open(event, &tls);
	if (etcd->http && etcd->password && !etcd->user == !options->user && etcd_split(etcd, options->endpoints))
		return etcd;
	etcd_close(etcd);
	return NULL;
}

void etcd_close(struct etcd *etcd)
{
	if (!etcd)
		return;
	while (!LIST_EMPTY(&etcd->calls))
		etcd_cancel(LIST_FIRST(&etcd->calls));
	http_close(etcd->http);
	while (etcd->endpoints)
		free(etcd->endpoint[--etcd->endpoints]);
	free(etcd->endpoint);
	free(etcd->user);
	if (etcd->password)
		explicit_bzero(etcd->password, strlen(etcd->password));
	free(etcd->password);
	free(etcd->token);
	free(etcd);
}

/* A text as a bytes field of etcd; takes the place of json_string(). */
static json_t *etcd_bytes(const char *text, size_t length)
{
	char *coded = base64_encode(text, length);
	json_t *string = coded ? json_string(coded) : NULL;

	free(coded);
	return string;
}

static json_t *etcd_int(int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	return json_string(text);
}

json_t *etcd_put(const char *key, const char *value, int64_t lease)
{
	return json_pack("{s:o, s:o, s:o}", "key", etcd_bytes(key, strlen(key)),
			 "value", etcd_bytes(value, strlen(value)), "lease", etcd_int(lease));
}

json_t *etcd_put_if(const char *key, const char *value, int64_t revision)
{
	return json_pack("{s:[{s:o, s:s, s:s, s:o}], s:[{s:{s:o, s:o}}]}", "compare",
			 "key", etcd_bytes(key, strlen(key)), "target", "MOD", "result", "EQUAL",
			 "mod_revision", etcd_int(revision), "success", "request_put",
			 "key", etcd_bytes(key, strlen(key)), "value", etcd_bytes(value, strlen(value)));
}

json_t *etcd_get(const char *key)
{
	return json_pack("{s:o}", "key", etcd_bytes(key, strlen(key)));
}

json_t *etcd_range(const char *prefix)
{
	size_t length = strlen(prefix);
	char *end = strdup(prefix);
	json_t *body;

	if (!end)
		return NULL;
	/* The first key that does not begin so.  A prefix of ours ends with a character of ASCII. */
	end[length - 1]++;
	body = json_pack("{s:o, s:o}", "key", etcd_bytes(prefix, length), "range_end", etcd_bytes(end, length));
	free(end);
	return body;
}

void etcd_each(const json_t *answer, const char *prefix,
	       void (*each)(void *data, const char *key, const char *value), void *data)
{
	size_t i, key_length, value_length, skip = strlen(prefix);
	json_t *pair;

	json_array_foreach(json_object_get(answer, "kvs"), i, pair) {
		const char *key_text = json_string_value(json_object_get(pair, "key"));
		const char *value_text = json_string_value(json_object_get(pair, "value"));
		char *key = base64_decode(key_text ? key_text : "", &key_length);
		/* etcd leaves out an empty one. */
		char *value = base64_decode(value_text ? value_text : "", &value_length);

		if (key && value && !strncmp(key, prefix, skip) && key[skip] &&
		    strlen(key) == key_length && strlen(value) == value_length)
			each(data, key + skip, value);
		free(key);
		free(value);
	}
}

int64_t etcd_revision(const json_t *answer)
{
	return etcd_number(json_array_get(json_object_get(answer, "kvs"), 0), "mod_revision");
}

int64_t etcd_number(const json_t *answer, const char *name)
{
	const char *text = json_string_value(json_object_get(answer, name));

	return text ? strtoll(text, NULL, 10) : 0;
}
