/* SPDX-License-Identifier: GPL-2.0 */
/*
 * batch.h - requests gathered under a block plug.
 */
#ifndef FARMEM_BATCH_H
#define FARMEM_BATCH_H

#include <linux/types.h>

struct farmem_queue;
struct farmem_request;

/**
 * farmem_batch_add() - post a request when this task unplugs
 * @q: as for farmem_post_request()
 * @req: that nobody polls for
 *
 * Context: process.
 * Return: false if the task has no plug: post it at once.
 */
bool farmem_batch_add(struct farmem_queue *q, struct farmem_request *req);

#endif /* FARMEM_BATCH_H */
