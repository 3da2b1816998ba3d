// SPDX-License-Identifier: GPL-2.0
/*
 * test_super.c - what a farmemd finds that takes a pool over
 *
 * The last test kills the former one at every instruction: a child makes, grows,
 * releases and cleans volumes on shared memory, step by single step, and after each
 * store of it what a successor would restore is compared with what had been granted.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "session.h"
#include "standin.h"
#include "stubs.h"
#include "super.h"
#include "super-restore.h"
#include "volume.h"

#define SLAB	(1ull << 20)
#define SLABS	14
#define VOLUMES	4

static const char *const client_names[VOLUMES] = { "a", "a", "b", "c" };

static void map(struct super *super, void *area)
{
	assert_int_equal(super_map(super, area, super_map_bytes(SLABS), SLABS), 0);
	assert_int_equal(super_map_load(super), 0);
}

/* With its superblock in @area, which has the bytes of one. */
static void server_on(struct server *server, void *area)
{
	stub_server(server, SLABS, SLAB);
	free(server->pool.super.area);
	super_map_free(&server->pool.super);
	map(&server->pool.super, area);
}

static void server_off(struct server *server)
{
	server->pool.super.area = NULL;
	stub_server_free(server);
}

static const uint8_t *uuid_of(unsigned int volume)
{
	static uint8_t uuid[FARMEM_ID_LEN];

	memset(uuid, volume + 1, sizeof(uuid));
	return uuid;
}

static struct volume *find(struct server *server, unsigned int volume)
{
	struct client *client = client_find_name(server, client_names[volume]);

	return client ? volume_find(client, uuid_of(volume)) : NULL;
}

/* As an OPEN does it, before its client is told. */
static struct volume *begin(struct server *server, unsigned int volume, unsigned int slabs)
{
	struct client *client = stub_client(server, client_names[volume]);
	struct volume_refusal refusal;
	struct volume *made = volume_find(client, uuid_of(volume));

	if (!made)
		made = volume_create(client, uuid_of(volume), "v", &refusal);
	assert_non_null(made);
	assert_int_equal(volume_grow(made, slabs * SLAB, &refusal), 0);
	return made;
}

static struct volume *make(struct server *server, unsigned int volume, unsigned int slabs)
{
	struct volume *made = begin(server, volume, slabs);

	volume_opened(made, 1);
	return made;
}

/* What the worker does to a volume before it is registered, without the memory. */
static void zero_reserved(struct server *server, struct volume *volume)
{
	struct slab_run run;

	while ((run = slab_find_reserved(&server->slabs, &volume->slabs, SLABS)).count)
		slab_zeroed(&server->slabs, run);
}

static void *new_area(void)
{
	struct super_geometry geometry = { .slab_size = SLAB, .slabs = SLABS, .generation = 7 };
	struct super super;
	void *area = calloc(1, super_map_bytes(SLABS));

	assert_non_null(area);
	map(&super, area);
	assert_int_equal(super_format(&super, &geometry, SLABS), 0);
	super_map_free(&super);
	return area;
}

static void blank_memory_has_none(void **state)
{
	uint8_t *area = calloc(1, super_map_bytes(SLABS));
	struct super_geometry geometry;

	assert_int_equal(super_read(area + super_map_bytes(SLABS) - SUPER_HEAD_BYTES, &geometry),
			 -ENOENT);
	free(area);
}

static void a_damaged_head_is_noticed(void **state)
{
	uint8_t *area = new_area(), *head = area + super_map_bytes(SLABS) - SUPER_HEAD_BYTES;
	struct super_geometry geometry;
	unsigned int i;

	assert_int_equal(super_read(head, &geometry), 0);
	assert_int_equal(geometry.generation, 7);
	assert_int_equal(geometry.slabs, SLABS);
	for (i = 0; i < 64; i++) {
		head[i] ^= 1;
		assert_int_equal(super_read(head, &geometry), -EINVAL);
		head[i] ^= 1;
	}
	free(area);
}

static void volumes_come_back_in_their_order(void **state)
{
	struct server before, after;
	void *area = new_area();
	struct volume *volume;
	char error[160];

	server_on(&before, area);
	make(&before, 0, 2);
	make(&before, 1, 3);
	make(&before, 0, 4);	/* two runs */
	make(&before, 2, 1);
	volume_opened(find(&before, 1), 42);
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	assert_int_equal(after.client_count, 2);
	assert_int_equal(find(&after, 1)->incarnation, 42);
	volume = find(&after, 0);
	assert_non_null(volume);
	assert_string_equal(volume->name, "v");
	assert_int_equal(volume->slabs.runs, 2);
	assert_memory_equal(volume->slabs.run, find(&before, 0)->slabs.run,
			    2 * sizeof(*volume->slabs.run));
	assert_int_equal(find(&after, 1)->slabs.slabs, 3);
	assert_int_equal(find(&after, 2)->slabs.slabs, 1);
	assert_int_equal(after.slabs.in[SLAB_LENT], 8);
	assert_int_equal(after.slabs.in[SLAB_CLEAN], SLABS - 8);
	server_off(&after);
	server_off(&before);
	free(area);
}

/* Of a volume that is opened later, and of those that were there. */
static void that_a_client_has_a_key_comes_back(void **state)
{
	struct server before, after;
	void *area = new_area();
	char error[160];

	server_on(&before, area);
	make(&before, 0, 1);
	volume_prove_all(stub_client(&before, "a"));
	make(&before, 2, 1);
	volume_prove_all(stub_client(&before, "c"));
	make(&before, 3, 1);
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	assert_true(client_find_name(&after, "a")->keyed);
	assert_false(client_find_name(&after, "b")->keyed);
	assert_true(client_find_name(&after, "c")->keyed);
	server_off(&after);
	server_off(&before);
	free(area);
}

/* The former farmemd was killed when the first of its two records said so. */
static void a_key_that_one_record_knows_is_known_of_all(void **state)
{
	struct server before, between, after;
	void *area = new_area(), *one = calloc(1, super_map_bytes(SLABS));
	char error[160];

	server_on(&before, area);
	make(&before, 0, 1);
	memcpy(one, area, super_map_bytes(SLABS));
	make(&before, 1, 1);
	volume_prove_all(stub_client(&before, "a"));
	/* The state is a record's first word. */
	memcpy(area, one, sizeof(uint32_t));
	server_on(&between, area);
	assert_int_equal(super_restore(&between, error, sizeof(error)), 0);
	assert_true(client_find_name(&between, "a")->keyed);
	volume_release(find(&between, 1));
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	assert_non_null(find(&after, 0));
	assert_true(client_find_name(&after, "a")->keyed);
	server_off(&after);
	server_off(&between);
	server_off(&before);
	free(one);
	free(area);
}

/* Its client was not told of it, and would find one there that holds something. */
static void a_volume_is_nothing_before_it_is_opened(void **state)
{
	struct server before, after;
	void *area = new_area();
	char error[160];

	server_on(&before, area);
	begin(&before, 0, 2);
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	assert_null(find(&after, 0));
	assert_int_equal(after.client_count, 0);
	assert_int_equal(after.slabs.in[SLAB_DIRTY], 2);
	server_off(&after);
	server_off(&before);
	free(area);
}

static void what_was_given_up_comes_back_dirty(void **state)
{
	struct session session = {};
	struct server before, after;
	void *area = new_area();
	char error[160];

	server_on(&before, area);
	make(&before, 0, 5);
	make(&before, 2, 2);
	stub_client(&before, "b")->session = &session;
	volume_release(find(&before, 0));
	volume_release(find(&before, 2));	/* quarantined here: its session lives */
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	assert_int_equal(after.client_count, 0);
	assert_int_equal(after.slabs.in[SLAB_DIRTY], 7);
	server_off(&after);
	server_off(&before);
	free(area);
}

/* What the machine has is not taken for dirty, which would give it memory. */
static void what_was_given_back_comes_back_absent(void **state)
{
	struct server before, after;
	void *area = new_area();
	char error[160];

	server_on(&before, area);
	make(&before, 0, 5);
	assert_int_equal(slab_give_begin(&before.slabs, 3).count, 3);
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	assert_int_equal(after.slabs.in[SLAB_ABSENT], 3);
	assert_int_equal(after.slabs.state[SLABS - 1], SLAB_ABSENT);
	assert_int_equal(slab_unused(&after.slabs), SLABS - 5 - 3);
	server_off(&after);
	server_off(&before);
	free(area);
}

static void contradictions_are_refused(void **state)
{
	struct server before, after;
	void *area = new_area();
	uint64_t *words;
	char error[160];

	server_on(&before, area);
	make(&before, 0, 3);
	words = (uint64_t *)((uint8_t *)area + SLABS * SUPER_VOLUME_BYTES);
	words[1] = words[0];
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), -EINVAL);
	assert_string_equal(error, "slabs 0 and 1 have the same place in a volume");
	server_off(&after);
	words[1] = SLAB_DIRTY;
	server_on(&after, area);
	assert_int_equal(super_restore(&after, error, sizeof(error)), -EINVAL);
	assert_string_equal(error, "volume 'v' of 'a' lacks slab 1");
	server_off(&after);
	server_off(&before);
	free(area);
}

/* What a record says, as bytes: super.c keeps its layout to itself. */
#define RECORD_CLIENT	8
#define RECORD_UUID	(RECORD_CLIENT + FARMEM_NAME_LEN)
#define RECORD_NAME	(RECORD_UUID + FARMEM_ID_LEN)
#define RECORD_BYTES	128

static void expect_refused(const void *area, size_t at, const void *bytes, size_t len,
			   const char *why)
{
	uint8_t *copy = malloc(super_map_bytes(SLABS));
	struct server after;
	char error[160];

	memcpy(copy, area, super_map_bytes(SLABS));
	memcpy(copy + at, bytes, len);
	server_on(&after, copy);
	assert_int_equal(super_restore(&after, error, sizeof(error)), -EINVAL);
	assert_string_equal(error, why);
	server_off(&after);
	free(copy);
}

static void records_of_no_volume_are_refused(void **state)
{
	char endless[FARMEM_NAME_LEN] = {};
	uint8_t none[FARMEM_ID_LEN] = {};
	void *area = new_area();
	struct server before;

	server_on(&before, area);
	make(&before, 0, 1);
	make(&before, 1, 1);
	memset(endless, 'x', sizeof(endless));
	expect_refused(area, RECORD_CLIENT, "", 1, "its record 0 describes no volume");
	expect_refused(area, RECORD_CLIENT, "\033[2J", 5, "its record 0 describes no volume");
	expect_refused(area, RECORD_CLIENT, endless, FARMEM_NAME_LEN, "its record 0 describes no volume");
	expect_refused(area, RECORD_NAME, endless, FARMEM_VOLUME_NAME_LEN,
		       "its record 0 describes no volume");
	expect_refused(area, RECORD_UUID, none, sizeof(none), "its record 0 describes no volume");
	expect_refused(area, RECORD_BYTES + RECORD_UUID, uuid_of(0), FARMEM_ID_LEN,
		       "volume 'v' of 'a' is there twice");
	server_off(&before);
	free(area);
}

/* What the child has promised, and whose bytes are where. */
struct promises {
	uint32_t granted[VOLUMES];		/* slabs, in order: */
	uint32_t slab[VOLUMES][SLABS];
	uint8_t bytes_of[SLABS];		/* volume + 1; 0: zeros */
	struct standin standin;			/* or this one, at its place: */
	unsigned int standin_of;		/* volume + 1 */
	bool over;
};

static void grant(struct promises *promises, struct server *server, unsigned int number)
{
	struct volume *volume = find(server, number);
	uint32_t place = 0, slab;
	size_t i;

	for (i = 0; i < volume->slabs.runs; i++) {
		for (slab = volume->slabs.run[i].first;
		     slab < volume->slabs.run[i].first + volume->slabs.run[i].count; slab++) {
			if (server->slabs.state[slab] == SLAB_RESERVED)
				promises->bytes_of[slab] = 0;
			promises->slab[number][place++] = slab;
		}
	}
	zero_reserved(server, volume);
	volume_opened(volume, 1);
	/* From here on the client may write. */
	promises->granted[number] = place;
	while (place--)
		promises->bytes_of[promises->slab[number][place]] = number + 1;
}

static void drop(struct promises *promises, struct server *server, unsigned int number)
{
	promises->granted[number] = 0;
	volume_release(find(server, number));
}

static void clean(struct promises *promises, struct server *server)
{
	struct slab_run run = slab_clean_begin(&server->slabs, 2);
	uint32_t i;

	for (i = 0; i < run.count; i++)
		promises->bytes_of[run.first + i] = 0;
	slab_clean_end(&server->slabs, run, SLAB_CLEAN);
}

/* The machine has memory of slabs back, and gives them some when a volume wants that. */
static void give(struct promises *promises, struct server *server)
{
	struct slab_run run = slab_give_begin(&server->slabs, 2);
	uint32_t i;

	assert_true(run.count > 0);
	for (i = 0; i < run.count; i++)
		promises->bytes_of[run.first + i] = 0;
	server->slabs.room = run.count;
}

/* The first slab of a volume goes bad, and the volume is opened again. */
static void stand_in(struct promises *promises, struct server *server, unsigned int number)
{
	struct volume *volume = find(server, number);
	struct standin standin;

	server->pool.bad->slab[promises->slab[number][0]] = true;
	server->pool.bad->count++;
	assert_int_equal(standin_begin(server, volume, volume->slabs.slabs, &standin), 1);
	promises->bytes_of[standin.slab] = number + 1;
	promises->standin = standin;
	promises->standin_of = number + 1;
	assert_int_equal(standin_end(server, volume, &standin), 0);
	promises->slab[number][0] = standin.slab;
	promises->standin_of = 0;
}

/* All that farmemd does to its superblock, records and slabs used again. */
static void live(struct promises *promises, void *area)
{
	struct server server;

	server_on(&server, area);
	server.pool.bad = calloc(1, sizeof(*server.pool.bad) + SLABS);
	server.slabs.bad = server.pool.bad;
	begin(&server, 0, 3);
	grant(promises, &server, 0);
	begin(&server, 1, 2);
	grant(promises, &server, 1);
	begin(&server, 2, 4);
	grant(promises, &server, 2);
	drop(promises, &server, 1);
	begin(&server, 0, 5);		/* takes dirty slabs */
	grant(promises, &server, 0);
	stand_in(promises, &server, 0);
	stand_in(promises, &server, 0);	/* in the place of a stand-in */
	drop(promises, &server, 2);
	clean(promises, &server);
	begin(&server, 3, 4);		/* some clean, some dirty */
	grant(promises, &server, 3);
	drop(promises, &server, 0);
	clean(promises, &server);
	give(promises, &server);
	begin(&server, 1, 2);
	grant(promises, &server, 1);
	begin(&server, 1, 4);		/* and it cannot be registered */
	volume_shrink(find(&server, 1), 2);
	begin(&server, 2, 6);
	grant(promises, &server, 2);
	promises->over = true;
}

/* A slab must be whose it was granted to, and have nobody else's bytes. */
static void check_volume(const struct server *after, const struct promises *promises,
			 struct volume *volume, unsigned int number)
{
	uint32_t place = 0, slab;
	size_t i;

	for (i = 0; i < volume->slabs.runs; i++) {
		for (slab = volume->slabs.run[i].first;
		     slab < volume->slabs.run[i].first + volume->slabs.run[i].count; slab++) {
			if (place < promises->granted[number] &&
			    !(promises->standin_of == number + 1 && !place &&
			      slab == promises->standin.slab))
				assert_int_equal(slab, promises->slab[number][place]);
			if (after->slabs.state[slab] == SLAB_LENT && promises->bytes_of[slab])
				assert_int_equal(promises->bytes_of[slab], number + 1);
			place++;
		}
	}
	assert_true(place >= promises->granted[number]);
}

static void check_restored(const void *area, const struct promises *promises)
{
	size_t bytes = super_map_bytes(SLABS);
	void *copy = malloc(bytes);
	struct server after;
	char error[160];
	unsigned int i;

	memcpy(copy, area, bytes);
	server_on(&after, copy);
	assert_int_equal(super_restore(&after, error, sizeof(error)), 0);
	for (i = 0; i < VOLUMES; i++) {
		struct volume *volume = find(&after, i);

		if (volume)
			check_volume(&after, promises, volume, i);
		else
			assert_int_equal(promises->granted[i], 0);
	}
	for (i = 0; i < SLABS; i++)
		if (after.slabs.state[i] == SLAB_CLEAN)
			assert_int_equal(promises->bytes_of[i], 0);
	server_off(&after);
	free(copy);
}

static void *shared(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

static pid_t start_child(struct promises *promises, void *area)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child)
		return child;
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	live(promises, area);
	_exit(0);
}

static void killed_at_any_instruction(void **state)
{
	size_t bytes = super_map_bytes(SLABS);
	struct promises *promises = shared(sizeof(*promises));
	void *area = shared(bytes), *seen = malloc(bytes), *first = new_area();
	unsigned int stores = 0;
	pid_t child;
	int status;

	memcpy(area, first, bytes);
	memcpy(seen, first, bytes);
	child = start_child(promises, area);
	assert_int_equal(waitpid(child, &status, 0), child);
	while (WIFSTOPPED(status)) {
		if (memcmp(seen, area, bytes)) {
			memcpy(seen, area, bytes);
			check_restored(area, promises);
			stores++;
		}
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL))
			break;
		assert_int_equal(waitpid(child, &status, 0), child);
	}
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	assert_true(promises->over);
	assert_true(stores > 80);
	munmap(area, bytes);
	munmap(promises, sizeof(*promises));
	free(seen);
	free(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blank_memory_has_none),
		cmocka_unit_test(a_damaged_head_is_noticed),
		cmocka_unit_test(volumes_come_back_in_their_order),
		cmocka_unit_test(that_a_client_has_a_key_comes_back),
		cmocka_unit_test(a_key_that_one_record_knows_is_known_of_all),
		cmocka_unit_test(a_volume_is_nothing_before_it_is_opened),
		cmocka_unit_test(what_was_given_up_comes_back_dirty),
		cmocka_unit_test(what_was_given_back_comes_back_absent),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(records_of_no_volume_are_refused),
		cmocka_unit_test(killed_at_any_instruction),
	};

	return cmocka_run_group_tests_name("super", tests, NULL, NULL);
}
