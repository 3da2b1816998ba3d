/* SPDX-License-Identifier: GPL-2.0 */
/*
 * retry.h - how an adapter is told to give up a peer that acknowledges nothing.
 */
#ifndef FARMEM_RETRY_H
#define FARMEM_RETRY_H

#include <linux/types.h>

/* What peer_timeout= may be, in milliseconds. */
#define FARMEM_PEER_TIMEOUT_MIN 250
#define FARMEM_PEER_TIMEOUT_DEFAULT 7000
#define FARMEM_PEER_TIMEOUT_MAX 60000

/** farmem_retry_parse_timeout() - seconds as text, within those.  Return: 0 or -EINVAL. */
int farmem_retry_parse_timeout(const char *text, unsigned int *ms);

/**
 * struct farmem_retry - what a queue pair is told
 * @ack_timeout: a try waits 4.096 us << so much for its acknowledgment
 * @count: tries after the first
 */
struct farmem_retry {
	u8 ack_timeout;
	u8 count;
};

/**
 * farmem_retry_fit() - the least that takes no less than a time
 * @ms: FARMEM_PEER_TIMEOUT_MIN to _MAX
 *
 * All tries together take @ms, or up to a quarter more.  An adapter may take up to four
 * times that (InfiniBand Architecture Specification, volume 1, 9.7.6.1.3).
 */
struct farmem_retry farmem_retry_fit(unsigned int ms);

#endif /* FARMEM_RETRY_H */
