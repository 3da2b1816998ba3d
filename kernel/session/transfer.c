// SPDX-License-Identifier: GPL-2.0
/*
 * transfer.c - bytes of kernel memory to and from the server, waited for.
 */
#include <linux/sched.h>

#include "extent.h"
#include "post.h"
#include "queue-set.h"
#include "session.h"
#include "transfer.h"

struct transfer {
	struct farmem_session *session;
	struct farmem_extent extent;
	bool done;
	blk_status_t status;
};

static void transfer_done(struct farmem_request *req, blk_status_t status)
{
	struct transfer *t = req->private;
	struct farmem_session *s = t->session;

	t->status = status;
	smp_store_release(&t->done, true);
	wake_up(&s->wait);
}

static const struct farmem_request_ops transfer_ops = { .done = transfer_done };

static void transfer_local(void *there, struct page *page, u32 bytes, enum farmem_op op)
{
	if (op == FARMEM_OP_READ)
		memcpy(page_address(page), there, bytes);
	else
		memcpy(there, page_address(page), bytes);
}

int farmem_transfer_bytes(struct farmem_session *s, enum farmem_op op,
			  u64 remote_addr, u32 rkey, struct page *page,
			  u32 bytes)
{
	struct transfer t = {
		.session = s,
		.extent = { .addr = remote_addr, .rkey = rkey },
	};
	struct farmem_request *req;
	int err;

	lockdep_assert_held(&s->lock);
	if (s->local) {
		transfer_local((void *)(uintptr_t)remote_addr, page, bytes, op);
		return 0;
	}
	req = farmem_request_alloc(s->requests, GFP_NOIO);
	req->op = op;
	req->data.page = page;
	req->bytes = bytes;
	req->extent = &t.extent;
	req->within = 0;
	req->ops = &transfer_ops;
	req->target = &farmem_target_ready;
	req->private = &t;
	farmem_post_request(farmem_session_queue(s, op == FARMEM_OP_READ ?
						 FARMEM_QUEUE_READ :
						 FARMEM_QUEUE_WRITE), req);

	/* Not killable: giving up means to fence the session, for everybody. */
	if (!wait_event_timeout(s->wait, smp_load_acquire(&t.done) ||
				READ_ONCE(s->abort_error),
				max((long)(s->deadline - jiffies), 1L)))
		farmem_session_fail(s, -ETIMEDOUT,
				    "a transfer was not answered in time");
	if (!smp_load_acquire(&t.done)) {
		/* The page and t are still the device's. */
		err = s->abort_error;
		farmem_queues_down(s);
		return err;
	}
	return blk_status_to_errno(t.status);
}
