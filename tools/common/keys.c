// SPDX-License-Identifier: GPL-2.0
/*
 * keys.c - files of keys, a server's and a client's.
 *
 * Owns their grammar; libcrypto decodes the digits and wipes what held them.
 * Called by keyring.c and check.c, and by farmemctl and farmem-fabric.
 */
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys.h"
#include "parse.h"

static const char blanks[] = " \t\r\n";

bool keys_is_name(const char *text)
{
	size_t len = strlen(text);

	if (!len || len >= FARMEM_NAME_LEN)
		return false;
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

static bool decode(const char *text, struct key *key)
{
	bool good = OPENSSL_hexstr2buf_ex(key->secret, sizeof(key->secret), &key->len, text, '\0');

	/* Its own words about a digit would be of no help to anybody. */
	ERR_clear_error();
	return good && key->len >= FARMEM_KEY_MIN;
}

/* A line is NAME KEY in a client's file, NAME UUID KEY in a server's. */
struct line {
	char *name;
	char *word;
	char *digits;	/* NULL if there is but one word */
	bool more;
};

static void split(char *text, struct line *line)
{
	char *rest;

	line->name = strtok_r(text, blanks, &rest);
	line->word = line->name ? strtok_r(NULL, blanks, &rest) : NULL;
	line->digits = line->word ? strtok_r(NULL, blanks, &rest) : NULL;
	line->more = line->digits && strtok_r(NULL, blanks, &rest);
}

/* With its dashes: without them it might be a key. */
static bool is_uuid(const char *text, uint8_t uuid[FARMEM_ID_LEN])
{
	return strlen(text) == UUID_TEXT - 1 && !parse_uuid(text, uuid);
}

/* Return: what is wrong with it, or NULL. */
static const char *take_client_line(const struct line *line, struct key *key)
{
	uint8_t uuid[FARMEM_ID_LEN];

	if (line->digits && is_uuid(line->word, uuid))
		return "this line is for a server's file; the client needs the line that 'farmemctl key generate' printed";
	if (!line->word || line->digits)
		return "write NAME KEY, and nothing else in the line";
	return decode(line->word, key) ? NULL :
		"a key has 32 to 128 hexadecimal digits, an even number; 'farmemctl key generate' makes one";
}

static const char *take_server_line(const struct line *line, const uint8_t *server, struct key *key)
{
	static char wrong[300];
	uint8_t uuid[FARMEM_ID_LEN];
	char own[UUID_TEXT], its[UUID_TEXT];

	format_uuid(server, own);
	if (line->word && !line->digits && decode(line->word, key)) {
		snprintf(wrong, sizeof(wrong), "this is the client's own key, which no server may have; on the client's node 'farmemctl key derive %s --key FILE --uuid %s' makes the line for this server",
			 line->name, own);
		return wrong;
	}
	if (!line->digits || line->more || !is_uuid(line->word, uuid))
		return "write NAME UUID KEY, as 'farmemctl key derive' does, and nothing else in the line";
	if (memcmp(uuid, server, sizeof(uuid))) {
		snprintf(wrong, sizeof(wrong), "this key is for the server %s, but this server is %s",
			 format_uuid(uuid, its), own);
		return wrong;
	}
	return decode(line->digits, key) && key->len == FARMEM_AUTH_LEN ? NULL :
		"a server's key has 64 hexadecimal digits; 'farmemctl key derive' makes it";
}

/* Return: what is wrong with the line, or NULL; *@key stays NULL if it says nothing. */
static const char *read_line(char *text, const uint8_t *server, struct key **key)
{
	struct line line;

	split(text, &line);
	if (!line.name || *line.name == '#')
		return NULL;
	if (!keys_is_name(line.name))
		return "a client's name has 1 to 63 visible ASCII characters";
	*key = calloc(1, sizeof(**key));
	if (!*key)
		return "out of memory";
	strcpy((*key)->name, line.name);
	return server ? take_server_line(&line, server, *key) : take_client_line(&line, *key);
}

/* Some editors begin a file of UTF-8 with the mark of its byte order. */
static char *after_mark(char *text)
{
	static const char mark[] = "\xef\xbb\xbf";

	return strncmp(text, mark, strlen(mark)) ? text : text + strlen(mark);
}

static int read_lines(FILE *file, const char *path, const uint8_t *server, struct key **keys,
		      char *error, size_t size)
{
	struct key **end = keys;
	const char *wrong = NULL;
	unsigned int number = 0;
	/* Room enough, lest getline() move a key about and leave copies behind. */
	size_t room = 4096;
	char *line = malloc(room);

	if (!line) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	while (!wrong && getline(&line, &room, file) >= 0) {
		number++;
		wrong = read_line(number == 1 ? after_mark(line) : line, server, end);
		if (*end)
			end = &(*end)->next;
	}
	OPENSSL_cleanse(line, room);
	free(line);
	if (wrong) {
		snprintf(error, size, "%s:%u: %s", path, number, wrong);
		return -EINVAL;
	}
	if (ferror(file)) {
		snprintf(error, size, "%s: cannot be read", path);
		return -EIO;
	}
	return 0;
}

/* A service reads a file of root's by its group, which nobody else need be in. */
static bool is_private(const struct stat *st)
{
	bool group_reads = st->st_mode & S_IRGRP;

	if (st->st_mode & (S_IWGRP | S_IXGRP | S_IRWXO))
		return false;
	if (st->st_uid && st->st_uid != geteuid())
		return false;
	return !group_reads || (geteuid() && !st->st_uid && st->st_gid == getegid());
}

/* A reader of the file can be every client in it, a writer any client. */
static int check_file(int fd, const char *path, bool server, char *error, size_t size)
{
	struct stat st;

	if (fstat(fd, &st)) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return -EIO;
	}
	if (!S_ISREG(st.st_mode)) {
		snprintf(error, size, "%s: is not a regular file", path);
		return -EINVAL;
	}
	if (!is_private(&st)) {
		/* Root's farmemd, and a client, need no group. */
		bool service = server && geteuid();

		snprintf(error, size, "%s: others can read or change these keys; run 'chown root%s %s; chmod %s %s'",
			 path, service ? ":farmem" : "", path, service ? "640" : "600", path);
		return -EACCES;
	}
	return 0;
}

int keys_read(const char *path, const uint8_t *server, struct key **keys, char *error, size_t size)
{
	static char buffer[4096];
	FILE *file = NULL;
	int ret, fd;

	*keys = NULL;
	/* Not to wait for a pipe that nobody writes to. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		file = fdopen(fd, "r");
	if (!file) {
		ret = -errno;
		snprintf(error, size, "%s: %s%s", path, strerror(-ret), ret != -EACCES ? "" :
			 server ? "; its group must be farmemd's, and its mode 640" :
			 "; run the command as root");
		if (fd >= 0)
			close(fd);
		return ret;
	}
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	ret = check_file(fd, path, server, error, size);
	if (!ret)
		ret = read_lines(file, path, server, keys, error, size);
	fclose(file);
	OPENSSL_cleanse(buffer, sizeof(buffer));
	if (ret) {
		keys_free(*keys);
		*keys = NULL;
	}
	return ret;
}

void keys_free(struct key *keys)
{
	struct key *key;

	while ((key = keys)) {
		keys = key->next;
		OPENSSL_cleanse(key, sizeof(*key));
		free(key);
	}
}

const struct key *keys_next(const struct key *from, const char *name)
{
	while (from && strcmp(from->name, name))
		from = from->next;
	return from;
}

int server_key(const uint8_t *key, size_t key_len, const uint8_t server[FARMEM_ID_LEN],
	       const char *client, uint8_t out[FARMEM_AUTH_LEN])
{
	struct farmem_server_key about = { .label = FARMEM_LABEL_KEY };
	unsigned int out_len = FARMEM_AUTH_LEN;

	memcpy(about.server, server, sizeof(about.server));
	memcpy(about.client, client, strnlen(client, sizeof(about.client)));
	return HMAC(EVP_sha256(), key, key_len, (uint8_t *)&about, sizeof(about), out, &out_len) ?
		0 : -EIO;
}
