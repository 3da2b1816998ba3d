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
 * It goes where its bytes are today.  A READ of pages that are lost is marked.  A WRITE,
 * perhaps of before an outage, says in their state bytes that they hold data, if they
 * might say something else; while another writes them, it waits for that.
 *
 * Context: up to softirq, under the queue's lock.
 */
enum farmem_posting farmem_prepare_request(struct farmem_request *req);

#endif /* FARMEM_PREPARE_H */
