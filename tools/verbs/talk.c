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

/* Of a connection on which nothing is said: so many seconds, then so often, so many times. */
#define KEEP_IDLE 5
#define KEEP_INTERVAL 5
#define KEEP_COUNT 3

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

/* A socket at an address; -1: errno says why not. */
static int listen_at(const struct addrinfo *found)
{
	int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int yes = 1, no = 0, error;

	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		if (found->ai_family == AF_INET6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	}
	if (fd < 0 || (!bind(fd, found->ai_addr, found->ai_addrlen) && !listen(fd, 64)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static int look_up_and_listen(const char *address, unsigned int port)
{
	struct addrinfo *found = look_up(address, port, AI_PASSIVE);
	int fd, error;

	if (!found) {
		errno = 0;
		return -1;
	}
	fd = listen_at(found);
	error = errno;
	freeaddrinfo(found);
	errno = error;
	return fd;
}

/**
 * talk_listen() - a socket that takes control connections
 * @address: to listen at; NULL: all, IPv6 and IPv4, or IPv4 alone where IPv6 is off
 * @port: TCP port
 *
 * Return: the socket, or -1.
 */
int talk_listen(const char *address, unsigned int port)
{
	int fd = look_up_and_listen(address ? address : "::", port);

	if (fd < 0 && !address && errno == EAFNOSUPPORT)
		fd = look_up_and_listen("0.0.0.0", port);
	if (fd >= 0 || !errno)
		return fd;
	trouble_errno("listening at %s port %u", address ? address : "all addresses", port);
	if (errno == EADDRINUSE)
		trouble_advice("use another --port N, here and at the client");
	return -1;
}

/**
 * talk_watch() - have TCP find out when the other end's host is gone
 * @talk: the connection
 *
 * A program that ends closes its end. A host that loses its power says nothing, and a
 * program that waits without a limit would never know.
 */
void talk_watch(const struct talk *talk)
{
	const int yes = 1, idle = KEEP_IDLE, interval = KEEP_INTERVAL, count = KEEP_COUNT;
	const int unacknowledged = (KEEP_IDLE + KEEP_INTERVAL * KEEP_COUNT) * 1000;

	setsockopt(talk->fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
	setsockopt(talk->fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(talk->fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	setsockopt(talk->fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
	setsockopt(talk->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged,
		   sizeof(unacknowledged));
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

/* A name may have several addresses: each has its share of the time that is left. */
static int attempt_each(const struct addrinfo *to, uint64_t end)
{
	const struct addrinfo *next;
	unsigned int left = 0;
	int fd = -1;

	for (next = to; next; next = next->ai_next)
		left++;
	for (; to && fd < 0; to = to->ai_next, left--) {
		uint64_t now = measure_now();

		fd = attempt(to, now < end ? (end - now) / left / 1000000 + 1 : 1);
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

static int trouble_gone(const char *what)
{
	trouble("%s", what);
	trouble_advice("read the standard error of the other end; is its host up?");
	return -1;
}

/* Wait for bytes; with @end 0 as long as it takes. */
static int await_bytes(struct talk *talk, uint64_t end)
{
	struct pollfd look = { .fd = talk->fd, .events = POLLIN };
	uint64_t now = measure_now();

	if (!end)
		return poll(&look, 1, -1) == 1 || errno == EINTR
			       ? 0 : trouble_errno("waiting for the other end");
	if (now < end && poll(&look, 1, (end - now) / 1000000 + 1) == 1)
		return 0;
	trouble("the other end was silent for %u s", talk->timeout);
	trouble_advice("the other end's standard error says what it waits for; a larger --timeout waits longer");
	return -1;
}

static int read_bytes(struct talk *talk)
{
	ssize_t got;

	if (talk->used == sizeof(talk->buffer))
		return trouble_release("the other end sent a line that is too long");
	got = recv(talk->fd, talk->buffer + talk->used, sizeof(talk->buffer) - talk->used,
		   MSG_DONTWAIT);
	if (got > 0)
		talk->used += got;
	else if (!got || (errno != EAGAIN && errno != EINTR))
		return trouble_gone("the other end is gone: it ended, or the network failed");
	return 0;
}

/* The other end's last word is said here, too, and counts as what it was there. */
static char *next_line(struct talk *talk, uint64_t end)
{
	char *line;

	while (!(line = cut_line(talk))) {
		if (talk->used < sizeof(talk->buffer) && await_bytes(talk, end))
			return NULL;
		if (read_bytes(talk))
			return NULL;
	}
	if (!strncmp(line, "failed ", 7))
		trouble("the other end: %s", line + 7);
	else if (!strncmp(line, "refused ", 8))
		trouble_refuse("the other end: %s", line + 8);
	else
		return line;
	return NULL;
}

/* It takes no more lines, and may have said why: that is the last thing to be read. */
static int hear_end(struct talk *talk)
{
	uint64_t end = measure_now() + talk->timeout * 1000000000ull;

	while (next_line(talk, end))
		;
	return -1;
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
		if (errno != EAGAIN)
			return *trouble_first() ? -1 : hear_end(talk);
		if (poll(&look, 1, talk->timeout * 1000) != 1)
			return trouble_gone("the other end reads nothing: it hangs, or the network failed");
	}
	return 0;
}

/**
 * talk_receive() - the next line, which the other end has talk->timeout for
 * @talk: the connection
 *
 * A line "failed REASON" or "refused REASON" is the other end's last word.
 *
 * Return: the line without its newline, valid until the next; NULL: there was trouble.
 */
char *talk_receive(struct talk *talk)
{
	return next_line(talk, measure_now() + talk->timeout * 1000000000ull);
}

/**
 * talk_await() - the next line, however long it takes
 * @talk: the connection, after talk_watch()
 *
 * For an end that has nothing to do while the other end works.  The other end says nothing
 * then, and ends by itself when it makes no progress.
 *
 * Return: as talk_receive().
 */
char *talk_await(struct talk *talk)
{
	return next_line(talk, 0);
}

/**
 * talk_after() - what follows a word and a blank in a line that must begin with it
 * @line: from talk_receive(), or NULL
 * @word: the word
 *
 * Return: the rest; NULL: there was trouble.
 */
char *talk_after(char *line, const char *word)
{
	size_t len = strlen(word);

	if (!line)
		return NULL;
	if (!strncmp(line, word, len) && (line[len] == ' ' || !line[len]))
		return line + len + !!line[len];
	trouble_release("the other end said \"%.60s\" where \"%s\" was expected", line, word);
	return NULL;
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
	return talk_after(talk_receive(talk), word);
}

/**
 * talk_await_word() - talk_expect(), however long it takes
 * @talk: the connection
 * @word: that begins the line
 */
char *talk_await_word(struct talk *talk, const char *word)
{
	return talk_after(talk_await(talk), word);
}

/**
 * talk_give_up() - this end's last word: why it ends, and whether a device refused
 * @talk: the connection
 *
 * Return: 0 or -1.
 */
int talk_give_up(struct talk *talk)
{
	return talk_send(talk, "%s %s", trouble_exit(-1) == RC_REFUSED ? "refused" : "failed",
			 trouble_first());
}

/**
 * talk_ended() - is the next that the other end says its last word, or has it gone without one?
 * @talk: the connection
 */
bool talk_ended(const struct talk *talk)
{
	enum { WORD = sizeof("refused") - 1 };
	size_t have = talk->used < WORD ? talk->used : WORD;
	char text[2 * WORD + 1] = "";
	ssize_t got;

	memcpy(text, talk->buffer, have);
	got = recv(talk->fd, text + have, WORD, MSG_PEEK | MSG_DONTWAIT);
	if (!strncmp(text, "failed", 6) || !strncmp(text, "refused", 7))
		return true;
	/* What it has said before it went is to be read first. */
	return (!got || (got < 0 && errno != EAGAIN)) &&
	       !memchr(talk->buffer, '\n', talk->used);
}

/**
 * talk_pending() - has the other end said something, or gone?
 * @talk: the connection
 */
bool talk_pending(const struct talk *talk)
{
	struct pollfd look = { .fd = talk->fd, .events = POLLIN };

	return talk->used || poll(&look, 1, 0) == 1;
}

/**
 * talk_close() - end the connection
 * @talk: connected or not
 */
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

/**
 * talk_address_text() - an IP address in digits
 * @address: of IPv4 or IPv6
 * @text: gets it, TALK_ADDRESS bytes
 *
 * Return: @text.
 */
const char *talk_address_text(const struct sockaddr_storage *address, char *text)
{
	const struct sockaddr_in6 *six = (const void *)address;
	const struct sockaddr_in *four = (const void *)address;
	const void *bytes = &four->sin_addr;

	if (address->ss_family == AF_INET6)
		bytes = &six->sin6_addr;
	return inet_ntop(address->ss_family, bytes, text, TALK_ADDRESS);
}
