// SPDX-License-Identifier: GPL-2.0
/*
 * The server is told by each client what the run is, so it is started without options.
 * Each client has a process of its own: a run that fails takes nothing with it, and
 * several processes of one client run at once.
 */
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data.h"
#include "mode.h"
#include "round.h"
#include "session.h"
#include "talk.h"
#include "trouble.h"
#include "work.h"

#define CLIENTS_MAX 64

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

/* What the run is.  A client that says "bye" at once has only looked for a server. */
static char *hear_line(struct talk *talk, bool *visit)
{
	char *line = talk_receive(talk);

	*visit = line && !strcmp(line, "bye");
	return *visit ? NULL : talk_after(line, "run");
}

/* The client's words decide; device, port and GID are the server's own. */
static int hear_run(struct talk *talk, const struct options *own, struct options *run,
		    bool *visit)
{
	char *line = hear_line(talk, visit);
	const char *why;

	if (!line)
		return -1;
	if (options_read(run, line))
		return trouble_release("the run is not understood");
	options_settle(run);
	why = mode_refusal(run);
	if (why)
		return trouble("%s", why);
	if (run->setup == SETUP_HAND) {
		run->device = own->device;
		run->ib_port = own->ib_port;
		run->gid_index = own->gid_index;
	}
	talk->timeout = run->timeout + 5;	/* the client's is over first, and says more */
	return talk_send(talk, "ok");
}

static int serve_round(struct session *session, struct round *round)
{
	if (mode_is_read(session->options) && !mode_is_atomic(session->options))
		data_fill_target(session, round);
	if (session->options->op == OP_WRITE)
		data_unmark(session, round);
	if (talk_send(session->talk, "go") || latency_server(session, round) ||
	    !talk_await_word(session->talk, "stream"))
		return -1;
	latency_check(session, round);
	if (talk_send(session->talk, "go") || stream_server(session, round))
		return -1;
	return talk_send(session->talk, "result good=%llu bad=%llu lost=%llu",
			 (unsigned long long)round->good, (unsigned long long)round->bad,
			 (unsigned long long)round->lost);
}

/*
 * "round SIZE" again and again, then "bye".  While the client is at work alone, as with
 * READs, or with other processes of its own, it says nothing.
 */
static int serve_rounds(struct session *session)
{
	struct round round = { 0 };
	char *line;

	while ((line = talk_await(session->talk))) {
		if (!strcmp(line, "bye"))
			return 0;
		if (sscanf(line, "round %u", &round.size) != 1 || !round.size ||
		    round.size > options_largest(session->options))
			return trouble_release("the client said \"%.60s\"", line);
		round.number++;
		round.good = round.bad = round.lost = 0;
		if (serve_round(session, &round))
			return -1;
	}
	return -1;
}

/* The client closes its window, and looks whether it is closed; so does the server. */
static int serve_fault(struct session *session)
{
	if (session->options->show == SHOW_WINDOW) {
		if (!talk_await_word(session->talk, "close") ||
		    work_invalidate(session, &session->queues[0]) ||
		    talk_send(session->talk, "closed"))
			return -1;
	}
	return talk_await_word(session->talk, "bye") ? 0 : -1;
}

static int serve(struct session *session)
{
	if (session_open(session) || session_prepare(session) || session_connect(session))
		return -1;
	if (session->options->show)
		return serve_fault(session);
	return serve_rounds(session);
}

/* The life of a client's process. */
static int serve_client(int fd, const struct options *own)
{
	struct talk talk = { .fd = fd, .timeout = own->timeout };
	struct session *session = calloc(1, sizeof(*session));
	struct options run;
	bool visit = false;
	int rc = -1;

	/* A client that never says what the run is has none; its session is taken down, too. */
	options_init(&run);
	if (session) {
		session->options = &run;
		session->server = true;
		session->talk = &talk;
		talk_watch(&talk);
		rc = hear_run(&talk, own, &run, &visit);
		if (!rc)
			rc = serve(session);
		if (visit)
			rc = 0;
		else if (rc)
			talk_give_up(&talk);
		session_close(session);
	}
	free(session);
	talk_close(&talk);
	return rc ? RC_FAILURE : RC_OK;
}

static int reap(unsigned int *clients, int flags)
{
	int status, worst = RC_OK;

	while (*clients && waitpid(-1, &status, flags) > 0) {
		--*clients;
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			worst = RC_FAILURE;
	}
	return worst;
}

static int accept_client(int listener, const struct options *own)
{
	struct talk busy = { .timeout = 1 };
	int fd = accept(listener, NULL, NULL);
	pid_t pid = fd < 0 ? -1 : fork();

	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		close(listener);
		exit(serve_client(fd, own));
	}
	if (fd >= 0 && pid < 0) {
		busy.fd = fd;
		talk_send(&busy, "failed the server cannot start another process");
	}
	if (fd >= 0)
		close(fd);
	return pid < 0 ? -1 : 0;
}

static int listen_for(const struct options *options)
{
	struct sigaction action = { .sa_handler = stop };
	int listener = talk_listen(options->bind, options->port);

	if (listener < 0)
		return -1;
	/* Without SA_RESTART: they end poll(). */
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	printf("listening at %s port %u\n", options->bind ? options->bind : "all addresses",
	       options->port);
	fflush(stdout);
	return listener;
}

/**
 * server_main() - serve until a signal ends it, or one client with --once
 * @options: the command line
 *
 * Return: an exit code.
 */
int server_main(struct options *options)
{
	int listener = listen_for(options);
	struct pollfd look = { .fd = listener, .events = POLLIN };
	unsigned int clients = 0;
	bool served = false;
	int rc = RC_OK;

	if (listener < 0)
		return RC_FAILURE;
	while (!stopped && !(served && options->once)) {
		int ready = clients < CLIENTS_MAX ? poll(&look, 1, 200) : poll(NULL, 0, 200);

		if (ready == 1 && !accept_client(listener, options)) {
			clients++;
			served = true;
		}
		rc = reap(&clients, WNOHANG);
	}
	close(listener);
	if (!stopped && clients)
		rc = reap(&clients, 0);
	return options->once ? rc : RC_OK;
}
