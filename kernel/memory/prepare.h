/* SPDX-License-Identifier: GPL-2.0 */
/*
 * prepare.h - a request of memory that is gone, or was other memory once, on its way to
 * be posted.
 */
#ifndef FARMEM_PREPARE_H
#define FARMEM_PREPARE_H

#include "request.h"

/**
 * farmem_prepare_request() - a volume's ops->prepare
 * @req: about to be posted, perhaps again; its target is a struct farmem_memory's
 *
 * The request goes where its bytes are today.  A READ of lost pages is marked.  A WRITE,
 * perhaps from before an outage, sets state bytes that may not say data; it waits while
 * another request writes them.
 *
 * Context: up to softirq, under the queue's lock.
 */
enum farmem_posting farmem_prepare_request(struct farmem_request *req);

#endif /* FARMEM_PREPARE_H */
