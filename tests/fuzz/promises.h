/* SPDX-License-Identifier: GPL-2.0 */
/* promises.h - what a server owes its clients, whatever they do */
#ifndef PROMISES_H
#define PROMISES_H

#include "bed.h"

#define CLIENTS		4
#define SLAB		4096u
#define SLABS		24
#define SLABS_MANY	260	/* every second one is not to be had: a GRANT of two parts */

struct ibv_qp;
struct session;

/**
 * struct bed - the server, and what is known about it from outside
 * @identity: of the clients; a client's bytes are its index + 1
 * @slabs: of the pool
 * @written: the slab holds what the client wrote that has it
 * @touched: the slab is not all zeros, perhaps
 * @continued: a client, by its tag, and a volume, by its UUID's first byte: it asked
 *	to go on with it
 * @asked: requests that the server took
 * @answered: its answers
 * @slow: the connector and the fencer do nothing before they are told to
 */
extern struct bed {
	struct server server;
	uint8_t identity[CLIENTS][FARMEM_ID_LEN];
	uint32_t slabs;
	bool written[SLABS_MANY];
	bool touched[SLABS_MANY];
	bool continued[CLIENTS + 2][256];
	uint32_t asked;
	uint32_t answered;
	bool slow;
} bed;

/* promises_tag() - what a client's bytes are; 0: nobody's */
uint8_t promises_tag(const struct client *client);

/* promises_tag_of() - the same of an identity, of a session that is nobody's yet too */
uint8_t promises_tag_of(const uint8_t identity[FARMEM_ID_LEN]);

/* promises_write_all() - a hostile client writes to whatever its queue pairs reach */
void promises_write_all(uint8_t tag);

/* promises_received() - a client says @data, which the server has not looked at yet */
void promises_received(const struct session *session, const void *data, size_t len);

/* promises_sent() - the server sends @data on this queue pair */
void promises_sent(const struct ibv_qp *qp, const uint8_t *data, size_t len);

/* promises_check() - between any two events */
void promises_check(void);

#endif /* PROMISES_H */
