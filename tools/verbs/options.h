/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - what a run is: the options, their ranges, and how they travel.
 *
 * One table, in options.c, drives the command line, the help, and the values
 * that a sweep combines.  It also drives the line in which a client tells the
 * server what the run is, so a server needs no options.
 */
#ifndef VERBS_OPTIONS_H
#define VERBS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum setup { SETUP_HAND, SETUP_CM };
enum transport { TRANSPORT_RC, TRANSPORT_UC, TRANSPORT_UD };
enum op { OP_SEND, OP_WRITE, OP_WRITE_IMM, OP_READ, OP_CAS, OP_FADD };
enum wait { WAIT_POLL, WAIT_EVENT };
enum share { SHARE_NONE, SHARE_FORK, SHARE_SHM, SHARE_IMPORT };
enum show {
	SHOW_NOTHING, SHOW_RKEY, SHOW_LKEY, SHOW_BOUNDS, SHOW_RNR, SHOW_LENGTH, SHOW_RETRY,
	SHOW_REJECTED, SHOW_WINDOW,
};

/* What the device, or the program, chooses. */
#define AUTO 0xffffffffu

#define SIZE_ALL 0		/* --size all: every power of two up to SIZE_ALL_MAX */
#define SIZE_ALL_MAX 65536
#define ATOMIC_SIZE 8

/**
 * struct options - one run, from the client's command line
 *
 * The first part is what both ends must agree on; the client tells the server.
 * All are numbers, an enum above where there is one, 0 or 1 for a switch.
 *
 * @setup: enum setup: how queue pairs are connected
 * @transport: enum transport: their kind
 * @op: enum op; AUTO until options_settle()
 * @size: bytes of a message; SIZE_ALL for a sweep over sizes
 * @iterations: operations measured one at a time, and again in a stream
 * @depth: operations under way at once, on each queue
 * @signal_every: one work request in so many asks for a completion
 * @inline_data: the data is copied into the work request
 * @wait: enum wait: how completions are waited for
 * @queues: queue pairs, 1..64
 * @shared_cq: all of them have one completion queue
 * @srq: all of them have one shared receive queue
 * @sge: pieces of memory that a message is gathered from or scattered to, here
 * @remote_sge: the same of the server's receives
 * @mw: the target is opened with a memory window
 * @processes: client processes at once, 1..16
 * @share: enum share: what these have in common
 * @order: tell in which order completions come
 * @verify: check every byte
 * @show: enum show: the fault to make
 * @responder_resources: READs and atomics that the server answers at once, 0..255, or AUTO
 * @initiator_depth: READs and atomics under way at once, 0..255, or AUTO
 * @retry_count: times that a lost packet is sent again, 0..7
 * @rnr_retry: times that a message without a receive is sent again, 0..6; 7: for ever
 * @timeout: seconds; what makes no progress for so long has failed
 * @seed: of the patterns that --verify writes and expects
 *
 * The second part is this end's own business.
 *
 * @server: argument of the command: name or address of the server, or the code to explain;
 *	NULL of a server
 * @bind: address to listen at; NULL: all
 * @device: name of the RDMA device; NULL: that of the address in use
 * @port: TCP port of the control connection
 * @once: the server ends after one client
 * @ib_port: port of the device, 1..255, or AUTO
 * @gid_index: of the port's GID, 0..65535, or AUTO
 * @connect_timeout: seconds in which the server must answer
 * @json: print JSON
 */
struct options {
	unsigned int setup, transport, op;
	unsigned int size, iterations, depth, signal_every;
	unsigned int inline_data, wait;
	unsigned int queues, shared_cq, srq, sge, remote_sge, mw;
	unsigned int processes, share, order, verify, show;
	unsigned int responder_resources, initiator_depth, retry_count, rnr_retry;
	unsigned int timeout, seed;

	const char *server, *bind, *device;
	unsigned int port, once, ib_port, gid_index, connect_timeout, json;
};

/* Which command takes an option; ON_WIRE: the client tells the server. */
enum {
	FOR_CLIENT	= 1,
	FOR_SERVER	= 2,
	FOR_SWEEP	= 4,
	FOR_EXPLAIN	= 8,
	ON_WIRE		= 16,
};

enum option_kind { KIND_SWITCH, KIND_NUMBER, KIND_SIZE, KIND_CHOICE, KIND_TEXT };

/**
 * struct option_row - one option
 * @name: as on the command line and on the wire
 * @kind: how its value is written
 * @users: FOR_... and ON_WIRE
 * @offset: of its field in struct options
 * @min: smallest number
 * @max: largest number
 * @initial: the value of an option that is not given
 * @choices: names of the enum's values, with a NULL behind the last
 * @argument: for the help; NULL of a switch
 * @text: for the help
 * @letter: its short form, 0 if it has none
 */
struct option_row {
	const char *name;
	enum option_kind kind;
	unsigned int users;
	size_t offset;
	unsigned int min, max, initial;
	const char *const *choices;
	const char *argument;
	const char *text;
	char letter;
};

extern const struct option_row option_rows[];
extern const size_t option_count;

void options_init(struct options *options);
void options_settle(struct options *options);
unsigned int options_largest(const struct options *options);
unsigned int *options_number(const struct option_row *row, const struct options *options);
const struct option_row *options_find(const char *name);
int options_set(struct options *options, const struct option_row *row, const char *value);
const char *options_value(const struct options *options, const struct option_row *row,
			  char *text, size_t size);
int options_parse(struct options *options, unsigned int user, const char *command,
		  int argc, char **argv);
void options_help(unsigned int user);
void options_write(const struct options *options, char *line, size_t size);
int options_read(struct options *options, char *line);

#endif
