// SPDX-License-Identifier: GPL-2.0
/*
 * page.c - the directory for browsers, by libmicrohttpd in the agent's event loop.
 *
 * A browser that asks waits until etcd has answered; those that ask meanwhile get the same.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "attr.h"
#include "listen.h"
#include "page.h"
#include "parse.h"
#include "survey.h"

#define CONNECTIONS_MAX	32u
#define LIFE_SECONDS	20u
#define FRESH_MS	2000
#define RETRY_USEC	10000000ull

/* Nothing from elsewhere is loaded or told, whatever stands in the directory. */
#define POLICY	"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " \
		"connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/* tools/agent/page.html */
extern const char page_html[];

/* A browser that waits for etcd. */
struct guest {
	struct guest *next;
	struct MHD_Connection *connection;
};

struct page {
	struct etcd *etcd;
	struct MHD_Daemon *daemon;
	sd_event_source *io;
	sd_event_source *timer;	/* the library's; before: the next try to listen */
	const struct sockaddr *addr;
	int failed;	/* the error of the last try, as it was said */
	struct survey *survey;
	struct guest *guests;
	struct MHD_Response *said;	/* what etcd said last; NULL: nothing yet */
	unsigned int status;	/* of HTTP, with that */
	long until_ms;	/* for so long it is fresh */
};

/* @free_text: the library frees @text, also when it has no memory; else it stays as it is. */
static struct MHD_Response *page_response(const char *type, const char *text, bool free_text)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		strlen(text), (void *)text, free_text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);

	if (!response) {
		if (free_text)
			free((void *)text);
		return NULL;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	MHD_add_response_header(response, "Content-Security-Policy", POLICY);
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	return response;
}

static enum MHD_Result page_reply(struct MHD_Connection *connection, unsigned int status, const char *type, const char *text)
{
	struct MHD_Response *response = page_response(type, text, false);
	enum MHD_Result ret = response ? MHD_queue_response(connection, status, response) : MHD_NO;

	if (response)
		MHD_destroy_response(response);
	return ret;
}

/*
 * A name that a stranger's server gives this address is none of ours: a page from there would
 * read this one.
 */
static bool page_is_asked_by_number(struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
	size_t length = host ? strcspn(host, ":") : 0;
	struct sockaddr_storage addr;

	return !host || (length == strlen("localhost") && !strncasecmp(host, "localhost", length)) ||
	       !parse_address(host, 80, &addr);
}

/* The library says when it wants to be called, if nothing comes. */
static void page_run(struct page *page)
{
	MHD_UNSIGNED_LONG_LONG ms;

	MHD_run(page->daemon);
	if (MHD_get_timeout(page->daemon, &ms) != MHD_YES) {
		sd_event_source_set_enabled(page->timer, SD_EVENT_OFF);
		return;
	}
	sd_event_source_set_time_relative(page->timer, ms * 1000);
	sd_event_source_set_enabled(page->timer, SD_EVENT_ONESHOT);
}

static int page_on_io(sd_event_source *source, int fd, uint32_t events, void *data)
{
	page_run(data);
	return 0;
}

/* They ask again, and find it. */
static void page_wake(struct page *page)
{
	while (page->guests) {
		struct guest *guest = page->guests;

		page->guests = guest->next;
		MHD_resume_connection(guest->connection);
		free(guest);
	}
}

static void page_surveyed(void *data, json_t *all, const char *error)
{
	struct page *page = data;
	json_t *said = all ? json_incref(all) : checked(json_pack("{s:s}", "error", error));

	page->survey = NULL;
	if (page->said)
		MHD_destroy_response(page->said);
	page->said = page_response("application/json", checked(json_dumps(said, JSON_COMPACT)), true);
	page->status = all ? MHD_HTTP_OK : MHD_HTTP_SERVICE_UNAVAILABLE;
	page->until_ms = clock_ms() + FRESH_MS;
	json_decref(said);
	page_wake(page);
	page_run(page);
}

static enum MHD_Result page_wait(struct page *page, struct MHD_Connection *connection)
{
	struct guest *guest = malloc(sizeof(*guest));

	if (!guest)
		return MHD_NO;
	*guest = (struct guest){ page->guests, connection };
	page->guests = guest;
	MHD_suspend_connection(connection);
	if (!page->survey)
		page->survey = survey_begin(page->etcd, SURVEY_SERVERS | SURVEY_GROUPS | SURVEY_CHUNKS, page_surveyed, page);
	return MHD_YES;
}

/* The library calls it at the head of a request, and once more for the answer. */
static enum MHD_Result page_on_request(void *data, struct MHD_Connection *connection, const char *url,
				       const char *method, const char *version, const char *upload,
				       size_t *upload_size, void **state)
{
	struct page *page = data;

	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return page_reply(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", "farmem-agent answers GET and HEAD\n");
	if (!page_is_asked_by_number(connection))
		return page_reply(connection, MHD_HTTP_FORBIDDEN, "text/plain", "farmem-agent has its page at numeric addresses and localhost\n");
	if (!strcmp(url, "/"))
		return page_reply(connection, MHD_HTTP_OK, "text/html; charset=utf-8", page_html);
	if (strcmp(url, "/cluster.json"))
		return page_reply(connection, MHD_HTTP_NOT_FOUND, "text/plain", "farmem-agent has its page at /\n");
	if (clock_ms() < page->until_ms && page->said)
		return MHD_queue_response(connection, page->status, page->said);
	return page_wait(page, connection);
}

static int page_start(struct page *page, sd_event *event, int fd)
{
	const union MHD_DaemonInfo *info;
	int ret;

	page->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, page_on_request, page,
					MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX,
					MHD_OPTION_CONNECTION_TIMEOUT, LIFE_SECONDS, MHD_OPTION_END);
	if (!page->daemon) {
		close(fd);
		return -ENOMEM;
	}
	info = MHD_get_daemon_info(page->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	ret = info ? sd_event_add_io(event, &page->io, info->epoll_fd, EPOLLIN, page_on_io, page) : -ENOSYS;
	if (ret >= 0)
		return ret;
	MHD_stop_daemon(page->daemon);
	page->daemon = NULL;
	return ret;
}

/* What is said once is tried again and again: an address may come later than the agent. */
static void page_try(struct page *page)
{
	char address[ADDRESS_TEXT];
	int ret = listen_at(page->addr, CONNECTIONS_MAX);

	if (ret >= 0)
		ret = page_start(page, sd_event_source_get_event(page->timer), ret);
	format_address(page->addr, address);
	if (ret >= 0) {
		printf("page: http://%s/, for any browser that reaches this address\n", address);
		return;
	}
	if (ret != page->failed) {
		fail("page: %s: %s; still trying", address, strerror(-ret));
		next_step("give page an address of this machine and a port that is free");
	}
	page->failed = ret;
	sd_event_source_set_time_relative(page->timer, RETRY_USEC);
	sd_event_source_set_enabled(page->timer, SD_EVENT_ONESHOT);
}

static int page_on_timer(sd_event_source *source, uint64_t usec, void *data)
{
	struct page *page = data;

	if (page->io)
		page_run(page);
	else
		page_try(page);
	return 0;
}

struct page *page_open(sd_event *event, struct etcd *etcd, const struct sockaddr *addr)
{
	struct page *page = checked(calloc(1, sizeof(*page)));

	page->etcd = etcd;
	page->addr = addr;
	if (sd_event_add_time_relative(event, &page->timer, CLOCK_MONOTONIC, 0, 1000, page_on_timer, page) >= 0)
		return page;
	page_close(page);
	return NULL;
}

void page_close(struct page *page)
{
	if (!page)
		return;
	survey_cancel(page->survey);
	sd_event_source_disable_unref(page->io);
	sd_event_source_disable_unref(page->timer);
	/* A connection must not be suspended when the library ends; it also closes the socket. */
	page_wake(page);
	if (page->daemon)
		MHD_stop_daemon(page->daemon);
	if (page->said)
		MHD_destroy_response(page->said);
	free(page);
}
