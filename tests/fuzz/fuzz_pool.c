// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_pool.c - a farmemd that starts on a pool file, whatever is in it.
 *
 * The first byte picks the superblock's head, or its records and words: those
 * have no checksum, they are written one store at a time.  What is not refused
 * must be a sound server, and the same one when farmemd starts once more.
 */
#include <errno.h>
#include <jansson.h>

#include "bed.h"
#include "client.h"
#include "report.h"
#include "super.h"
#include "super-restore.h"
#include "volume.h"

#define SLABS	12
#define SLAB	(1ull << 20)

static void head(struct input *in)
{
	struct super_geometry geometry;
	void *page = calloc(1, SUPER_HEAD_BYTES);
	int ret;

	REQUIRE(page);
	take(in, page, SUPER_HEAD_BYTES);
	ret = super_read(page, &geometry);
	REQUIRE(ret == 0 || ret == -ENOENT || ret == -EINVAL || ret == -EPROTONOSUPPORT);
	free(page);
}

/* A pool that was taken over can be used up and given back like any other. */
static void use(struct server *server)
{
	struct client *client, *next;
	struct volume_refusal refusal;
	uint8_t identity[FARMEM_ID_LEN];
	struct volume *volume;

	for (client = LIST_FIRST(&server->clients); client; client = next) {
		next = LIST_NEXT(client, link);
		volume_release_all(client);
	}
	bed_check(server);
	REQUIRE(!server->client_count && slab_free_count(&server->slabs) == SLABS);
	REQUIRE(!client_identity("new", identity));
	client = client_get(server, identity);
	REQUIRE(client);
	strcpy(client->name, "new");
	volume = volume_create(client, identity, "all", &refusal);
	REQUIRE(volume && !volume_grow(volume, SLABS * SLAB, &refusal));
	bed_check(server);
}

static int restore(struct server *server, void *area)
{
	char error[160];
	int ret;

	memset(error, 0, sizeof(error));
	bed_server(server, area, SLABS, SLAB);
	ret = super_restore(server, error, sizeof(error));
	REQUIRE(ret == 0 || ret == -EINVAL || ret == -ENOMEM);
	REQUIRE(!ret || (*error && is_printable(error, sizeof(error))));
	return ret;
}

static json_t *ask(struct server *server, const char *question)
{
	char *answer = report_answer(server, false, question, strlen(question));
	json_t *json = answer ? json_loads(answer, 0, NULL) : NULL;

	REQUIRE(json);
	free(answer);
	return json;
}

/* Whatever its volumes are called, all are shown, and those that differ look different. */
static void tell(struct server *server)
{
	json_t *json = ask(server, "{\"verb\":\"volumes\"}");
	const json_t *list = json_object_get(json, "volumes");
	const char *name[SLABS], *shown[SLABS];
	const struct client *client;
	const struct volume *volume;
	size_t count = 0, i;

	LIST_FOREACH(client, &server->clients, link) {
		LIST_FOREACH(volume, &client->volumes, link) {
			const json_t *row = json_array_get(list, count);

			name[count] = volume->name;
			shown[count] = json_string_value(json_object_get(row, "name"));
			REQUIRE(shown[count] && is_printable(shown[count], SIZE_MAX));
			for (i = 0; i < count; i++)
				REQUIRE(!strcmp(name[i], name[count]) ==
					!strcmp(shown[i], shown[count]));
			count++;
		}
	}
	REQUIRE(json_array_size(list) == count);
	json_decref(json);
}

static void records(struct input *in)
{
	struct server server, again;
	uint8_t *area = malloc(super_map_bytes(SLABS));

	REQUIRE(area);
	memset(area + super_map_bytes(SLABS) - SUPER_HEAD_BYTES, 0, SUPER_HEAD_BYTES);
	take(in, area, super_map_bytes(SLABS) - SUPER_HEAD_BYTES);
	if (!restore(&server, area)) {
		bed_check(&server);
		bed_check_names(&server);
		tell(&server);
		REQUIRE(!restore(&again, area));
		REQUIRE(!memcmp(server.slabs.state, again.slabs.state, SLABS));
		bed_check_volumes(&server, &again);
		bed_check_volumes(&again, &server);
		bed_server_free(&again);
		use(&server);
	}
	bed_server_free(&server);
	free(area);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .left = size };

	if (take_byte(&in) & 1)
		head(&in);
	else
		records(&in);
	return 0;
}
