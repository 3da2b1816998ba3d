// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "progress.h"
#include "volume-file.h"
#include "../group/lvm.h"
#include "../group/record.h"

/* A volume is made in a step for each of its settings, each bounded by connect-timeout. */
#define CREATE_SECONDS	3600
#define FORMAT_SECONDS	300
#define SWAP_SECONDS	"5"	/* for servers that are away: what swap held there is of no use */
#define CREATE_WORDS	8	/* beside the options of the file */

/* Of a volume whose file names no key: the credential of a service that outlives its own. */
#define CREDENTIAL "/run/credentials/farmem-key.service/farmem.key"

/* An option, to free; NULL: there is no such key. */
static char *credential_of(const struct volume_file *file)
{
	if (volume_file_has(file, "key") || file_missing("%s" CREDENTIAL, file_root()))
		return NULL;
	return text_format("--key=%s" CREDENTIAL, file_root());
}

static bool is_group_there(const struct volume_file *file)
{
	return file->group && !file_missing("%s" GROUP_FOLDER "/groups/%s.json", file_root(), file->name);
}

/*
 * The words of "farmemctl volume create", "group create" or "group start" for what a file
 * says; they are not the answer's.
 */
static void create_words(const struct volume_file *file, char *program, char *key, char **words)
{
	bool start = is_group_there(file);
	unsigned int i;

	*words++ = program;
	*words++ = file->group ? "group" : "volume";
	*words++ = start ? "start" : "create";
	*words++ = file->name;
	if (start && (file->start || file->swap))
		*words++ = file->start ?: "--timeout=" SWAP_SECONDS;
	*words = NULL;
	if (start)
		return;
	if (!file->group)
		*words++ = "--if-absent";
	for (i = 0; i < file->count; i++)
		*words++ = file->option[i];
	*words++ = key;
	*words = NULL;
}

static int show_command(const struct volume_file *file)
{
	char *words[VOLUME_FILE_OPTIONS + CREATE_WORDS];
	CLEANUP_FREE char *key = credential_of(file);
	CLEANUP_FREE char *text = NULL;

	create_words(file, "farmemctl", key, words);
	text = command_text(words);
	printf("%s\n", text);
	return RC_OK;
}

/* What a "group create" has left that was ended holds nothing. */
static void delete_unfinished(const struct volume_file *file, char *program)
{
	struct group group;

	if (!is_group_there(file))
		return;
	if (!record_load(file->name, &group) && !group.made)
		command_run((char *[]){ program, "group", "delete", file->name, NULL }, CREATE_SECONDS, COMMAND_ASIDE);
	record_free(&group);
}

/*
 * In a process of its own: it holds locks as long as it lives, and others wait for these.
 * What such processes print is no answer of ours: another one may fail.
 */
static int create(const struct volume_file *file)
{
	CLEANUP_FREE char *folder = command_folder();
	CLEANUP_FREE char *program = text_format("%s/farmemctl", folder);
	CLEANUP_FREE char *key = credential_of(file);
	char *words[VOLUME_FILE_OPTIONS + CREATE_WORDS];
	int rc;

	delete_unfinished(file, program);
	create_words(file, program, key, words);
	if (!command_run(words, CREATE_SECONDS, COMMAND_ASIDE))
		return RC_OK;
	/* What swap held before a crash is of no use, whatever servers are away. */
	if (!file->swap || !is_group_there(file))
		return RC_FAILURE;
	rc = command_run((char *[]){ program, "group", "start", file->name, "--force", "--timeout=0", NULL },
			 CREATE_SECONDS, COMMAND_ASIDE);
	if (rc != RC_LOST)
		return rc;
	rc = command_run((char *[]){ program, "group", "delete", file->name, NULL }, CREATE_SECONDS, COMMAND_ASIDE);
	if (rc)
		return rc;
	create_words(file, program, key, words);
	return command_run(words, CREATE_SECONDS, COMMAND_ASIDE);
}

/* What is on a disk, as blkid names it, to free: "" if there is nothing that it knows. */
static char *content_of(const char *disk)
{
	char *said;
	int rc;

	progress_begin("looking what is on %s, %d s at most", disk, FORMAT_SECONDS);
	rc = command_ask(&said, FORMAT_SECONDS, "blkid", "-p", "-o", "value", "-s", "TYPE",
			 "-s", "PTTYPE", disk, NULL);
	progress_end();
	said[strcspn(said, "\n")] = '\0';
	/* 2: there is nothing. */
	if (!rc || rc == 2)
		return said;
	free(said);
	return NULL;
}

/* Only a disk with nothing on it is formatted. */
static int format_swap(const struct volume_file *file)
{
	CLEANUP_FREE char *device = file->group ? NULL : object_get(VOLUMES, file->name, "device");
	CLEANUP_FREE char *disk = file->group ? lvm_device(file->name) : text_format("/dev/%s", device ? device : "");
	const char *kind = file->group ? "group" : "volume", *name = file->name;
	CLEANUP_FREE char *content = content_of(disk);

	if (!content)
		return fail("%s %s: blkid could not look at %s", kind, name, disk);
	if (!strcmp(content, "swap"))
		return RC_OK;
	if (*content) {
		fail("%s %s is to be swap, but %s holds %s", kind, name, disk, content);
		return next_step("if nobody needs that: wipefs --all %s", disk);
	}
	if (command_run((char *[]){ "mkswap", disk, NULL }, FORMAT_SECONDS, COMMAND_ASIDE))
		return fail("%s %s: mkswap failed", kind, name);
	return RC_OK;
}

/* What swap held is of no use after it is off; a file system is. */
static int undo(const struct volume_file *file)
{
	CLEANUP_FREE char *folder = command_folder();
	CLEANUP_FREE char *program = text_format("%s/farmemctl", folder);

	/* Swap too: a group made anew at the next boot would need all servers. */
	if (is_group_there(file))
		return command_run((char *[]){ program, "group", "stop", file->name, "--force", NULL },
				   CREATE_SECONDS, COMMAND_ASIDE);
	if (!object_exists(VOLUMES, file->name))
		return RC_OK;
	return command_run((char *[]){ program, "volume", "delete", file->name,
				       file->swap ? NULL : "--keep", NULL }, CREATE_SECONDS, COMMAND_ASIDE);
}

static int apply(const struct cli_args *args, const struct volume_file *file)
{
	if (args->value[OPT_DRY_RUN])
		return show_command(file);
	if (args->value[OPT_UNDO])
		return undo(file);
	return create(file) || (file->swap && format_swap(file)) ? RC_FAILURE : RC_OK;
}

/* Is its file as it should be? */
static bool is_right(const char *name)
{
	struct volume_file file;
	char error[512];
	int err = volume_file_read(&file, name, error, sizeof(error));

	volume_file_free(&file);
	if (err) {
		fail("%s", error);
		next_step("man 8 farmemctl, section FILES OF VOLUMES");
	}
	return !err;
}

static int apply_named(const struct cli_args *args, const char *name)
{
	struct volume_file file;
	char error[512];
	int rc = RC_USAGE;

	if (!volume_file_read(&file, name, error, sizeof(error)))
		rc = apply(args, &file) ? RC_FAILURE : RC_OK;
	volume_file_free(&file);
	return rc;
}

/* What is wrong with any file is said first, and then all others are made. */
static int apply_all(const struct cli_args *args)
{
	int rc = RC_OK;

	EACH_NAME(name, volume_file_names())
		if (!is_right(*name.at))
			rc = RC_USAGE;
	if (rc && args->value[OPT_DRY_RUN])
		return rc;
	EACH_NAME(name, volume_file_names()) {
		int failed = apply_named(args, *name.at);

		rc = rc ? rc : failed;
	}
	return rc;
}

/** apply_run() - farmemctl apply [VOLUME] */
int apply_run(const struct cli_args *args)
{
	CLEANUP_FREE char *name = NULL;

	if (args->value[OPT_DRY_RUN] && args->value[OPT_UNDO])
		return misuse(args->title, "give --dry-run or --undo, not both");
	if (!args->value[OPT_DRY_RUN] && module_check())
		return RC_FAILURE;
	command_path();
	if (!args->name)
		return apply_all(args);
	/* A file may have the name of a disk: only a path stands for the disk. */
	name = *args->name == '/' ? volume_named(args->name) : text_copy(args->name);
	if (*name == '/' && object_require(VOLUMES, name))
		return RC_FAILURE;
	return is_right(name) ? apply_named(args, name) : RC_USAGE;
}
