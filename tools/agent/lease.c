// SPDX-License-Identifier: GPL-2.0
/*
 * lease.c - asks for a lease, renews it at a third of its time, asks for another one.
 *
 * A lease that could not be renewed in its time is taken for gone: what else was put under
 * it would vanish later, at any time.
 */
#include <stdio.h>
#include <time.h>

#include "lease.h"
#include "../group/placement.h"

#define RETRY_USEC	2000000ull

static uint64_t lease_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000ull + now.tv_nsec / 1000;
}

/* A thousand agents that lost etcd at one time do not come back at one time. */
static uint64_t lease_jitter(uint64_t usec)
{
	uint64_t state = lease_now();

	return usec / 2 + placement_below(&state, usec / 2 + 1);
}

static void lease_in(struct lease *lease, uint64_t usec)
{
	sd_event_source_set_time_relative(lease->timer, usec);
	sd_event_source_set_enabled(lease->timer, SD_EVENT_ONESHOT);
}

static void lease_none(struct lease *lease, const char *error)
{
	lease->id = 0;
	lease->changed(lease->data, error);
}

/* etcd counts from a time between the question and the answer. */
static void lease_has(struct lease *lease)
{
	lease->dies = lease->asked + lease->ttl * 1000000ull;
	lease_in(lease, lease->ttl * 1000000ull / 3);
}

static void lease_failed(struct lease *lease, const char *error)
{
	if (!lease->id || lease_now() >= lease->dies)
		lease_none(lease, error);
	lease_in(lease, lease_jitter(RETRY_USEC));
}

static void lease_granted(void *data, const json_t *answer, const char *error)
{
	struct lease *lease = data;

	lease->call = NULL;
	if (answer)
		lease->id = etcd_number(answer, "ID");
	if (!lease->id) {
		lease_failed(lease, error ? error : "etcd grants no lease");
		return;
	}
	lease_has(lease);
	lease->changed(lease->data, NULL);
}

/* Without a TTL in its answer etcd does not know the lease. */
static void lease_renewed(void *data, const json_t *answer, const char *error)
{
	struct lease *lease = data;

	lease->call = NULL;
	if (!answer)
		lease_failed(lease, error);
	else if (etcd_number(json_object_get(answer, "result"), "TTL") > 0)
		lease_has(lease);
	else
		lease_lost(lease);
}

static void lease_ask(struct lease *lease)
{
	json_t *body;
	char id[24];

	lease->asked = lease_now();
	if (lease->id) {
		snprintf(id, sizeof(id), "%lld", (long long)lease->id);
		body = json_pack("{s:s}", "ID", id);
		lease->call = etcd_call(lease->etcd, "lease/keepalive", body, lease_renewed, lease);
	} else {
		body = json_pack("{s:i}", "TTL", (int)lease->ttl);
		lease->call = etcd_call(lease->etcd, "lease/grant", body, lease_granted, lease);
	}
	if (!lease->call)
		lease_failed(lease, "out of memory");
}

static int lease_due(sd_event_source *source, uint64_t usec, void *data)
{
	struct lease *lease = data;

	if (lease->call)
		return 0;
	if (lease->wanted)
		lease_ask(lease);
	else if (lease->id && lease_now() >= lease->dies)
		lease_none(lease, NULL);
	else if (lease->id)
		lease_in(lease, lease->dies - lease_now());
	return 0;
}

int lease_open(struct lease *lease, sd_event *event)
{
	int ret = sd_event_add_time_relative(event, &lease->timer, CLOCK_MONOTONIC, 0, 0, lease_due, lease);

	if (ret < 0)
		return ret;
	return sd_event_source_set_enabled(lease->timer, SD_EVENT_OFF);
}

void lease_close(struct lease *lease)
{
	etcd_cancel(lease->call);
	lease->call = NULL;
	sd_event_source_disable_unref(lease->timer);
	lease->timer = NULL;
}

void lease_want(struct lease *lease, bool wanted)
{
	if (lease->wanted == wanted)
		return;
	lease->wanted = wanted;
	lease_in(lease, 0);
}

void lease_lost(struct lease *lease)
{
	if (!lease->id)
		return;
	/* What is under way asks for that one. */
	etcd_cancel(lease->call);
	lease->call = NULL;
	lease_none(lease, "etcd has forgotten the lease");
	lease_in(lease, 0);
}
