// SPDX-License-Identifier: GPL-2.0
/*
 * metrics.c - farmemd's metrics over HTTP, for Prometheus.
 *
 * Owns the socket and libmicrohttpd's thread.  The library is loaded where --metrics asks for
 * it: it brings a TLS library, and all that is mapped is locked memory here.
 */
#include <dlfcn.h>
#include <errno.h>
#include <jansson.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control-socket.h"
#include "listen.h"
#include "log.h"
#include "metrics.h"
#include "options.h"
#include "parse.h"
#include "server-metrics.h"
#include "thread.h"

#define LIBRARY		"libmicrohttpd.so.12"
#define CONNECTIONS_MAX	16u
#define LIFE_SECONDS	10u
/* There are two questions, and Prometheus waits 10 s for all. */
#define ASK_SECONDS	4

/* The library's functions, by their names. */
struct http {
	__typeof__(MHD_start_daemon) *MHD_start_daemon;
	__typeof__(MHD_stop_daemon) *MHD_stop_daemon;
	__typeof__(MHD_create_response_from_buffer) *MHD_create_response_from_buffer;
	__typeof__(MHD_add_response_header) *MHD_add_response_header;
	__typeof__(MHD_queue_response) *MHD_queue_response;
	__typeof__(MHD_destroy_response) *MHD_destroy_response;
};

struct metrics {
	const struct options *opt;
	struct http http;
	void *library;
	struct MHD_Daemon *daemon;
	int fd;
};

static bool metrics_find(void *library, const char *name, void *function)
{
	*(void **)function = dlsym(library, name);
	return *(void **)function;
}

#define FIND(name) metrics_find(metrics->library, #name, &metrics->http.name)

static int metrics_load(struct metrics *metrics)
{
	metrics->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (metrics->library && FIND(MHD_start_daemon) && FIND(MHD_stop_daemon) &&
	    FIND(MHD_create_response_from_buffer) && FIND(MHD_add_response_header) &&
	    FIND(MHD_queue_response) && FIND(MHD_destroy_response))
		return 0;
	log_err("metrics: %s; install libmicrohttpd, or leave out --metrics", dlerror());
	return -ENOENT;
}

/* The answer to a verb, to json_decref(); NULL: none came in time. */
static json_t *metrics_ask(const struct metrics *metrics, const char *request)
{
	int fd = control_socket_open(metrics->opt->control, ASK_SECONDS);
	char *line = fd < 0 ? NULL : control_socket_ask(fd, request);
	json_t *answer = line ? json_loads(line, 0, NULL) : NULL;

	free(line);
	if (json_is_true(json_object_get(answer, "ok")))
		return answer;
	json_decref(answer);
	return NULL;
}

/* All metrics, to free; NULL without memory. */
static char *metrics_text(const struct metrics *metrics)
{
	json_t *status = metrics_ask(metrics, "{\"verb\":\"status\"}");
	json_t *clients = status ? metrics_ask(metrics, "{\"verb\":\"clients\"}") : NULL;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (stream)
		server_metrics_put(stream, status, clients);
	json_decref(status);
	json_decref(clients);
	if (stream && !fclose(stream))
		return text;
	free(text);
	return NULL;
}

/* @text: is the library's, which frees it */
static enum MHD_Result metrics_reply(const struct http *http, struct MHD_Connection *connection,
				     unsigned int status, const char *type, char *text)
{
	struct MHD_Response *response = !text ? NULL :
		http->MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result ret = MHD_NO;

	if (!response) {
		free(text);
		return MHD_NO;
	}
	if (http->MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_YES)
		ret = http->MHD_queue_response(connection, status, response);
	http->MHD_destroy_response(response);
	return ret;
}

static enum MHD_Result metrics_on_request(void *data, struct MHD_Connection *connection,
					  const char *url, const char *method, const char *version,
					  const char *upload, size_t *upload_size, void **state)
{
	const struct metrics *metrics = data;
	const struct http *http = &metrics->http;

	(void)version;
	(void)upload;
	(void)upload_size;
	(void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return metrics_reply(http, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain",
				     strdup("farmemd answers GET and HEAD\n"));
	if (strcmp(url, "/metrics"))
		return metrics_reply(http, connection, MHD_HTTP_NOT_FOUND, "text/plain",
				     strdup("farmemd has its metrics at /metrics\n"));
	return metrics_reply(http, connection, MHD_HTTP_OK, "text/plain; version=0.0.4",
			     metrics_text(metrics));
}

static int metrics_run(struct metrics *metrics)
{
	char address[ADDRESS_TEXT];
	int ret = metrics_load(metrics);

	if (ret)
		return ret;
	format_address((const struct sockaddr *)&metrics->opt->metrics, address);
	metrics->fd = listen_at((const struct sockaddr *)&metrics->opt->metrics, CONNECTIONS_MAX);
	if (metrics->fd < 0) {
		log_err("metrics: %s: %s; give --metrics an address of this machine and a port that is free",
			address, strerror(-metrics->fd));
		return metrics->fd;
	}
	metrics->daemon = metrics->http.MHD_start_daemon(
		MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, metrics_on_request,
		metrics, MHD_OPTION_LISTEN_SOCKET, metrics->fd,
		MHD_OPTION_THREAD_STACK_SIZE, (size_t)THREAD_STACK,
		MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, LIFE_SECONDS, MHD_OPTION_END);
	if (!metrics->daemon) {
		log_err("metrics: cannot start the thread for %s: %s", address, strerror(errno));
		return -ENOMEM;
	}
	log_info("metrics: http://%s/metrics, for any process that reaches this address", address);
	return 0;
}

int metrics_start(const struct options *opt, struct metrics **metrics)
{
	int ret;

	*metrics = NULL;
	if (opt->metrics.ss_family == AF_UNSPEC)
		return 0;
	*metrics = calloc(1, sizeof(**metrics));
	if (!*metrics)
		return -ENOMEM;
	(*metrics)->opt = opt;
	(*metrics)->fd = -1;
	ret = metrics_run(*metrics);
	if (!ret)
		return 0;
	metrics_stop(*metrics);
	*metrics = NULL;
	return ret;
}

void metrics_stop(struct metrics *metrics)
{
	if (!metrics)
		return;
	/* It closes the socket. */
	if (metrics->daemon)
		metrics->http.MHD_stop_daemon(metrics->daemon);
	else if (metrics->fd >= 0)
		close(metrics->fd);
	if (metrics->library)
		dlclose(metrics->library);
	free(metrics);
}
