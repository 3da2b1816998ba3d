/* SPDX-License-Identifier: GPL-2.0 */
/* http.h - POST requests on an event loop, by libcurl */
#ifndef AGENT_HTTP_H
#define AGENT_HTTP_H

#include <systemd/sd-event.h>

struct http;
struct http_call;

/**
 * struct http_tls - all of it may be NULL
 * @ca: file in PEM with what the other side's certificate must be signed by; NULL: what this
 *	machine trusts
 * @cert: file in PEM of this side
 * @key: of @cert, in PEM itself: its file may be root's alone
 */
struct http_tls {
	const char *ca;
	const char *cert;
	const char *key;
};

/**
 * struct http_request - what is asked, and what is done with the answer
 * @url: http or https
 * @body: JSON
 * @token: for the header Authorization, NULL: there is none
 * @seconds: that it may take, at least 1
 * @done: is called once, unless the call is cancelled before.  @status is that of HTTP and
 *	@text its body; 0 if no answer came, and @text says why
 * @data: for @done
 *
 * @done may begin and cancel calls, but must not close their struct http.
 */
struct http_request {
	const char *url;
	const char *body;
	const char *token;
	unsigned int seconds;
	void (*done)(void *data, long status, const char *text);
	void *data;
};

/**
 * http_open() - a client
 * @event: the loop that it works in; is kept
 * @tls: is copied
 *
 * Return: the client; NULL without memory or descriptors.
 */
struct http *http_open(sd_event *event, const struct http_tls *tls);

/* http_close() - end it, all calls cancelled; NULL is fine */
void http_close(struct http *http);

/**
 * http_post() - begin a call
 * @http: the client
 * @request: is copied
 *
 * Never calls @request->done before it returns.
 *
 * Return: the call, valid until @request->done has been called; NULL without memory.
 */
struct http_call *http_post(struct http *http, const struct http_request *request);

/* http_cancel() - end a call without a word; NULL is fine */
void http_cancel(struct http_call *call);

#endif /* AGENT_HTTP_H */
