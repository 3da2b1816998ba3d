// SPDX-License-Identifier: GPL-2.0
/*
 * http.c - libcurl's multi interface on sd-event.
 *
 * Owns the loop's sources: libcurl says which descriptors and what time it waits for, the loop
 * says what has come.  libcurl(3), "curl_multi_socket_action".
 */
#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "http.h"

#define ANSWER_MAX	(32u << 20)

struct http {
	sd_event *event;
	sd_event_source *timer;
	CURLM *multi;
	char *ca, *cert, *key;
	LIST_HEAD(, http_call) calls;
};

struct http_call {
	LIST_ENTRY(http_call) link;
	struct http *http;
	CURL *easy;
	struct curl_slist *headers;
	char error[CURL_ERROR_SIZE];
	char *text;	/* what has come so far, NUL-terminated */
	size_t length;
	void (*done)(void *data, long status, const char *text);
	void *data;
};

static void http_free(struct http_call *call)
{
	LIST_REMOVE(call, link);
	curl_multi_remove_handle(call->http->multi, call->easy);
	curl_easy_cleanup(call->easy);
	curl_slist_free_all(call->headers);
	free(call->text);
	free(call);
}

static void http_over(struct http_call *call, CURLcode code)
{
	long status = 0;

	if (code == CURLE_OK)
		curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
	else if (!*call->error)
		strcpy(call->error, curl_easy_strerror(code));
	/* Its caller may cancel other calls, and this one no more. */
	if (status)
		call->done(call->data, status, call->text ? call->text : "");
	else
		call->done(call->data, 0, *call->error ? call->error : "no answer of HTTP came");
	http_free(call);
}

static void http_deliver(struct http *http)
{
	struct http_call *call;
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(http->multi, &left))) {
		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
		http_over(call, message->data.result);
	}
}

static void http_act(struct http *http, curl_socket_t fd, int what)
{
	int running;

	curl_multi_socket_action(http->multi, fd, what, &running);
	http_deliver(http);
}

static int http_on_io(sd_event_source *source, int fd, uint32_t events, void *data)
{
	int what = (events & EPOLLIN ? CURL_CSELECT_IN : 0) |
		   (events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
		   (events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);

	http_act(data, fd, what);
	return 0;
}

static int http_on_time(sd_event_source *source, uint64_t usec, void *data)
{
	http_act(data, CURL_SOCKET_TIMEOUT, 0);
	return 0;
}

/* libcurl waits for @what of a descriptor.  @data: its source, once there is one. */
static int http_wants_io(CURL *easy, curl_socket_t fd, int what, void *user, void *data)
{
	uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
	sd_event_source *source = data;
	struct http *http = user;

	if (what == CURL_POLL_REMOVE) {
		sd_event_source_disable_unref(source);
		curl_multi_assign(http->multi, fd, NULL);
		return 0;
	}
	if (source)
		return sd_event_source_set_io_events(source, events) < 0 ? -1 : 0;
	if (sd_event_add_io(http->event, &source, fd, events, http_on_io, http) < 0)
		return -1;
	curl_multi_assign(http->multi, fd, source);
	return 0;
}

static int http_wants_time(CURLM *multi, long ms, void *user)
{
	struct http *http = user;

	if (ms < 0)
		return sd_event_source_set_enabled(http->timer, SD_EVENT_OFF) < 0 ? -1 : 0;
	if (sd_event_source_set_time_relative(http->timer, ms * 1000ull) < 0)
		return -1;
	return sd_event_source_set_enabled(http->timer, SD_EVENT_ONESHOT) < 0 ? -1 : 0;
}

struct http *http_open(sd_event *event, const struct http_tls *tls)
{
	struct http *http = calloc(1, sizeof(*http));

	if (!http)
		return NULL;
	LIST_INIT(&http->calls);
	http->event = sd_event_ref(event);
	http->ca = tls->ca ? strdup(tls->ca) : NULL;
	http->cert = tls->cert ? strdup(tls->cert) : NULL;
	http->key = tls->key ? strdup(tls->key) : NULL;
	http->multi = curl_multi_init();
	if (!http->multi || !http->ca != !tls->ca || !http->cert != !tls->cert || !http->key != !tls->key ||
	    /* Exact: the loop would else gather what is due in 250 ms, and libcurl begins each call so. */
	    sd_event_add_time_relative(event, &http->timer, CLOCK_MONOTONIC, 0, 1, http_on_time, http) < 0) {
		http_close(http);
		return NULL;
	}
	sd_event_source_set_enabled(http->timer, SD_EVENT_OFF);
	curl_multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, http_wants_io);
	curl_multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
	curl_multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, http_wants_time);
	curl_multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
	return http;
}

void http_close(struct http *http)
{
	if (!http)
		return;
	while (!LIST_EMPTY(&http->calls))
		http_free(LIST_FIRST(&http->calls));
	/* It takes its descriptors out of the loop. */
	curl_multi_cleanup(http->multi);
	sd_event_source_disable_unref(http->timer);
	sd_event_unref(http->event);
	free(http->ca);
	free(http->cert);
	if (http->key)
		explicit_bzero(http->key, strlen(http->key));
	free(http->key);
	free(http);
}

static size_t http_take(char *bytes, size_t one, size_t count, void *data)
{
	struct http_call *call = data;
	char *text;

	if (count > ANSWER_MAX - call->length)
		return 0;
	text = realloc(call->text, call->length + count + 1);
	if (!text)
		return 0;
	call->text = text;
	memcpy(text + call->length, bytes, count);
	call->length += count;
	text[call->length] = '\0';
	return count;
}

static bool http_add_header(struct http_call *call, const char *name, const char *value)
{
	struct curl_slist *longer;
	char *line = NULL;

	if (asprintf(&line, "%s: %s", name, value) < 0)
		return false;
	longer = curl_slist_append(call->headers, line);
	free(line);
	if (longer)
		call->headers = longer;
	return longer;
}

/* Only what the request names is asked: no proxy, no other protocol, no redirection. */
static bool http_set(struct http_call *call, const struct http_request *request)
{
	const struct http *http = call->http;
	struct curl_blob key = { http->key, http->key ? strlen(http->key) : 0, CURL_BLOB_COPY };
	CURL *easy = call->easy;

	if (!http_add_header(call, "Content-Type", "application/json") ||
	    (request->token && !http_add_header(call, "Authorization", request->token)))
		return false;
	curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->error);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	/* A name server that does not answer holds nothing up. */
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	if (http->ca)
		curl_easy_setopt(easy, CURLOPT_CAINFO, http->ca);
	if (http->cert)
		curl_easy_setopt(easy, CURLOPT_SSLCERT, http->cert);
	if (http->key)
		curl_easy_setopt(easy, CURLOPT_SSLKEY_BLOB, &key);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)request->seconds);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, call->headers);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, http_take);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
	return !curl_easy_setopt(easy, CURLOPT_URL, request->url) &&
	       !curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
}

struct http_call *http_post(struct http *http, const struct http_request *request)
{
	struct http_call *call = calloc(1, sizeof(*call));

	if (!call)
		return NULL;
	call->http = http;
	call->done = request->done;
	call->data = request->data;
	call->easy = curl_easy_init();
	LIST_INSERT_HEAD(&http->calls, call, link);
	/* The loop's next turn begins it. */
	if (call->easy && http_set(call, request) && !curl_multi_add_handle(http->multi, call->easy))
		return call;
	http_free(call);
	return NULL;
}

void http_cancel(struct http_call *call)
{
	if (call)
		http_free(call);
}
