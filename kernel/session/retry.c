// SPDX-License-Identifier: GPL-2.0
/*
 * retry.c - how an adapter is told to give up a peer that acknowledges nothing.
 */
#include <linux/errno.h>

#include "retry.h"
#include "text.h"

/* With fewer tries a network that loses packets would end sessions. */
#define COUNT_MIN 3
/* Seven would mean "for ever" to soft-RoCE. */
#define COUNT_MAX 6

/* 67 ms: less, and a link that is only busy would be asked again. */
#define ACK_TIMEOUT_MIN 14
#define ACK_TIMEOUT_MAX 21

int farmem_retry_parse_timeout(const char *text, unsigned int *ms)
{
	unsigned int value;

	if (farmem_text_parse_seconds(text, &value) || value < FARMEM_PEER_TIMEOUT_MIN ||
	    value > FARMEM_PEER_TIMEOUT_MAX)
		return -EINVAL;
	*ms = value;
	return 0;
}

struct farmem_retry farmem_retry_fit(unsigned int ms)
{
	struct farmem_retry retry = { .ack_timeout = ACK_TIMEOUT_MIN, .count = COUNT_MIN };

	/* 4 to 7 tries, then 4 that are twice as long. */
	while ((retry.count + 1) * (4096ull << retry.ack_timeout) < ms * 1000000ull) {
		if (retry.count < COUNT_MAX) {
			retry.count++;
		} else if (retry.ack_timeout < ACK_TIMEOUT_MAX) {
			retry.count = COUNT_MIN;
			retry.ack_timeout++;
		} else {
			break;
		}
	}
	return retry;
}
