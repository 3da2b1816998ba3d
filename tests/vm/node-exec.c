// SPDX-License-Identifier: GPL-2.0
/*
 * node-exec: runs commands on the other guest over the management link.
 *
 *   node-exec serve PORT              on the memory node, until told to quit
 *   node-exec run HOST PORT CMD...    output and status as if run here
 *   node-exec wait HOST PORT SECONDS  until the server answers
 *   node-exec quit HOST PORT
 *
 * One connection is one command: the client sends a length and NUL-terminated
 * strings (working directory, then argv; no strings at all mean "quit"), the
 * server answers with frames. The command is over when its process is, not
 * when its pipes close: a daemon left behind keeps nobody waiting. A client
 * that goes away hangs up on its command.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_MAX = 1 << 20, LOST = 255, QUIT = 42 };

/* What a frame carries. FRAME_EXIT's length is the status, nothing follows. */
enum frame_type { FRAME_OUT = 1, FRAME_ERR = 2, FRAME_EXIT = 3 };

struct frame {
	uint32_t type;
	uint32_t length;
};

/* By readv() or writev(), which alone of their kind take the same arguments. */
static int move_all(ssize_t (*move)(int, const struct iovec *, int), int fd,
		    const void *data, size_t length)
{
	struct iovec rest = { (void *)data, length };

	while (rest.iov_len) {
		ssize_t n = move(fd, &rest, 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		rest.iov_base = (char *)rest.iov_base + n;
		rest.iov_len -= n;
	}
	return 0;
}

static int write_all(int fd, const void *data, size_t length)
{
	return move_all(writev, fd, data, length);
}

static int read_all(int fd, void *data, size_t length)
{
	return move_all(readv, fd, data, length);
}

/* Sends what is in the pipe now; false when it has been closed. */
static int forward(int pipe, int conn, enum frame_type type)
{
	char buffer[4096];
	ssize_t n;

	while ((n = read(pipe, buffer, sizeof(buffer))) > 0) {
		struct frame frame = { type, n };

		if (write_all(conn, &frame, sizeof(frame)) ||
		    write_all(conn, buffer, n))
			return 0;
	}
	return n < 0 && errno == EAGAIN;
}

static void exec_command(char **argv, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);

	setsid();
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	if (chdir(argv[0]))
		warn("%s", argv[0]);
	execvp(argv[1], argv + 1);
	warn("%s", argv[1]);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Passes output on until the command is over; returns its status. */
static int attend(int conn, pid_t pid, int out, int err)
{
	struct pollfd fds[] = {
		{ .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN },
		{ .fd = conn, .events = POLLIN },
		{ .fd = out, .events = POLLIN },
		{ .fd = err, .events = POLLIN },
	};
	int status;

	while (!fds[0].revents) {
		if (poll(fds, 4, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents) {
			kill(-pid, SIGHUP);
			fds[1].fd = -1;
		}
		if (fds[2].revents && !forward(out, conn, FRAME_OUT))
			fds[2].fd = -1;
		if (fds[3].revents && !forward(err, conn, FRAME_ERR))
			fds[3].fd = -1;
	}
	forward(out, conn, FRAME_OUT);
	forward(err, conn, FRAME_ERR);
	if (waitpid(pid, &status, 0) < 0)
		return LOST;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int serve_command(int conn, char **argv)
{
	struct frame frame = { .type = FRAME_EXIT };
	int out[2], errs[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) || pipe2(errs, O_CLOEXEC))
		return LOST;
	pid = fork();
	if (pid == 0)
		exec_command(argv, out[1], errs[1]);
	close(out[1]);
	close(errs[1]);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(errs[0], F_SETFL, O_NONBLOCK);
	frame.length = pid < 0 ? LOST : attend(conn, pid, out[0], errs[0]);
	write_all(conn, &frame, sizeof(frame));
	return 0;
}

static int serve_connection(int conn)
{
	uint32_t length, argc = 0;
	char **argv, *request;

	if (read_all(conn, &length, sizeof(length)) || length > REQUEST_MAX)
		return 0;
	if (!length)
		return QUIT;
	request = calloc(1, length + 1);
	argv = calloc(length + 1, sizeof(*argv));
	if (!request || !argv || read_all(conn, request, length))
		return 0;
	for (char *at = request; at < request + length; at += strlen(at) + 1)
		argv[argc++] = at;
	return argc > 1 ? serve_command(conn, argv) : 0;
}

static int serve(const char *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_family = AF_INET,
				  .ai_flags = AI_PASSIVE }, *address;
	int fd, conn, one = 1, status;

	if (getaddrinfo(NULL, port, &hints, &address))
		errx(1, "bad port %s", port);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (fd < 0 || bind(fd, address->ai_addr, address->ai_addrlen) || listen(fd, 64))
		err(1, "port %s", port);
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		/* Reaps; a connection's process that says QUIT ends it all. */
		while (waitpid(-1, &status, WNOHANG) > 0)
			if (WIFEXITED(status) && WEXITSTATUS(status) == QUIT)
				return 0;
		struct pollfd listener = { .fd = fd, .events = POLLIN };

		if (poll(&listener, 1, 100) <= 0)
			continue;
		conn = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
		if (conn >= 0 && fork() == 0)
			_exit(serve_connection(conn));
		close(conn);
	}
}

static int dial(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *address;
	int fd;

	if (getaddrinfo(host, port, &hints, &address))
		errx(LOST, "no such node: %s", host);
	fd = socket(address->ai_family, SOCK_STREAM, 0);
	if (fd >= 0 && connect(fd, address->ai_addr, address->ai_addrlen)) {
		close(fd);
		fd = -1;
	}
	freeaddrinfo(address);
	return fd;
}

static int wait_for(const char *host, const char *port, int seconds)
{
	time_t end = time(NULL) + seconds;

	do {
		int fd = dial(host, port);

		if (fd >= 0)
			return 0;
		usleep(50000);
	} while (time(NULL) < end);
	warnx("%s does not answer", host);
	return 1;
}

static void send_request(int fd, char **argv)
{
	char *cwd = getcwd(NULL, 0);
	uint32_t length = strlen(cwd ? cwd : "/") + 1;

	for (char **arg = argv; *arg; arg++)
		length += strlen(*arg) + 1;
	if (length > REQUEST_MAX)
		errx(LOST, "the command is too long");
	write_all(fd, &length, sizeof(length));
	write_all(fd, cwd ? cwd : "/", strlen(cwd ? cwd : "/") + 1);
	for (; *argv; argv++)
		write_all(fd, *argv, strlen(*argv) + 1);
	free(cwd);
}

static int run(const char *host, const char *port, char **argv)
{
	int fd = dial(host, port);
	struct frame frame;
	char buffer[4096];

	if (fd < 0)
		err(LOST, "%s", host);
	send_request(fd, argv);
	while (!read_all(fd, &frame, sizeof(frame))) {
		if (frame.type == FRAME_EXIT)
			return frame.length;
		if (frame.length > sizeof(buffer) || read_all(fd, buffer, frame.length))
			break;
		write_all(frame.type == FRAME_ERR ? STDERR_FILENO : STDOUT_FILENO,
			  buffer, frame.length);
	}
	errx(LOST, "lost the connection to %s", host);
}

static int quit(const char *host, const char *port)
{
	uint32_t nothing = 0;
	int fd = dial(host, port);

	return fd < 0 || write_all(fd, &nothing, sizeof(nothing));
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (!strcmp(verb, "serve") && argc == 3)
		return serve(argv[2]);
	if (!strcmp(verb, "wait") && argc == 5)
		return wait_for(argv[2], argv[3], atoi(argv[4]));
	if (!strcmp(verb, "quit") && argc == 4)
		return quit(argv[2], argv[3]);
	if (!strcmp(verb, "run") && argc > 4)
		return run(argv[2], argv[3], argv + 4);
	errx(2, "usage: node-exec serve PORT | run HOST PORT CMD... | wait HOST PORT SECONDS | quit HOST PORT");
}
