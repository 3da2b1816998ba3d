// SPDX-License-Identifier: GPL-2.0
/*
 * device-limits.c - how much an RDMA device can have of each kind of object.
 *
 * Pure functions.  Called by device.c (may the device be used), session.c and grant.c
 * (what was lacking) and check.c (will it do).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "device-limits.h"
#include "format.h"
#include "options.h"
#include "region.h"
#include "util.h"

/* Registrations of a session: messages, heartbeat, the server's status page. */
#define SESSION_MRS	3

/*
 * Soft-RoCE of Linux 7.3 keeps 16 bytes for each page of a registration in one piece of
 * memory, and one above 4 MiB cannot be had; 1 MiB is there on a busy machine too.
 */
#define SOFT_ROCE_VENDOR	0xffffff
#define SOFT_ROCE_MR		(256ull << 20)

static const struct {
	const char *object;
	const char *name;
} kinds[LIMITS] = {
	[LIMIT_QP] = { "queue pair", "max_qp" },
	[LIMIT_CQ] = { "completion queue", "max_cq" },
	[LIMIT_PD] = { "protection domain", "max_pd" },
	[LIMIT_MR] = { "memory registration", "max_mr" },
};

static uint64_t device_limits_mr_size(const struct ibv_device_attr *attr)
{
	uint64_t size = attr->max_mr_size ? attr->max_mr_size : UINT64_MAX;

	return attr->vendor_id == SOFT_ROCE_VENDOR ? min(size, SOFT_ROCE_MR) : size;
}

void device_limits_of(bool iwarp, const struct ibv_device_attr *attr, struct limits *limits)
{
	*limits = (struct limits) {
		.most = {
			[LIMIT_QP] = max(attr->max_qp, 0),
			[LIMIT_CQ] = max(attr->max_cq, 0),
			[LIMIT_PD] = max(attr->max_pd, 0),
			[LIMIT_MR] = max(attr->max_mr, 0),
		},
		.mr_size = device_limits_mr_size(attr),
		.reads = min((uint8_t)attr->max_qp_rd_atom, 254),
		.iwarp = iwarp,
	};
}

const char *device_limits_unfit(const struct limits *limits, uint64_t slab_size,
				char text[LIMITS_TEXT])
{
	char size[SIZE_TEXT], slab[SIZE_TEXT];

	if (limits->iwarp)
		snprintf(text, LIMITS_TEXT, "%s", LIMITS_IWARP);
	else if (!limits->reads)
		snprintf(text, LIMITS_TEXT, "it answers no RDMA READs (max_qp_rd_atom)");
	else if (limits->mr_size < slab_size)
		snprintf(text, LIMITS_TEXT, "it registers %s at a time (max_mr_size), less than a slab of %s; lower --slab-size",
			 format_size(limits->mr_size, size), format_size(slab_size, slab));
	else
		return NULL;
	return text;
}

const char *device_limits_lack(const struct limits *limits, enum limit limit, const char *device,
			       int error, char text[LIMITS_TEXT])
{
	snprintf(text, LIMITS_TEXT, "no %s: %s; %s can have %" PRIu64 " (%s)", kinds[limit].object,
		 strerror(error), device, limits->most[limit], kinds[limit].name);
	return text;
}

/* Registrations of the whole pool, lent in one piece, and of all sessions. */
static uint64_t device_limits_mrs(const struct limits *limits, const struct options *opt)
{
	uint64_t region = min(REGION_BYTES, limits->mr_size / opt->slab_size * opt->slab_size);

	return 2 * ((opt->size + region - 1) / region) + SESSION_MRS * opt->max_clients;
}

enum limits_verdict device_limits_judge(const struct limits *limits, const struct options *opt,
					char *text, size_t size)
{
	char bytes[SIZE_TEXT], unfit[LIMITS_TEXT];
	enum limit i, least = LIMIT_QP;
	size_t used = 0;
	uint64_t need;

	for (i = 0; i < LIMITS; i++)
		used += snprintf(text + used, size - used, "%s %" PRIu64 ", ", kinds[i].name,
				 limits->most[i]);
	used += snprintf(text + used, size - used, "max_mr_size %s",
			 limits->mr_size == UINT64_MAX ? "unlimited" :
			 format_size(limits->mr_size, bytes));
	if (device_limits_unfit(limits, opt->slab_size, unfit)) {
		snprintf(text + used, size - used, "; %s", unfit);
		return LIMITS_UNFIT;
	}
	for (i = 0; i < LIMIT_MR; i++)
		if (limits->most[i] < limits->most[least])
			least = i;
	need = device_limits_mrs(limits, opt);
	if (limits->most[least] < opt->max_clients)
		snprintf(text + used, size - used, "; %s is too little for --max-clients %u",
			 kinds[least].name, opt->max_clients);
	else if (limits->most[LIMIT_MR] < need)
		snprintf(text + used, size - used, "; --size and --max-clients may need max_mr %" PRIu64,
			 need);
	else
		return LIMITS_FIT;
	return LIMITS_TIGHT;
}
