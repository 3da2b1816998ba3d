// SPDX-License-Identifier: GPL-2.0
#include "key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "attr.h"
#include "cli.h"
#include "farmem-proto.h"
#include "report.h"

#define KEY_BYTES 32

/* What farmemd and the module take for a client's name in a key file. */
static bool name_good(const char *name)
{
	size_t len = strlen(name);

	return len && len < FARMEM_NAME_LEN && *name != '#' && text_visible(name);
}

/** key_generate() - farmemctl key generate NAME */
int key_generate(const struct cli_args *args)
{
	unsigned char key[KEY_BYTES];
	size_t i;

	if (!name_good(args->name))
		return misuse(args->title, "that is no name for a client: give 1 to %d visible ASCII characters, not starting with a #",
			      FARMEM_NAME_LEN - 1);
	if (getrandom(key, sizeof(key), 0) != sizeof(key))
		return fail("no random bytes: %s", strerror(errno));
	printf("%s ", args->name);
	for (i = 0; i < sizeof(key); i++)
		printf("%02x", key[i]);
	printf("\n");
	explicit_bzero(key, sizeof(key));
	return RC_OK;
}

/**
 * key_reference() - what --key means to the module
 * @args: for messages
 * @given: the option's value: a file, by any path, or keyring:DESCRIPTION; NULL if
 *	it was not given
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
