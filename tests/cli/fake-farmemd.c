// SPDX-License-Identifier: GPL-2.0
/*
 * fake-farmemd.c - a control socket that answers from files.
 *
 * fake-farmemd SOCKET DIRECTORY: for each connection reads one line, appends it
 * to DIRECTORY/requests and sends back DIRECTORY/VERB (as one line).  Ends with
 * its standard input, so that no test leaves one behind.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void answer(FILE *stream, const char *directory, const char *verb)
{
	char path[4096];
	FILE *file;
	int c;

	snprintf(path, sizeof(path), "%s/%s", directory, verb);
	file = fopen(path, "r");
	if (!file)
		return;
	while ((c = fgetc(file)) != EOF)
		if (c != '\n')
			fputc(c, stream);
	fputc('\n', stream);
	fclose(file);
}

static void serve(int fd, const char *directory)
{
	char line[4096], path[4096], verb[64] = "";
	FILE *stream = fdopen(fd, "r+");
	const char *at;
	FILE *log;

	if (!stream)
		return;
	if (fgets(line, sizeof(line), stream)) {
		snprintf(path, sizeof(path), "%s/requests", directory);
		log = fopen(path, "a");
		if (log) {
			fputs(line, log);
			fclose(log);
		}
		at = strstr(line, "\"verb\":\"");
		if (at)
			sscanf(at + 8, "%63[a-z]", verb);
		fseek(stream, 0, SEEK_CUR);
		answer(stream, directory, verb);
	}
	fclose(stream);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char unseen[sizeof(address.sun_path) + 8];
	struct pollfd fds[2] = { { .fd = 0, .events = POLLIN }, { .events = POLLIN } };

	if (argc != 3)
		return 2;
	/* A test goes on when it sees the socket: by then it is listened to. */
	snprintf(unseen, sizeof(unseen), "%s.new", argv[1]);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", unseen);
	fds[1].fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(fds[1].fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fds[1].fd, 8) || rename(unseen, argv[1]))
		return 1;
	while (poll(fds, 2, -1) > 0 && !fds[0].revents)
		serve(accept(fds[1].fd, NULL, NULL), argv[2]);
	return 0;
}
