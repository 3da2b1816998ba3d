// SPDX-License-Identifier: GPL-2.0
/* test_client.c - volumes, quotas, limits, and how grants are cut */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "grant.h"
#include "lease.h"
#include "session.h"
#include "stubs.h"
#include "volume.h"

#define SLAB (1ull << 20)

static const uint8_t uuid[FARMEM_ID_LEN] = { 1 };
static const uint8_t uuid2[FARMEM_ID_LEN] = { 2 };

/* What each test begins with, after begin(). */
static struct server server;
static struct session session;
static struct volume_refusal refusal;

/* The lease's timer, and whether the server can be reached. */
static sd_event_time_handler_t lease;
static uint64_t lease_usec;
static bool listening = true;

int __wrap_sd_event_add_time_relative(sd_event *event, sd_event_source **source, clockid_t clock,
				      uint64_t usec, uint64_t accuracy,
				      sd_event_time_handler_t callback, void *data);
bool __wrap_cm_is_listening(const struct server *server);

int __wrap_sd_event_add_time_relative(sd_event *event, sd_event_source **source, clockid_t clock,
				      uint64_t usec, uint64_t accuracy,
				      sd_event_time_handler_t callback, void *data)
{
	lease_usec = usec;
	lease = callback;
	return 0;
}

bool __wrap_cm_is_listening(const struct server *server)
{
	return listening;
}

static struct client *begin(uint32_t slabs)
{
	memset(&session, 0, sizeof(session));
	stub_server(&server, slabs, SLAB);
	return stub_client(&server, "n");
}

static void client_limit(void **state)
{
	uint8_t identity[FARMEM_ID_LEN] = { 0 };
	int i;

	stub_server(&server, 4, SLAB);
	server.opt.max_clients = 3;
	for (i = 0; i < 3; i++) {
		identity[0] = i;
		assert_non_null(client_get(&server, identity));
	}
	assert_non_null(client_get(&server, identity));	/* the same one again */
	identity[0] = 9;
	assert_null(client_get(&server, identity));
	assert_int_equal(errno, EUSERS);
	identity[0] = 0;
	client_drop_idle(client_find(&server, identity));
	identity[0] = 9;
	assert_non_null(client_get(&server, identity));
	stub_server_free(&server);
}

static void volumes_grow_and_never_shrink(void **state)
{
	struct client *client = begin(16);
	struct volume *volume;

	volume = volume_create(client, uuid, "v", &refusal);
	assert_non_null(volume);
	assert_ptr_equal(volume_find(client, uuid), volume);
	assert_null(volume_find(client, uuid2));
	assert_int_equal(volume_grow(volume, SLAB + 4096, &refusal), 0);
	assert_int_equal(volume->slabs.slabs, 2);
	assert_int_equal(volume_grow(volume, 5 * SLAB, &refusal), 0);
	assert_int_equal(volume->slabs.slabs, 5);
	assert_int_equal(volume_grow(volume, 4096, &refusal), 0);
	assert_int_equal(volume->slabs.slabs, 5);
	assert_true(volume_bytes(client) == 5 * SLAB);
	stub_server_free(&server);
}

static void no_space_says_how_much(void **state)
{
	struct volume *volume;

	begin(16);
	volume = volume_create(stub_client(&server, "n"), uuid, "v", &refusal);
	assert_int_equal(volume_grow(volume, 4 * SLAB, &refusal), 0);
	assert_int_equal(volume_grow(volume, 20 * SLAB, &refusal), -1);
	assert_int_equal(refusal.reason, FARMEM_ERR_NO_SPACE);
	assert_string_equal(refusal.detail, "asked 16M, 12M free");
	assert_int_equal(volume_grow(volume, FARMEM_CAPACITY_MAX, &refusal), -1);
	assert_int_equal(refusal.reason, FARMEM_ERR_NO_SPACE);
	assert_int_equal(volume->slabs.slabs, 4);
	stub_server_free(&server);
}

static void quota_counts_all_volumes(void **state)
{
	struct volume *volume, *other;
	struct client *client = begin(16);

	server.opt.quota = 5 * SLAB;
	volume = volume_create(client, uuid, "v", &refusal);
	other = volume_create(client, uuid2, "w", &refusal);
	assert_int_equal(volume_grow(volume, 3 * SLAB, &refusal), 0);
	assert_int_equal(volume_grow(other, 3 * SLAB, &refusal), -1);
	assert_int_equal(refusal.reason, FARMEM_ERR_QUOTA);
	assert_string_equal(refusal.detail, "asked 3M more, quota 5M, 3M in use");
	assert_int_equal(volume_grow(other, 2 * SLAB, &refusal), 0);
	/* A smaller quota later is no reason for trouble. */
	server.opt.quota = SLAB;
	assert_int_equal(volume_grow(other, 3 * SLAB, &refusal), -1);
	assert_int_equal(refusal.reason, FARMEM_ERR_QUOTA);
	stub_server_free(&server);
}

static void quota_counts_what_was_released(void **state)
{
	struct client *client = begin(16);
	struct volume *volume;

	server.opt.quota = 5 * SLAB;
	client->session = &session;
	volume = volume_create(client, uuid, "v", &refusal);
	assert_int_equal(volume_grow(volume, 3 * SLAB, &refusal), 0);
	volume_release(volume);
	volume = volume_create(client, uuid, "v", &refusal);
	assert_int_equal(volume_grow(volume, 3 * SLAB, &refusal), -1);
	assert_int_equal(refusal.reason, FARMEM_ERR_QUOTA);
	assert_string_equal(refusal.detail,
			    "asked 3M more, quota 5M, 3M in use, 3M of it given back and not free yet");
	assert_int_equal(volume_grow(volume, 2 * SLAB, &refusal), 0);
	client_fenced(client);
	assert_int_equal(volume_grow(volume, 5 * SLAB, &refusal), 0);
	client->session = NULL;
	stub_server_free(&server);
}

/* A queue pair that would not go may still write: nothing is lent again. */
static void unfenced_slabs_stay(void **state)
{
	struct client *client = begin(16);

	client->session = &session;
	assert_int_equal(volume_grow(volume_create(client, uuid, "v", &refusal), 3 * SLAB, &refusal), 0);
	assert_int_equal(volume_grow(volume_create(client, uuid2, "w", &refusal), 4 * SLAB, &refusal), 0);
	volume_release(volume_find(client, uuid));
	client_unfenced(client);
	client_fenced(client);			/* another session of it ends later */
	client->session = NULL;
	assert_int_equal(client_quarantined(client), 3 * SLAB);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	volume_release_all(client);		/* by hand or by its lease */
	assert_int_equal(client_quarantined(client), 7 * SLAB);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 7);
	assert_int_equal(slab_free_count(&server.slabs), 9);
	client_unfenced(client);		/* by a second queue pair */
	client_fenced_late(client);
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 7);
	client_fenced_late(client);		/* and it goes, too */
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 0);
	assert_int_equal(server.client_count, 0);
	stub_server_free(&server);
}

static void volume_limit(void **state)
{
	uint8_t id[FARMEM_ID_LEN] = { 0 };
	struct client *client = begin(CLIENT_VOLUMES_MAX + 1);
	int i;

	for (i = 0; i < CLIENT_VOLUMES_MAX; i++) {
		memcpy(id, &i, sizeof(i));
		assert_non_null(volume_create(client, id, "v", &refusal));
	}
	id[15] = 1;
	assert_null(volume_create(client, id, "v", &refusal));
	assert_int_equal(refusal.reason, FARMEM_ERR_TOO_MANY);
	stub_server_free(&server);
}

static void release_is_quarantined_while_connected(void **state)
{
	struct client *client = begin(8);

	client->session = &session;
	assert_int_equal(volume_grow(volume_create(client, uuid, "v", &refusal), 3 * SLAB, &refusal), 0);
	volume_release(volume_find(client, uuid));
	assert_int_equal(server.slabs.in[SLAB_QUARANTINED], 3);
	assert_int_equal(client_quarantined(client), 3 * SLAB);

	assert_int_equal(volume_grow(volume_create(client, uuid, "v", &refusal), 8 * SLAB, &refusal), -1);
	assert_string_equal(refusal.detail, "asked 8M, 5M free, 3M given back and not free yet (farmemctl server disconnect)");
	client->session = NULL;
	assert_int_equal(volume_grow(volume_find(client, uuid), 2 * SLAB, &refusal), 0);
	volume_release_all(client);		/* and the client goes with its last volume */
	assert_int_equal(server.slabs.in[SLAB_DIRTY], 2);
	assert_int_equal(server.client_count, 0);
	stub_server_free(&server);
}

static void grants_are_cut_at_4_gib(void **state)
{
	struct slab_run runs[] = { { 100, 9 }, { 7, 1 }, { 200, 4 } };
	struct slab_list list = { runs, 3, 14 };
	struct region *region;
	uint32_t next = 0;
	size_t count, i;

	/* Slabs of 1 GiB: 4 a region. */
	region = region_plan(&list, 1ull << 30, UINT64_MAX, &count);
	assert_non_null(region);
	assert_int_equal(count, 5);
	assert_int_equal(region[1].run.first, 104);
	assert_int_equal(region[1].run.count, 4);
	assert_int_equal(region[2].run.count, 1);
	assert_int_equal(region[3].run.first, 7);
	for (i = 0; i < count; i++) {
		assert_int_equal(region[i].first_slab, next);
		next += region[i].run.count;
	}
	assert_int_equal(next, 14);
	free(region);
}

static void grants_are_cut_to_what_the_device_registers(void **state)
{
	struct slab_run runs[] = { { 100, 9 }, { 7, 1 } };
	struct slab_list list = { runs, 2, 10 };
	struct region *region;
	size_t count, i;

	/* Three slabs and a half at a time. */
	region = region_plan(&list, SLAB, 3 * SLAB + SLAB / 2, &count);
	assert_non_null(region);
	assert_int_equal(count, 4);
	for (i = 0; i < 3; i++) {
		assert_int_equal(region[i].run.count, 3);
		assert_int_equal(region[i].first_slab, 3 * i);
	}
	assert_int_equal(region[3].run.first, 7);
	assert_int_equal(region[3].first_slab, 9);
	free(region);
}

/* The lease of "n", which has two slabs, is over; returns whether it has begun again. */
static bool let_expire(void)
{
	lease(NULL, 0, client_find_name(&server, "n"));
	return client_find_name(&server, "n");
}

static void start_expiring(void)
{
	struct client *client = begin(4);

	server.opt.lease = 60;
	assert_int_equal(volume_grow(volume_create(client, uuid, "v", &refusal), 2 * SLAB,
				     &refusal), 0);
	lease = NULL;
	lease_begin(client);
	assert_non_null(lease);
	assert_int_equal(lease_usec, 60000000);
}

static void a_lease_ends(void **state)
{
	start_expiring();
	assert_false(let_expire());
	assert_int_equal(server.slabs.in[SLAB_DIRTY], 2);
	stub_server_free(&server);
}

static void a_lease_does_not_end_while_we_are_away(void **state)
{
	start_expiring();
	listening = false;
	assert_true(let_expire());
	listening = true;
	assert_false(let_expire());
	stub_server_free(&server);
}

/* A session of "n" that has not said HELLO, and one of somebody else's. */
static void come(struct session *other)
{
	session.state = other->state = SESSION_NEW;
	assert_int_equal(client_identity("n", session.identity), 0);
	LIST_INSERT_HEAD(&server.sessions, other, link);
	LIST_INSERT_HEAD(&server.sessions, &session, link);
}

static void a_lease_does_not_end_while_its_client_connects(void **state)
{
	struct session other = {};

	start_expiring();
	come(&other);
	assert_true(let_expire());
	assert_int_equal(lease_usec, SESSION_HELLO_SECONDS * 1000000);
	LIST_REMOVE(&session, link);
	assert_false(let_expire());
	LIST_INIT(&server.sessions);
	stub_server_free(&server);
}

/* A stranger connects in its name, again and again, and proves nothing. */
static void a_lease_ends_whatever_strangers_do(void **state)
{
	struct session other = {};

	start_expiring();
	come(&other);
	assert_true(let_expire());
	assert_false(let_expire());
	assert_int_equal(server.slabs.in[SLAB_DIRTY], 2);
	LIST_INIT(&server.sessions);
	stub_server_free(&server);
}

/* It was heard in between, and a new silence has its own few seconds. */
static void a_client_that_came_back_may_connect_again(void **state)
{
	struct session other = {};
	struct client *client;

	start_expiring();
	come(&other);
	assert_true(let_expire());
	client = client_find_name(&server, "n");
	client_heard(client, &session, 1);
	lease_begin(client);
	assert_int_equal(lease_usec, 60000000);
	assert_true(let_expire());
	assert_false(let_expire());
	LIST_INIT(&server.sessions);
	stub_server_free(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(client_limit),
		cmocka_unit_test(volumes_grow_and_never_shrink),
		cmocka_unit_test(no_space_says_how_much),
		cmocka_unit_test(quota_counts_all_volumes),
		cmocka_unit_test(quota_counts_what_was_released),
		cmocka_unit_test(unfenced_slabs_stay),
		cmocka_unit_test(volume_limit),
		cmocka_unit_test(release_is_quarantined_while_connected),
		cmocka_unit_test(grants_are_cut_at_4_gib),
		cmocka_unit_test(grants_are_cut_to_what_the_device_registers),
		cmocka_unit_test(a_lease_ends),
		cmocka_unit_test(a_lease_does_not_end_while_we_are_away),
		cmocka_unit_test(a_lease_does_not_end_while_its_client_connects),
		cmocka_unit_test(a_lease_ends_whatever_strangers_do),
		cmocka_unit_test(a_client_that_came_back_may_connect_again),
	};

	return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
