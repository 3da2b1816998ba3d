// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-node.c - what several checks ask about this node.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "command.h"
#include "doctor-node.h"

#define MODINFO_SECONDS	30

/**
 * doctor_module_loaded() - is a module of the kernel loaded?
 * @module: its name
 *
 * Return: true too for one that is built in and has parameters.
 */
bool doctor_module_loaded(const char *module)
{
	return !file_missing("%s/module/%s", sysfs_root(), module);
}

/**
 * doctor_has_module() - could modprobe load it, or is it built in?
 * @doctor: the examination
 * @module: its name
 *
 * In doubt yes: to load it then fails, and says why.
 */
bool doctor_has_module(const struct doctor *doctor, const char *module)
{
	CLEANUP_FREE char *output = NULL;

	return command_ask(&output, MODINFO_SECONDS, "modinfo", "-k", doctor->release, "-F",
			   "filename", module, NULL) != 1;
}

/** doctor_module_builtin() - is it a part of the kernel itself? */
bool doctor_module_builtin(const struct doctor *doctor, const char *module)
{
	CLEANUP_FREE char *output = NULL;

	return !command_ask(&output, MODINFO_SECONDS, "modinfo", "-k", doctor->release, "-F",
			    "filename", module, NULL) && strstr(output, "(builtin)");
}

/**
 * doctor_module_field() - what modinfo says of farmem.ko; it is asked once
 * @doctor: the examination
 * @name: of the field, for instance "vermagic"
 *
 * Return: its value, to free; NULL if there is none, or no such module.
 */
char *doctor_module_field(struct doctor *doctor, const char *name)
{
	CLEANUP_FREE char *start = text_format("%s:", name);
	size_t length = strlen(start);
	const char *line;

	if (!doctor->modinfo)
		doctor->modinfo_rc = command_ask(&doctor->modinfo, MODINFO_SECONDS, "modinfo", "-k",
						 doctor->release, "farmem", NULL);
	for (line = doctor->modinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, start, length)) {
			line += length + strspn(line + length, " \t");
			return text_format("%.*s", (int)strcspn(line, "\n"), line);
		}
	}
	return NULL;
}

/**
 * doctor_line() - what follows a key at the start of a line of a file
 * @path: the file
 * @key: for instance "CapEff:"
 *
 * Return: the rest of the first such line, without blanks around it, to free; NULL.
 */
char *doctor_line(const char *path, const char *key)
{
	CLEANUP_FREE char *line = NULL;
	FILE *file = fopen(path, "re");
	char *found = NULL;
	size_t room = 0;

	while (file && !found && getline(&line, &room, file) > 0) {
		char *from = line + strlen(key);

		if (strncmp(line, key, strlen(key)))
			continue;
		from += strspn(from, " \t\"");
		from[strcspn(from, "\"\n")] = '\0';
		found = text_copy(from);
	}
	if (file)
		fclose(file);
	return found;
}

/** doctor_farmemd_pid() - a farmemd that runs here, by its name; 0 if none does */
unsigned int doctor_farmemd_pid(void)
{
	char **names = name_list("%s", proc_root());
	unsigned int pid = 0;
	char **name;

	for (name = names; name && *name && !pid; name++) {
			CLEANUP_FREE char *comm = NULL;

		if (!isdigit((unsigned char)**name))
			continue;
		comm = attr_read("%s/%s/comm", proc_root(), *name);
		if (comm && !strcmp(comm, "farmemd"))
			pid = strtoul(*name, NULL, 10);
	}
	name_list_free(names);
	return pid;
}

/* Is @word in the os-release's ID or ID_LIKE? */
static bool distribution_is(const char *word)
{
	CLEANUP_FREE char *path = text_format("%s/etc/os-release", file_root());
	CLEANUP_FREE char *id = doctor_line(path, "ID=");
	CLEANUP_FREE char *like = doctor_line(path, "ID_LIKE=");

	return (id && strstr(id, word)) || (like && strstr(like, word));
}

/**
 * doctor_install() - advise to install a package
 * @doctor: something was said
 * @debian: its name on Debian and Ubuntu
 * @rpm: on RHEL and Fedora
 */
void doctor_install(struct doctor *doctor, const char *debian, const char *rpm)
{
	if (distribution_is("debian"))
		doctor_advise(doctor, "apt-get install %s", debian);
	else if (distribution_is("rhel") || distribution_is("fedora"))
		doctor_advise(doctor, "dnf install %s", rpm);
	else
		doctor_advise(doctor, "install the package %s (Debian) or %s (RHEL)", debian, rpm);
}

static bool is_ubuntu(void)
{
	CLEANUP_FREE char *path = text_format("%s/etc/os-release", file_root());
	CLEANUP_FREE char *id = doctor_line(path, "ID=");

	return id && !strcmp(id, "ubuntu");
}

/** doctor_install_kernel() - advise to install the kernel's modules for RDMA */
void doctor_install_kernel(struct doctor *doctor)
{
	CLEANUP_FREE char *extra = text_format("linux-modules-extra-%s", doctor->release);

	if (is_ubuntu())
		doctor_install(doctor, extra, "");
	else
		doctor_install(doctor, "linux-image-$(dpkg --print-architecture)    (not the cloud flavour; then reboot)",
			       "kernel-modules-extra    (if this release has them at all)");
}

static unsigned int given(const char *node)
{
	if (!strcmp(node, "compute"))
		return NODE_COMPUTE;
	if (!strcmp(node, "memory"))
		return NODE_MEMORY;
	return strcmp(node, "both") ? 0 : NODE_BOTH;
}

/**
 * doctor_node_kind() - what this node is
 * @node: what the user says, NULL if nothing
 * @server: the user named a server to reach
 * @lends: there is a configuration of farmemd
 * @guessed: whether neither the user nor anything found here told it
 *
 * Return: NODE_*; 0 if @node is no kind of node.
 */
unsigned int doctor_node_kind(const char *node, bool server, bool lends, bool *guessed)
{
	unsigned int nodes = 0;

	*guessed = false;
	if (node)
		return given(node);
	if (server || doctor_module_loaded("farmem"))
		nodes |= NODE_COMPUTE;
	if (lends || doctor_farmemd_pid())
		nodes |= NODE_MEMORY;
	*guessed = !nodes;
	return nodes ? nodes : NODE_BOTH;
}
