/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reap.h - what completions lead to.
 */
#ifndef FARMEM_REAP_H
#define FARMEM_REAP_H

struct farmem_queue;

/**
 * farmem_reap_completions() - handle completions that are there
 * @q: nobody may be destroying its CQ, see queue.c
 * @budget: how many at most
 *
 * Context: any up to softirq.  Return: how many there were.
 */
int farmem_reap_completions(struct farmem_queue *q, int budget);

#endif /* FARMEM_REAP_H */
