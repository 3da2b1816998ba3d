// SPDX-License-Identifier: GPL-2.0
#include "talk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "trouble.h"

#define RETRY_MS 200

static struct addrinfo *look_up(const char *host, unsigned int port, int flags)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = flags };
	struct addrinfo *found;
	char service[8];
	int rc;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &found);
	if (!rc)
		return found;
	trouble("%s: %s", host ? host : "all addresses", gai_strerror(rc));
	return NULL;
}

/**
 * talk_listen() - a socket that takes control connections
 * @address: to listen at; NULL: all, IPv6 and IPv4
 * @port: TCP port
 *
 * Return: the socket, or -1.
 */
int talk_listen(const char *address, unsigned int port)
{
	struct addrinfo *found = look_up(address ? address : "::", port, AI_PASSIVE);
	int fd, yes = 1, no = 0;

	if (!found)
		return -1;
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		if (found->ai_family == AF_INET6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	}
	if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, 64)) {
		trouble_errno("listening at %s port %u", address ? address : "all addresses", port);
		if (errno == EADDRINUSE)
			trouble_advice("--port N, another one, here and at the client");
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	return fd;
}

/* One attempt, which must not take longer than @ms. */
static int attempt(const struct addrinfo *to, int ms)
{
	int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd look = { .fd = fd, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = 0;

	if (fd < 0)
		return -1;
	if (connect(fd, to->ai_addr, to->ai_addrlen)) {
		error = errno;
		if (error == EINPROGRESS) {
			error = ETIMEDOUT;
			if (poll(&look, 1, ms) == 1)
				getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
		}
	}
	if (!error)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

/* A name may have several addresses. */
static int attempt_each(const struct addrinfo *to, uint64_t end)
{
	int fd = -1;

	for (; to && fd < 0; to = to->ai_next) {
		uint64_t now = measure_now();

		fd = attempt(to, now < end ? (end - now) / 1000000 + 1 : 1);
	}
	return fd;
}

static int explain_absence(const char *host, unsigned int port, unsigned int seconds)
{
	int error = errno;

	trouble_errno("no server at %s port %u within %u s", host, port, seconds);
	switch (error) {
	case ECONNREFUSED:
		trouble_advice("on %s: farmem-verbs server --port %u", host, port);
		break;
	case EHOSTUNREACH:
	case ENETUNREACH:
	case ETIMEDOUT:
		trouble_advice("ping %s; is that its address, is its link up, does a firewall drop TCP port %u?",
			       host, port);
		break;
	}
	return -1;
}

/**
 * talk_connect() - reach the server, which may still be starting
 * @talk: to fill, but for its timeout
 * @host: name or address
 * @port: TCP port
 * @seconds: to try
 *
 * Return: 0 or -1.
 */
int talk_connect(struct talk *talk, const char *host, unsigned int port, unsigned int seconds)
{
	uint64_t end = measure_now() + seconds * 1000000000ull, now;
	struct timespec pause = { .tv_nsec = RETRY_MS * 1000000 };
	struct addrinfo *found = look_up(host, port, 0);
	bool told = !isatty(STDERR_FILENO);
	int yes = 1;

	if (!found)
		return -1;
	talk->used = 0;
	while ((talk->fd = attempt_each(found, end)) < 0) {
		int error = errno;

		now = measure_now();
		if (now + RETRY_MS * 1000000 >= end) {
			errno = error;
			break;
		}
		if (!told)
			fprintf(stderr, "waiting for a server at %s port %u\n", host, port);
		told = true;
		nanosleep(&pause, NULL);
	}
	freeaddrinfo(found);
	if (talk->fd < 0)
		return explain_absence(host, port, seconds);
	setsockopt(talk->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	return 0;
}

/**
 * talk_send() - send one line
 * @talk: the connection
 * @fmt: without the newline
 *
 * Return: 0 or -1.
 */
int talk_send(struct talk *talk, const char *fmt, ...)
{
	struct pollfd look = { .fd = talk->fd, .events = POLLOUT };
	char text[TALK_LINE];
	ssize_t sent, len;
	size_t done;
	va_list ap;

	va_start(ap, fmt);
	len = vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	if (len >= (ssize_t)sizeof(text) - 1)
		return trouble("a line for the other end is too long");
	text[len++] = '\n';
	for (done = 0; done < (size_t)len; done += sent) {
		sent = send(talk->fd, text + done, len - done, MSG_NOSIGNAL);
		if (sent >= 0)
			continue;
		sent = 0;
		/* Of two that fail, the other one may have said why. */
		if (errno != EAGAIN && *trouble_first())
			return -1;
		if (errno != EAGAIN || poll(&look, 1, talk->timeout * 1000) != 1)
			return trouble("the other end is gone: it ended, or the network failed");
	}
	return 0;
}

/* It may be printed: what a stranger sends is not to steer anybody's terminal. */
static void make_printable(char *line)
{
	for (; *line; line++)
		if (*line < ' ' || *line > '~')
			*line = '?';
}

/* The next whole line, if there is one. */
static char *cut_line(struct talk *talk)
{
	char *end = memchr(talk->buffer, '\n', talk->used);
	size_t len;

	if (!end)
		return NULL;
	len = end - talk->buffer;
	memcpy(talk->line, talk->buffer, len);
	talk->line[len] = '\0';
	make_printable(talk->line);
	talk->used -= len + 1;
	memmove(talk->buffer, end + 1, talk->used);
	return talk->line;
}

/**
 * talk_receive() - the next line
 * @talk: the connection
 *
 * A line "failed REASON" is the other end's last word: it is said here, too.
 *
 * Return: the line without its newline, valid until the next; NULL: there was trouble.
 */
char *talk_receive(struct talk *talk)
{
	uint64_t end = measure_now() + talk->timeout * 1000000000ull;
	struct pollfd look = { .fd = talk->fd, .events = POLLIN };
	char *line;

	while (!(line = cut_line(talk))) {
		uint64_t now = measure_now();
		ssize_t got;

		if (talk->used == sizeof(talk->buffer)) {
			trouble("the other end sent a line that is too long: is it farmem-verbs?");
			return NULL;
		}
		if (now >= end || poll(&look, 1, (end - now) / 1000000 + 1) != 1) {
			trouble("the other end was silent for %u s", talk->timeout);
			return NULL;
		}
		got = recv(talk->fd, talk->buffer + talk->used,
			   sizeof(talk->buffer) - talk->used, 0);
		if (got > 0) {
			talk->used += got;
		} else if (!got || errno != EAGAIN) {
			trouble("the other end is gone: it ended, or the network failed");
			return NULL;
		}
	}
	if (!strncmp(line, "failed ", 7)) {
		trouble("the other end: %s", line + 7);
		return NULL;
	}
	return line;
}

/**
 * talk_expect() - the next line, which must begin with a word
 * @talk: the connection
 * @word: the word
 *
 * Return: what follows the word and a blank; NULL: there was trouble.
 */
char *talk_expect(struct talk *talk, const char *word)
{
	char *line = talk_receive(talk);
	size_t len = strlen(word);

	if (!line)
		return NULL;
	if (!strncmp(line, word, len) && (line[len] == ' ' || !line[len]))
		return line + len + !!line[len];
	trouble("the other end said \"%.60s\" where \"%s\" was expected: are both of one release?",
		line, word);
	return NULL;
}

/* Is the next that the other end says its last word, or has it gone without one? */
bool talk_ended(const struct talk *talk)
{
	enum { WORD = sizeof("failed") - 1 };
	size_t have = talk->used < WORD ? talk->used : WORD;
	char text[2 * WORD];
	ssize_t got;

	memcpy(text, talk->buffer, have);
	got = recv(talk->fd, text + have, WORD, MSG_PEEK | MSG_DONTWAIT);
	if (!got || (got < 0 && errno != EAGAIN))
		return !memchr(talk->buffer, '\n', talk->used);
	return have + (got > 0 ? got : 0) >= WORD && !memcmp(text, "failed", WORD);
}

/* Has the other end said something, or gone? */
bool talk_pending(const struct talk *talk)
{
	struct pollfd look = { .fd = talk->fd, .events = POLLIN };

	return talk->used || poll(&look, 1, 0) == 1;
}

void talk_close(struct talk *talk)
{
	if (talk->fd >= 0)
		close(talk->fd);
	talk->fd = -1;
}

/* A socket that takes IPv4 as well shows it as ::ffff:10.0.0.1. */
static void unmap(struct sockaddr_storage *address)
{
	const struct sockaddr_in6 six = *(const struct sockaddr_in6 *)address;
	struct sockaddr_in *four = (struct sockaddr_in *)address;

	if (address->ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
		return;
	memset(address, 0, sizeof(*address));
	four->sin_family = AF_INET;
	four->sin_port = six.sin6_port;
	memcpy(&four->sin_addr, &six.sin6_addr.s6_addr[12], 4);
}

/**
 * talk_addresses() - between which addresses the connection is
 * @talk: the connection
 * @own: this end's
 * @peer: the other end's
 *
 * They choose the RDMA device: the one that the network uses to get there.
 *
 * Return: 0 or -1.
 */
int talk_addresses(const struct talk *talk, struct sockaddr_storage *own,
		   struct sockaddr_storage *peer)
{
	socklen_t own_len = sizeof(*own), peer_len = sizeof(*peer);

	if (getsockname(talk->fd, (struct sockaddr *)own, &own_len) ||
	    getpeername(talk->fd, (struct sockaddr *)peer, &peer_len))
		return trouble_errno("the addresses of the control connection");
	unmap(own);
	unmap(peer);
	return 0;
}

const char *talk_address_text(const struct sockaddr_storage *address, char *text)
{
	const struct sockaddr_in6 *six = (const void *)address;
	const struct sockaddr_in *four = (const void *)address;
	const void *bytes = &four->sin_addr;

	if (address->ss_family == AF_INET6)
		bytes = &six->sin6_addr;
	return inet_ntop(address->ss_family, bytes, text, TALK_ADDRESS);
}
