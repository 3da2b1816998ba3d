// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "attr.h"
#include "cli.h"
#include "commands.h"
#include "farmem-proto.h"
#include "keys.h"
#include "parse.h"

#define KEY_BYTES 32

/* A line that begins with # is a comment of a key file. */
static int check_name(const struct cli_args *args)
{
	if (keys_is_name(args->name) && *args->name != '#')
		return RC_OK;
	return misuse(args->title, "that is not a name for a client: give 1 to %d visible ASCII characters, not starting with a #",
		      FARMEM_NAME_LEN - 1);
}

static void print_digits(const uint8_t *key, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		printf("%02x", key[i]);
	printf("\n");
}

/** key_generate() - farmemctl key generate NAME */
int key_generate(const struct cli_args *args)
{
	uint8_t key[KEY_BYTES];

	if (check_name(args))
		return RC_USAGE;
	if (getrandom(key, sizeof(key), 0) != sizeof(key))
		return fail("the kernel gave no random bytes: %s", strerror(errno));
	printf("%s ", args->name);
	print_digits(key, sizeof(key));
	explicit_bzero(key, sizeof(key));
	return RC_OK;
}

static int print_derived(const struct key *key, const uint8_t server[FARMEM_ID_LEN])
{
	uint8_t derived[FARMEM_AUTH_LEN];
	char uuid[UUID_TEXT];

	if (server_key(key->secret, key->len, server, key->name, derived))
		return fail("libcrypto can't compute HMAC-SHA-256");
	printf("%s %s ", key->name, format_uuid(server, uuid));
	print_digits(derived, sizeof(derived));
	explicit_bzero(derived, sizeof(derived));
	return RC_OK;
}

/** key_derive() - farmemctl key derive NAME --key FILE --uuid UUID */
int key_derive(const struct cli_args *args)
{
	const char *path = args->value[OPT_KEY_FILE];
	uint8_t server[FARMEM_ID_LEN];
	const struct key *key;
	struct key *keys;
	char error[512];
	int rc;

	if (check_name(args))
		return RC_USAGE;
	if (parse_uuid(args->value[OPT_SERVER_UUID], server))
		return misuse(args->title, "--uuid %s is not a UUID; 'farmemctl server show' on the memory node prints it",
			      args->value[OPT_SERVER_UUID]);
	if (keys_read(path, NULL, &keys, error, sizeof(error)))
		return fail("%s", error);
	key = keys_next(keys, args->name);
	rc = key ? print_derived(key, server) : fail("%s has no key of %s", path, args->name);
	keys_free(keys);
	return rc;
}

/**
 * key_reference() - what --key means to the module
 * @given: a file, by any path, keyring:DESCRIPTION, or NULL
 * @reference: what to write to configfs goes here, to free; NULL if @given is
 *
 * Return: an exit code.
 */
int key_reference(const struct cli_args *args, const char *given, char **reference)
{
	static const char keyring[] = "keyring:";

	*reference = NULL;
	if (!given)
		return RC_OK;
	if (!strncmp(given, keyring, strlen(keyring)) && given[strlen(keyring)]) {
		*reference = text_copy(given);
		return RC_OK;
	}
	*reference = realpath(given, NULL);
	/* Not repeated: it may be a key. */
	if (!*reference)
		return misuse(args->title, "--key: %s; give the path of a key file, or keyring:DESCRIPTION",
			      strerror(errno));
	return RC_OK;
}
