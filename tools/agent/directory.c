// SPDX-License-Identifier: GPL-2.0
/* directory.c - values of the directory as text, and back. */
#include <string.h>

#include "attr.h"
#include "directory.h"

static char *directory_dump(json_t *value)
{
	char *text = checked(json_dumps(value, JSON_COMPACT));

	json_decref(value);
	return text;
}

static json_t *directory_list(const char *words)
{
	json_t *list = json_array();

	while (*(words += strspn(words, " "))) {
		size_t length = strcspn(words, " ");

		json_array_append_new(list, json_stringn(words, length));
		words += length;
	}
	return list;
}

/* Words of a list of texts, to free; NULL: it is none, or has a blank in a text. */
static char *directory_words(const json_t *list)
{
	char *words = NULL;
	json_t *text;
	size_t i;

	if (!json_is_array(list))
		return NULL;
	json_array_foreach(list, i, text) {
		const char *word = json_string_value(text);

		if (!word || !*word || strchr(word, ' ')) {
			free(words);
			return NULL;
		}
		text_add(&words, " ", word);
	}
	return words;
}

json_t *directory_server_json(const struct directory_server *server)
{
	return checked(json_pack("{s:s, s:s, s:o, s:I, s:s}", "host", server->host, "domain", server->domain,
				 "addresses", directory_list(server->addresses),
				 "slab_size", (json_int_t)server->slab_size, "release", server->release));
}

char *directory_server_text(const struct directory_server *server)
{
	return directory_dump(directory_server_json(server));
}

static char *directory_copy(const char *text)
{
	return text ? text_copy(text) : NULL;
}

bool directory_server_read(struct directory_server *server, const char *uuid, const char *text)
{
	json_t *value = json_loads(text, 0, NULL), *addresses = NULL;
	const char *host = NULL, *domain = NULL, *release = NULL;
	json_int_t slab_size = 0;
	bool whole = !json_unpack(value, "{s:s, s:s, s:o, s:I, s:s}", "host", &host, "domain", &domain,
				  "addresses", &addresses, "slab_size", &slab_size, "release", &release);

	*server = (struct directory_server){
		.uuid = text_copy(uuid), .host = directory_copy(host), .domain = directory_copy(domain),
		.addresses = whole ? directory_words(addresses) : NULL, .slab_size = slab_size,
		.release = directory_copy(release),
	};
	json_decref(value);
	return whole && server->addresses && slab_size > 0;
}

void directory_server_free(struct directory_server *server)
{
	free(server->uuid);
	free(server->host);
	free(server->domain);
	free(server->addresses);
	free(server->release);
	memset(server, 0, sizeof(*server));
}

json_t *directory_load_json(const struct directory_load *load)
{
	return checked(json_pack("{s:I, s:I, s:I, s:I, s:i, s:b}", "size", (json_int_t)load->size,
				 "free", (json_int_t)load->free, "lent", (json_int_t)load->lent,
				 "wanted", (json_int_t)load->wanted, "pressure", (int)load->pressure,
				 "cordoned", (int)load->cordoned));
}

char *directory_load_text(const struct directory_load *load)
{
	return directory_dump(directory_load_json(load));
}

static bool directory_take_load(struct directory_load *load, const json_t *value)
{
	json_int_t size = 0, available = 0, lent = -1, wanted = 0;
	int cordoned = 0, pressure = 0;

	/* An older agent says less. */
	if (json_unpack((json_t *)value, "{s:I, s:I, s?I, s?I, s?i, s:b}", "size", &size, "free", &available,
			"lent", &lent, "wanted", &wanted, "pressure", &pressure, "cordoned", &cordoned) ||
	    size < 0 || available < 0 || available > size || lent > size || wanted < 0 || wanted > size ||
	    pressure < 0 || pressure > 100)
		return false;
	*load = (struct directory_load){
		.size = size, .free = available, .lent = lent < 0 ? size - available : lent, .wanted = wanted,
		.pressure = pressure, .cordoned = cordoned,
	};
	return true;
}

bool directory_load_read(struct directory_load *load, const char *text)
{
	json_t *value = json_loads(text, 0, NULL);
	bool read = directory_take_load(load, value);

	json_decref(value);
	return read;
}

bool directory_of_status(struct directory_server *server, struct directory_load *load, const json_t *status)
{
	const char *uuid = NULL, *release = NULL;
	json_t *listen = NULL;
	json_int_t slab_size = 0;
	bool whole = !json_unpack((json_t *)status, "{s:s, s:s, s:o, s:I}", "uuid", &uuid, "release", &release,
				  "listen", &listen, "slab_size", &slab_size);

	*server = (struct directory_server){
		.uuid = directory_copy(uuid), .release = directory_copy(release),
		.addresses = whole ? directory_words(listen) : NULL, .slab_size = slab_size,
	};
	return whole && server->addresses && directory_take_load(load, status);
}
