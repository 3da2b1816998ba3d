// SPDX-License-Identifier: GPL-2.0
/*
 * A reader that has seen an error once, on purpose and with its explanation, knows the
 * error when it comes by itself.  Each fault here is one work request that the queue pair does not
 * survive.
 */
#include "show.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>

#include "cm.h"
#include "explain-command.h"
#include "mode.h"
#include "session.h"
#include "trouble.h"
#include "wait.h"
#include "work.h"

#define JSON_VERSION 1

/* What is done, for people. */
static const char *const deeds[] = {
	[SHOW_RKEY] = "a WRITE with a key that is not the server's",
	[SHOW_LKEY] = "a WRITE from memory with a key that is not this process's",
	[SHOW_BOUNDS] = "a WRITE to an address beyond the server's memory",
	[SHOW_RNR] = "a SEND to a queue that has no receive posted",
	[SHOW_LENGTH] = "a SEND that is longer than the receive posted for it",
	[SHOW_RETRY] = "a WRITE to a queue pair that is gone",
	[SHOW_REJECTED] = "a connection that the server refuses",
	[SHOW_WINDOW] = "a WRITE through a memory window that was closed",
};

static int report_json(const struct session *session, enum explain_kind kind, int number,
		       unsigned int vendor)
{
	const struct explain *entry = explain_find(kind, number);
	json_t *shown = json_pack("{s:s, s:s, s:i, s:s*, s:i, s:s*, s:s*, s:s*}",
				  "deed", deeds[session->options->show],
				  "kind", explain_kind_name(kind), "number", number,
				  "name", entry ? entry->name : NULL, "vendor_err", (int)vendor,
				  "means", entry ? entry->means : NULL,
				  "causes", entry ? entry->causes : NULL,
				  "check", entry ? entry->check : NULL);
	json_t *all = json_pack("{s:i, s:o*}", "version", JSON_VERSION, "show", shown);
	bool told = all && shown && !json_dumpf(all, stdout, JSON_INDENT(3));

	json_decref(all);
	/* A disk that is full is flush_output()'s to tell. */
	if (!told && !ferror(stdout))
		return trouble("out of memory");
	printf("\n");
	return 0;
}

/* @vendor: what the adapter's maker has to say about a completion; 0: nothing */
static int report(const struct session *session, enum explain_kind kind, int number,
		  unsigned int vendor)
{
	const struct explain *entry = explain_find(kind, number);

	if (session->options->json)
		return report_json(session, kind, number, vendor);
	printf("%s: %s (%d)\n", deeds[session->options->show], entry ? entry->name : "?", number);
	if (vendor)
		printf("  vendor_err: 0x%x\n", vendor);
	trouble_show(kind, number, stdout);
	return 0;
}

static void prepare(struct session *session, struct queue *queue, struct ibv_send_wr *wr,
		    struct ibv_sge *sge)
{
	const struct memory *memory = &session->memory;
	uint64_t all = (uint64_t)queue->peer_stride * memory->slots;

	memory_pieces(memory, AREA_OUT, queue->index, 0, session->options->size, 1, sge);
	switch (session->options->show) {
	case SHOW_RKEY:
		/* Above its last byte a key is the number of a registration. */
		wr->wr.rdma.rkey ^= 0xaa0000;
		break;
	case SHOW_LKEY:
		sge->lkey ^= 0xaa0000;
		break;
	case SHOW_BOUNDS:
		/* All queues' targets end their registration, which ends with a page. */
		wr->wr.rdma.remote_addr += all * session->options->queues + 4096;
		break;
	case SHOW_RNR:
	case SHOW_LENGTH:
		wr->opcode = IBV_WR_SEND;
		break;
	}
}

static int post_wrong(struct session *session, struct queue *queue)
{
	struct ibv_sge sge;
	struct ibv_send_wr *bad, wr = {
		.wr_id = ++queue->posted,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma = { .remote_addr = queue->peer_addr, .rkey = queue->peer_rkey },
	};

	prepare(session, queue, &wr, &sge);
	errno = ibv_post_send(queue->qp, &wr, &bad);
	return errno ? trouble_verbs("posting to the send queue") : 0;
}

/* The window works; then the server closes it. */
static int close_window(struct session *session, struct queue *queue)
{
	if (post_wrong(session, queue) || wait_done(session, queue) ||
	    talk_send(session->talk, "close") || !talk_expect(session->talk, "closed"))
		return -1;
	return 0;
}

/**
 * show_fits() - is that what comes of a fault, or has something else failed?
 * @fault: SHOW_...
 * @status: of the completion
 *
 * Adapters differ in what they make of a fault.  But that nobody has answered is always
 * the link's, or the other end's, and not what was to be shown; unless it was just that.
 */
bool show_fits(unsigned int fault, enum ibv_wc_status status)
{
	return (status == IBV_WC_RETRY_EXC_ERR) == (fault == SHOW_RETRY);
}

static int report_completion(struct session *session)
{
	unsigned int fault = session->options->show;
	const struct ibv_wc *wc = &session->error;

	if (show_fits(fault, wc->status))
		return report(session, EXPLAIN_WC, wc->status, wc->vendor_err);
	return trouble_explain(EXPLAIN_WC, wc->status, "%s had another result than expected", deeds[fault]);
}

/**
 * show_fault() - do it wrong, and explain what comes of it
 * @session: connected
 *
 * Return: 0, or -1 if no error came, or none could.
 */
int show_fault(struct session *session)
{
	struct queue *queue = &session->queues[0];

	wait_begin(session);
	if (session->options->show == SHOW_WINDOW && close_window(session, queue))
		return -1;
	if (session->options->show == SHOW_RETRY && !talk_expect(session->talk, "gone"))
		return -1;
	session->expects_error = true;
	if (post_wrong(session, queue))
		return -1;
	while (queue->done != queue->posted)
		if (wait_step(session)) {
			session->expects_error = false;
			return session->failed ? report_completion(session) : -1;
		}
	return trouble("%s succeeded, but should have failed", deeds[session->options->show]);
}

/**
 * show_rejected() - ask for a connection that is refused, and explain
 * @session: prepared
 *
 * Return: 0, or -1 if no such event came.
 */
int show_rejected(struct session *session)
{
	int event = cm_provoke(session);

	if (event < 0)
		return -1;
	if (event == RDMA_CM_EVENT_REJECTED)
		return report(session, EXPLAIN_CM, event, 0);
	return trouble_explain(EXPLAIN_CM, event, "%s had another result than expected", deeds[SHOW_REJECTED]);
}
