// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - UNIX stream sockets: one line in, one line out.
 *
 * One is farmemctl's, the other answers status alone, to programs that may do no more.  Owns
 * the sockets, their locks and connections; report.c knows the answers.  All
 * is bounded: connections, bytes of a request, seconds that a connection lives.
 */
#include <errno.h>
#include <libgen.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "control.h"
#include "lock.h"
#include "log.h"
#include "report.h"
#include "server.h"

#define CONNECTIONS_MAX	16
#define REQUEST_MAX	4096
#define LIFE_USEC	10000000

/* One connection: reads up to a newline, then writes @answer, then ends. */
struct connection {
	LIST_ENTRY(connection) link;
	struct control *control;
	int fd;
	sd_event_source *io;
	sd_event_source *life;
	char request[REQUEST_MAX];
	size_t used;
	char *answer;
	size_t written;
	size_t length;
};

struct control {
	struct server *server;
	const char *path;
	bool shows;	/* answers status alone */
	int fd;
	int lock;	/* held as long as the path is ours */
	sd_event_source *source;
	LIST_HEAD(, connection) connections;
	unsigned int count;
};

static void control_connection_free(struct connection *connection)
{
	LIST_REMOVE(connection, link);
	connection->control->count--;
	sd_event_source_disable_unref(connection->io);
	sd_event_source_disable_unref(connection->life);
	close(connection->fd);
	free(connection->answer);
	free(connection);
}

static void control_write_answer(struct connection *connection)
{
	ssize_t ret;

	ret = send(connection->fd, connection->answer + connection->written,
		   connection->length - connection->written, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (ret < 0 && errno != EAGAIN) {
		control_connection_free(connection);
		return;
	}
	if (ret > 0)
		connection->written += ret;
	if (connection->written == connection->length)
		control_connection_free(connection);
	else
		sd_event_source_set_io_events(connection->io, EPOLLOUT);
}

static void control_read_request(struct connection *connection)
{
	size_t space = REQUEST_MAX - 1 - connection->used;
	ssize_t ret;
	char *end;

	ret = recv(connection->fd, connection->request + connection->used, space, MSG_DONTWAIT);
	if (ret < 0 && errno == EAGAIN)
		return;
	if (ret <= 0) {
		control_connection_free(connection);
		return;
	}
	connection->used += ret;
	end = memchr(connection->request, '\n', connection->used);
	if (!end && connection->used < REQUEST_MAX - 1)
		return;
	if (end)
		connection->answer = report_answer(connection->control->server, connection->control->shows,
						   connection->request, end - connection->request);
	else
		connection->answer = report_error("the request is too long");
	if (!connection->answer) {
		control_connection_free(connection);
		return;
	}
	connection->length = strlen(connection->answer);
	control_write_answer(connection);
}

static int control_on_io(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct connection *connection = data;

	(void)source;
	(void)fd;
	(void)events;
	if (connection->answer)
		control_write_answer(connection);
	else
		control_read_request(connection);
	return 0;
}

static int control_on_life(sd_event_source *source, uint64_t usec, void *data)
{
	(void)source;
	(void)usec;
	control_connection_free(data);
	return 0;
}

static void control_add(struct control *control, int fd)
{
	struct connection *connection = calloc(1, sizeof(*connection));
	sd_event *event = control->server->event;

	if (!connection) {
		close(fd);
		return;
	}
	connection->control = control;
	connection->fd = fd;
	LIST_INSERT_HEAD(&control->connections, connection, link);
	control->count++;
	if (sd_event_add_io(event, &connection->io, fd, EPOLLIN, control_on_io, connection) < 0 ||
	    sd_event_add_time_relative(event, &connection->life, CLOCK_MONOTONIC, LIFE_USEC, 0,
				       control_on_life, connection) < 0)
		control_connection_free(connection);
}

static int control_on_connect(sd_event_source *source, int listen_fd, uint32_t events, void *data)
{
	struct control *control = data;
	int fd;

	(void)source;
	(void)events;
	fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0)
		return 0;
	if (control->count >= CONNECTIONS_MAX)
		close(fd);
	else
		control_add(control, fd);
	return 0;
}

/*
 * Two that start at once could each clear the other's path away.  The file
 * stays: removing it would let a third lock another one of that name.
 */
static int control_lock_path(const char *path)
{
	char name[sizeof(((struct sockaddr_un *)NULL)->sun_path) + sizeof(".lock")];
	char what[sizeof("control socket ") + sizeof(name)];
	int fd, ret;

	if ((size_t)snprintf(name, sizeof(name), "%s.lock", path) >= sizeof(name))
		return -ENAMETOOLONG;
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	snprintf(what, sizeof(what), "control socket %s", path);
	ret = lock_wait(fd, what);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Is the path free, or left behind by a farmemd that is gone? */
static int control_clear_path(const struct sockaddr_un *addr)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;
	int ret;

	if (fd < 0)
		return -errno;
	ret = connect(fd, (struct sockaddr *)addr, sizeof(*addr)) ? -errno : 0;
	close(fd);
	/* A farmemd that is too busy to accept is there all the same. */
	if (!ret || ret == -EAGAIN || ret == -EINPROGRESS)
		return -EADDRINUSE;
	if (ret == -ECONNREFUSED && !stat(addr->sun_path, &st) && S_ISSOCK(st.st_mode))
		return unlink(addr->sun_path) ? -errno : 0;
	return ret == -ENOENT ? 0 : ret;
}

/* Its folder says which group may ask for the status: one with the set-group-ID bit gives its own. */
static int control_listen_on(const char *path, bool shows)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	mode_t mask;
	int fd, ret;

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	strcpy(addr.sun_path, path);
	ret = control_clear_path(&addr);
	if (ret)
		return ret;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	mask = umask(shows ? 0117 : 0177);
	ret = bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ? -errno : 0;
	umask(mask);
	if (!ret && listen(fd, CONNECTIONS_MAX))
		ret = -errno;
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}

/* /run/farmem, where no service manager has made it. */
static void control_make_folder(const char *path)
{
	char copy[sizeof(((struct sockaddr_un *)NULL)->sun_path)];

	if ((size_t)snprintf(copy, sizeof(copy), "%s", path) < sizeof(copy))
		mkdir(dirname(copy), 0755);
}

static int control_lock_and_listen(struct control *control)
{
	control_make_folder(control->path);
	control->lock = control_lock_path(control->path);
	if (control->lock < 0)
		return control->lock;
	control->fd = control_listen_on(control->path, control->shows);
	if (control->fd >= 0)
		return 0;
	close(control->lock);
	return control->fd;
}

static int control_serve(struct server *server, const char *path, bool shows,
			 struct control **served)
{
	struct control *control = calloc(1, sizeof(*control));
	int ret;

	if (!control)
		return -ENOMEM;
	LIST_INIT(&control->connections);
	control->server = server;
	control->path = path;
	control->shows = shows;
	ret = control_lock_and_listen(control);
	if (ret) {
		log_err("%s socket %s: %s%s", shows ? "status" : "control", path, strerror(-ret),
			ret != -EADDRINUSE ? "" : shows ? "; another farmemd uses it: give this one another --status-socket" :
			"; another farmemd uses it: give this one another --control");
		free(control);
		return ret;
	}
	*served = control;
	ret = sd_event_add_io(server->event, &control->source, control->fd, EPOLLIN,
			      control_on_connect, control);
	return ret < 0 ? ret : 0;
}

int control_open(struct server *server)
{
	int ret = control_serve(server, server->opt.control, false, &server->control);

	if (ret || !server->opt.status_socket)
		return ret;
	return control_serve(server, server->opt.status_socket, true, &server->status_socket);
}

static void control_end(struct control **served)
{
	struct control *control = *served;
	struct connection *connection;

	if (!control)
		return;
	while ((connection = LIST_FIRST(&control->connections)))
		control_connection_free(connection);
	sd_event_source_disable_unref(control->source);
	close(control->fd);
	unlink(control->path);
	close(control->lock);
	free(control);
	*served = NULL;
}

void control_close(struct server *server)
{
	control_end(&server->status_socket);
	control_end(&server->control);
}
