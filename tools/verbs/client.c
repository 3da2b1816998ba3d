// SPDX-License-Identifier: GPL-2.0
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cm.h"
#include "order.h"
#include "round.h"
#include "show.h"
#include "trouble.h"

/**
 * client_new() - a client that nothing was done with yet
 * @options: of the run
 * @process: its number, from 0
 *
 * Return: it, to free; NULL: out of memory, which was said.
 */
struct client *client_new(const struct options *options, unsigned int process)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!client) {
		trouble("out of memory");
		return NULL;
	}
	client->options = *options;
	client->options.seed += process;
	client->process = process;
	client->talk.fd = -1;
	client->talk.timeout = options->timeout + 5;
	client->session.options = &client->options;
	client->session.talk = &client->talk;
	return client;
}

static int tell_run(struct client *client)
{
	char line[TALK_LINE - 8];

	options_write(&client->options, line, sizeof(line));
	if (talk_send(&client->talk, "run %s", line))
		return -1;
	return talk_expect(&client->talk, "ok") ? 0 : -1;
}

/**
 * client_begin() - find the server, tell it what the run is, prepare
 * @client: new
 *
 * Return: 0 or -1.
 */
int client_begin(struct client *client)
{
	const struct options *options = &client->options;
	struct session *session = &client->session;

	if (options->setup == SETUP_CM && cm_find(session, options->server))
		return -1;
	if (talk_connect(&client->talk, options->server, options->port, options->connect_timeout))
		return -1;
	if (tell_run(client) || session_open(session) || session_prepare(session))
		return -1;
	return 0;
}

static int hear_result(struct client *client, struct round *round)
{
	char *line = talk_expect(&client->talk, "result");
	unsigned long long good, bad, lost;

	if (!line)
		return -1;
	if (sscanf(line, "good=%llu bad=%llu lost=%llu", &good, &bad, &lost) != 3)
		return trouble_release("the server's result is not understood: %s", line);
	round->good += good;
	round->lost += lost;
	if (bad) {
		trouble("the server found %llu messages with wrong data", bad);
		data_advise();
	}
	round->bad += bad;
	return 0;
}

static void keep(struct client *client, struct round *round, struct figures *figures)
{
	const struct device *device = &client->session.device;
	struct row *row = &client->rows[client->count++];

	row->options = client->options;
	row->process = client->process;
	snprintf(row->device, sizeof(row->device), "%s", device->name);
	device_gid_text(&device->gid, row->gid);
	row->gid_index = device->gid_index;
	row->mtu = device_mtu(device);
	row->inline_max = client->session.inline_max;
	row->reads = client->session.peer_reads;
	row->depth = client->session.force.max_rd_atomic;
	row->retries = client->session.force.retry_cnt;
	row->rnr_retries = client->session.force.rnr_retry;
	row->size = round->size;
	row->rounds = round->number;
	row->figures = *figures;
	row->good = round->good;
	row->bad = round->bad;
	row->lost = round->lost;
}

static int run_round(struct client *client, struct round *round)
{
	struct session *session = &client->session;
	struct figures figures = { 0 };

	round->number++;
	round->good = round->bad = round->lost = 0;
	if (client->options.op == OP_WRITE)
		data_unmark(session, round);
	if (talk_send(&client->talk, "round %u", round->size) ||
	    !talk_expect(&client->talk, "go") || latency_client(session, round, &figures) ||
	    talk_send(&client->talk, "stream") || !talk_expect(&client->talk, "go") ||
	    stream_client(session, round, &figures) || hear_result(client, round))
		return -1;
	keep(client, round, &figures);
	return round->bad ? -1 : 0;
}

static void show_progress(const struct client *client, unsigned int size)
{
	if (isatty(STDERR_FILENO) && client->options.size == SIZE_ALL && !client->process)
		fprintf(stderr, "\r%u bytes ... \r", size);
}

static int run_sizes(struct client *client)
{
	const struct options *options = &client->options;
	struct round round = { 0 };
	unsigned int most = options_largest(options);

	/* A datagram is one packet, at both ends. */
	if (options->transport == TRANSPORT_UD)
		most = smaller(most, smaller(device_mtu(&client->session.device),
					     client->session.peer_mtu));
	round.size = options->size == SIZE_ALL ? 1 : options->size;
	for (; round.size <= most; round.size *= 2) {
		show_progress(client, round.size);
		if (run_round(client, &round))
			return -1;
		if (options->size != SIZE_ALL)
			break;
	}
	return 0;
}

/**
 * client_go() - connect, and do what the run is about
 * @client: begun
 *
 * Return: 0 or -1.
 */
int client_go(struct client *client)
{
	if (client->options.show == SHOW_REJECTED)
		return show_rejected(&client->session);
	if (session_connect(&client->session))
		return -1;
	if (client->options.show)
		return show_fault(&client->session);
	if (client->options.order)
		return order_run(&client->session);
	return run_sizes(client);
}

/**
 * client_end() - take leave and everything down
 * @client: in any state; freed
 * @rc: what it came to, which the server is told
 *
 * Return: @rc.
 */
int client_end(struct client *client, int rc)
{
	if (client->talk.fd >= 0 && rc)
		talk_give_up(&client->talk);
	else if (client->talk.fd >= 0)
		talk_send(&client->talk, "bye");
	session_close(&client->session);
	talk_close(&client->talk);
	free(client);
	return rc;
}
