/* SPDX-License-Identifier: GPL-2.0 */
/*
 * etcd.h - calls to etcd, by the JSON that its gateway takes
 *
 * etcd 3.4 and later, paths below /v3/: its documentation, "gRPC gateway".  Keys and values are
 * texts here; 64-bit numbers are texts in its JSON.
 */
#ifndef AGENT_ETCD_H
#define AGENT_ETCD_H

#include <jansson.h>
#include <stdint.h>
#include <systemd/sd-event.h>

struct etcd;
struct etcd_call;

/**
 * struct etcd_options - where etcd is, and which user asks it
 * @endpoints: URLs of its members, with blanks or commas between
 * @ca: see struct http_tls
 * @cert: see struct http_tls; etcd's gateway takes none that has a common name
 * @key: see struct http_tls, in PEM itself
 * @user: name, NULL: etcd asks for none
 * @password: of @user
 * @seconds: that an endpoint has for its answer, at least 1
 */
struct etcd_options {
	const char *endpoints;
	const char *ca;
	const char *cert;
	const char *key;
	const char *user;
	const char *password;
	unsigned int seconds;
};

/**
 * etcd_open() - a client of etcd
 * @event: the loop that it works in
 * @options: are copied
 *
 * Asks nothing yet.
 *
 * Return: the client; NULL without memory.
 */
struct etcd *etcd_open(sd_event *event, const struct etcd_options *options);

/* etcd_close() - end it, all calls cancelled; NULL is fine */
void etcd_close(struct etcd *etcd);

/**
 * typedef etcd_done_fn - what a call came to
 * @data: the caller's
 * @answer: JSON of etcd; NULL: it failed.  A call that failed may have been done all the same
 * @error: a sentence without its full stop, if it failed
 */
typedef void (*etcd_done_fn)(void *data, const json_t *answer, const char *error);

/**
 * etcd_call() - ask etcd
 * @etcd: the client
 * @path: below /v3/, as "kv/put"; a literal
 * @body: of the request; is taken
 * @done: is called once, not before etcd_call() returns; may begin and cancel calls
 * @data: for @done
 *
 * Each endpoint is asked until one gives an answer.  A token that is refused is asked for anew.
 *
 * Return: the call, valid until @done has been called; NULL without memory.
 */
struct etcd_call *etcd_call(struct etcd *etcd, const char *path, json_t *body, etcd_done_fn done, void *data);

/* etcd_cancel() - forget a call; it may be done all the same; NULL is fine */
void etcd_cancel(struct etcd_call *call);

/* etcd_put() - a body for kv/put; @lease: the key goes with it, 0: it stays */
json_t *etcd_put(const char *key, const char *value, int64_t lease);

/**
 * etcd_put_if() - a body for kv/txn: put a key, if nobody has since it was read
 * @key: it
 * @value: for it
 * @revision: its mod_revision then; 0: it was not there
 *
 * The answer's field "succeeded" is true if it was put.
 */
json_t *etcd_put_if(const char *key, const char *value, int64_t revision);

/* etcd_get() - a body for kv/range or kv/deleterange: @key alone */
json_t *etcd_get(const char *key);

/* etcd_range() - a body for kv/range: all keys that begin with @prefix */
json_t *etcd_range(const char *prefix);

/**
 * etcd_each() - the keys of an answer to kv/range
 * @answer: it
 * @prefix: that they begin with
 * @each: is told what follows in each of them, and its value; what is no text, or does not
 *	begin so, is left out
 * @data: for @each
 */
void etcd_each(const json_t *answer, const char *prefix,
	       void (*each)(void *data, const char *key, const char *value), void *data);

/* etcd_revision() - mod_revision of the first key of an answer to kv/range; 0: there is none */
int64_t etcd_revision(const json_t *answer);

/* etcd_number() - a 64-bit number of an answer; 0: there is none */
int64_t etcd_number(const json_t *answer, const char *name);

#endif /* AGENT_ETCD_H */
