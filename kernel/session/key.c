// SPDX-License-Identifier: GPL-2.0
/*
 * key.c - reads a key, from a file or from a keyring.
 *
 * No state.  Called by auth.c on behalf of the task that powers a session on or
 * changes its key, with that task's rights, root and keyrings.
 */
#include <keys/user-type.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/key.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "key.h"

#define KEYRING "keyring:"
/* Bytes of the largest file: some 500 lines. */
#define FILE_MAX 65536

bool farmem_key_ref_valid(const char *ref)
{
	const char *c;

	/* A path may be of any alphabet. */
	for (c = ref; *c; c++)
		if (iscntrl(*c) && isascii(*c))
			return false;
	return !*ref || *ref == '/' ||
	       (!strncmp(ref, KEYRING, strlen(KEYRING)) && ref[strlen(KEYRING)]);
}

/* @text: digits, and blanks behind them. */
static int key_decode(const char *text, size_t len, struct farmem_key *key,
		      const char **why)
{
	while (len && isspace(text[len - 1]))
		len--;
	*why = memchr(text, '-', len) ?
		"this line is for a server's file; the client needs the line that 'farmemctl key generate' printed" :
		"a key has 32 to 128 hexadecimal digits, an even number; 'farmemctl key generate' makes one";
	if (len % 2 || len < 2 * FARMEM_KEY_MIN || len > 2 * FARMEM_KEY_MAX ||
	    hex2bin(key->bytes, text, len / 2))
		return -EINVAL;
	key->len = len / 2;
	return 0;
}

/* What follows the name in a line of this client, or NULL. */
static char *key_line_of(char *line, const char *client)
{
	size_t len = strlen(client);

	line = skip_spaces(line);
	if (*line == '#' || strncmp(line, client, len) || !isspace(line[len]))
		return NULL;
	return skip_spaces(line + len);
}

static int key_find(char *text, const char *client, struct farmem_key *key,
		    const char **why)
{
	/* Some editors begin a file of UTF-8 with the mark of its byte order. */
	static const char mark[] = "\xef\xbb\xbf";
	char *line, *digits;

	if (!strncmp(text, mark, strlen(mark)))
		text += strlen(mark);
	while ((line = strsep(&text, "\n"))) {
		digits = key_line_of(line, client);
		if (digits)
			return key_decode(digits, strlen(digits), key, why);
	}
	*why = "the file has no line for this client: NAME KEY";
	return -ENOKEY;
}

/* A process that can read it can be this client, one that can write it can disturb it. */
static bool key_file_private(struct file *file)
{
	struct inode *inode = file_inode(file);

	return S_ISREG(inode->i_mode) && !(inode->i_mode & (S_IRWXG | S_IRWXO)) &&
	       (uid_eq(inode->i_uid, GLOBAL_ROOT_UID) ||
		uid_eq(inode->i_uid, current_fsuid()));
}

/*
 * At most FILE_MAX + 1 bytes.  Not kernel_read_file(): that is for what the kernel
 * runs or trusts, and newer kernels' IPE warns of every other use.
 */
static ssize_t key_read_all(struct file *file, char *text)
{
	loff_t pos = 0;
	ssize_t n;

	do {
		n = kernel_read(file, text + pos, FILE_MAX + 1 - pos, &pos);
	} while (n > 0 && pos <= FILE_MAX);
	return n < 0 ? n : pos;
}

static int key_read_file(struct file *file, const char *client,
			 struct farmem_key *key, const char **why)
{
	ssize_t len;
	char *text;
	int err;

	if (!key_file_private(file)) {
		*why = "others can read or change the file; chown root and chmod 600 it";
		return -EACCES;
	}
	/* A NUL follows whatever is taken. */
	text = kvzalloc(FILE_MAX + 2, GFP_KERNEL);
	if (!text) {
		*why = "no memory";
		return -ENOMEM;
	}
	*why = "the file cannot be read, or is larger than 64K";
	len = key_read_all(file, text);
	if (len < 0 || len > FILE_MAX)
		err = len < 0 ? len : -EFBIG;
	else
		err = key_find(text, client, key, why);
	kvfree_sensitive(text, FILE_MAX + 2);
	return err;
}

static int key_open_file(const char *path, const char *client,
			 struct farmem_key *key, const char **why)
{
	struct file *file = filp_open(path, O_RDONLY | O_NONBLOCK, 0);
	int err;

	if (IS_ERR(file)) {
		*why = "the file cannot be opened";
		return PTR_ERR(file);
	}
	err = key_read_file(file, client, key, why);
	fput(file);
	return err;
}

static int key_take_payload(struct key *found, struct farmem_key *key,
			    const char **why)
{
	const struct user_key_payload *payload;
	int err;

	down_read(&found->sem);
	err = key_validate(found);
	payload = err ? NULL : user_key_payload_locked(found);
	*why = "the key in the keyring has expired or is revoked";
	if (payload)
		err = key_decode(payload->data, payload->datalen, key, why);
	up_read(&found->sem);
	return payload ? err : err ?: -EKEYREVOKED;
}

/* Of type logon, which user space cannot read back, or else of type user. */
static int key_open_keyring(const char *description, struct farmem_key *key,
			    const char **why)
{
	struct key *found = ERR_PTR(-ENOKEY);
	int err;

	/* logon wants a prefix. */
	if (strchr(description, ':'))
		found = request_key(&key_type_logon, description, NULL);
	if (IS_ERR(found))
		found = request_key(&key_type_user, description, NULL);
	if (IS_ERR(found)) {
		*why = "there is no such key in the keyrings of the process that connects; see 'keyctl show'";
		return PTR_ERR(found);
	}
	err = key_take_payload(found, key, why);
	key_put(found);
	return err;
}

int farmem_key_read(const char *ref, const char *client, struct farmem_key *key,
		    const char **why)
{
	if (*ref == '/')
		return key_open_file(ref, client, key, why);
	return key_open_keyring(ref + strlen(KEYRING), key, why);
}
