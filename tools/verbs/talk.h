/* SPDX-License-Identifier: GPL-2.0 */
/*
 * talk.h - the control connection: lines of text over TCP.
 *
 * RDMA needs to be told where to go before it goes anywhere.  What the ends must
 * agree on travels as lines, which tcpdump shows.  The run comes first, then
 * queue pair numbers, addresses and keys, then when a round begins and ends.
 */
#ifndef VERBS_TALK_H
#define VERBS_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "report.h"

#define TALK_LINE 2048
#define TALK_ADDRESS 64

/**
 * struct talk - one end of a control connection
 * @fd: the socket
 * @timeout: seconds that the other end has for a line
 * @used: bytes in @buffer that no line was made of yet
 * @buffer: what has arrived and is in no line yet
 * @line: the line read last
 */
struct talk {
	int fd;
	unsigned int timeout;
	size_t used;
	char buffer[TALK_LINE];
	char line[TALK_LINE];
};

int talk_listen(const char *address, unsigned int port);
int talk_connect(struct talk *talk, const char *host, unsigned int port, unsigned int seconds);
int talk_send(struct talk *talk, const char *fmt, ...) PRINTF_LIKE(2);
char *talk_receive(struct talk *talk);
char *talk_expect(struct talk *talk, const char *word);
char *talk_await(struct talk *talk);
char *talk_await_word(struct talk *talk, const char *word);
char *talk_after(char *line, const char *word);
int talk_give_up(struct talk *talk);
bool talk_ended(const struct talk *talk);
bool talk_pending(const struct talk *talk);
void talk_watch(const struct talk *talk);
void talk_close(struct talk *talk);
int talk_addresses(const struct talk *talk, struct sockaddr_storage *own,
		   struct sockaddr_storage *peer);
const char *talk_address_text(const struct sockaddr_storage *address, char *text);

#endif
