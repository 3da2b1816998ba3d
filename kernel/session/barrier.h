/* SPDX-License-Identifier: GPL-2.0 */
/*
 * barrier.h - proof for the server that nothing is under way to memory given up.
 */
#ifndef FARMEM_BARRIER_H
#define FARMEM_BARRIER_H

#include <linux/types.h>

struct farmem_session;

/**
 * farmem_barrier_say() - say a token of the server's, once on each queue
 * @s: live, or about to end
 * @token: of the status page; 0: the server asks for nothing
 *
 * What cannot be sent now is sent by the next call with this token.
 * Context: up to softirq; no queue's lock held.
 */
void farmem_barrier_say(struct farmem_session *s, u32 token);

#endif /* FARMEM_BARRIER_H */
