/* SPDX-License-Identifier: GPL-2.0 */
/* device-limits.h - how much an RDMA device can have of each kind of object */
#ifndef DEVICE_LIMITS_H
#define DEVICE_LIMITS_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;

enum limit { LIMIT_QP, LIMIT_CQ, LIMIT_PD, LIMIT_MR, LIMITS };

#define LIMITS_TEXT 120	/* bytes that device_limits_lack() needs, and that a REJ has for it */

/**
 * struct limits - of one device, as its driver says
 * @most: objects of each kind
 * @mr_size: bytes that one registration can have
 * @reads: READs that a queue pair can answer at a time; 0: none
 * @iwarp: it speaks iWARP, where a WRITE is acknowledged before it has arrived
 */
struct limits {
	uint64_t most[LIMITS];
	uint64_t mr_size;
	unsigned int reads;
	bool iwarp;
};

/**
 * device_limits_of() - what a device says
 * @iwarp: the device speaks iWARP
 * @attr: from ibv_query_device()
 * @limits: filled in
 *
 * Some drivers leave max_mr_size at 0: then there is no limit.  librdmacm keeps the
 * number of READs in eight bits, and 255 has a meaning there.
 */
void device_limits_of(bool iwarp, const struct ibv_device_attr *attr, struct limits *limits);

/* Why a device that speaks iWARP is refused. */
#define LIMITS_IWARP "it speaks iWARP, where a write is acknowledged before it has arrived"

/**
 * device_limits_unfit() - why memory in slabs of this size cannot be lent through a device
 * @limits: the device's
 * @slab_size: bytes
 * @text: for the answer
 *
 * Return: @text, or NULL: it can.
 */
const char *device_limits_unfit(const struct limits *limits, uint64_t slab_size,
				char text[LIMITS_TEXT]);

/**
 * device_limits_lack() - an object could not be made: which, why, and how many there can be
 * @limits: the device's
 * @limit: kind of the object, below LIMITS
 * @device: its name
 * @error: errno
 * @text: for the answer
 *
 * Return: @text.
 */
const char *device_limits_lack(const struct limits *limits, enum limit limit, const char *device,
			       int error, char text[LIMITS_TEXT]);

enum limits_verdict { LIMITS_FIT, LIMITS_TIGHT, LIMITS_UNFIT };

/**
 * device_limits_judge() - print all limits of a device, and whether they do for these options
 * @limits: the device's
 * @opt: slab_size, size and max_clients are used
 * @text: all of it, in one line
 * @size: of @text
 */
enum limits_verdict device_limits_judge(const struct limits *limits, const struct options *opt,
					char *text, size_t size);

#endif /* DEVICE_LIMITS_H */
