// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-node.c - what several checks ask about this node.
 */
#include <ctype.h>
#include <string.h>

#include "attr.h"
#include "doctor.h"
#include "volume-file.h"

#define MODINFO_SECONDS	30

/** doctor_module_loaded() - is it loaded, or built in with parameters? */
bool doctor_module_loaded(const char *module)
{
	return !file_missing("%s/module/%s", sysfs_root(), module);
}

static int ask_modinfo(const struct doctor *doctor, const char *module, char **file)
{
	return command_ask(file, MODINFO_SECONDS, "modinfo", "-k", doctor->release, "-F",
			   "filename", module, NULL);
}

/** doctor_has_module() - could modprobe load it?  In doubt yes: to load it then says why not. */
bool doctor_has_module(const struct doctor *doctor, const char *module)
{
	CLEANUP_FREE char *file = NULL;

	return ask_modinfo(doctor, module, &file) != 1;
}

/** doctor_module_builtin() - is it a part of the kernel itself? */
bool doctor_module_builtin(const struct doctor *doctor, const char *module)
{
	CLEANUP_FREE char *file = NULL;

	return !ask_modinfo(doctor, module, &file) && strstr(file, "(builtin)");
}

/** doctor_field() - what follows @key in the line that begins with it, to free, or NULL */
char *doctor_field(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, key, length)) {
			text += length + strspn(text + length, " \t\"");
			return text_format("%.*s", (int)strcspn(text, "\"\n"), text);
		}
	}
	return NULL;
}

/** doctor_module_field() - a field of what modinfo prints about farmem.ko, "vermagic:" */
char *doctor_module_field(struct doctor *doctor, const char *key)
{
	if (!doctor->modinfo)
		doctor->modinfo_rc = command_ask(&doctor->modinfo, MODINFO_SECONDS, "modinfo", "-k",
						 doctor->release, "farmem", NULL);
	return doctor_field(doctor->modinfo, key);
}

/** doctor_line() - the same of a file of at most a page: "CapEff:" */
char *doctor_line(const char *path, const char *key)
{
	CLEANUP_FREE char *text = attr_read("%s", path);

	return doctor_field(text, key);
}

/** doctor_farmemd_pid() - a farmemd that runs here, by its name; 0 if none does */
unsigned int doctor_farmemd_pid(void)
{
	EACH_NAME(process, name_list("%s", proc_root())) {
		CLEANUP_FREE char *comm = NULL;

		if (!isdigit((unsigned char)**process.at))
			continue;
		comm = attr_read("%s/%s/comm", proc_root(), *process.at);
		if (comm && !strcmp(comm, "farmemd"))
			return strtoul(*process.at, NULL, 10);
	}
	return 0;
}

/* Is @word in the os-release's field, or a part of it? */
static bool distribution_is(const char *key, const char *word)
{
	CLEANUP_FREE char *path = text_format("%s/etc/os-release", file_root());
	CLEANUP_FREE char *id = doctor_line(path, key);

	return id && strstr(id, word);
}

/** doctor_has_package() - is it installed, as Debian's policy lets every package show it? */
bool doctor_has_package(const char *package)
{
	return !file_missing("%s/usr/share/doc/%s/copyright", file_root(), package);
}

/** doctor_install() - advise to install a package: its name for Debian, for RHEL and Fedora */
void doctor_install(struct doctor *doctor, const char *debian, const char *rpm)
{
	if (distribution_is("ID=", "debian") || distribution_is("ID_LIKE=", "debian"))
		doctor_advise(doctor, "apt-get install %s", debian);
	else if (distribution_is("ID=", "rhel") || distribution_is("ID_LIKE=", "rhel") ||
		 distribution_is("ID=", "fedora") || distribution_is("ID_LIKE=", "fedora"))
		doctor_advise(doctor, "dnf install %s", rpm);
	else
		doctor_advise(doctor, "install the package %s (Debian) or %s (RHEL)", debian, rpm);
}

/** doctor_install_kernel() - advise to install the kernel's modules for RDMA */
void doctor_install_kernel(struct doctor *doctor)
{
	CLEANUP_FREE char *extra = text_format("linux-modules-extra-%s", doctor->release);

	if (distribution_is("ID=", "ubuntu"))
		doctor_install(doctor, extra, "");
	else
		doctor_install(doctor, "linux-image-$(dpkg --print-architecture)    (not the cloud flavour; then reboot)",
			       "kernel-modules-extra    (if this release has them at all)");
}

static bool has_volume_file(void)
{
	EACH_NAME(file, name_list("%s" VOLUME_FILES, file_root())) {
		if (strstr(*file.at, ".conf"))
			return true;
	}
	return false;
}

/**
 * doctor_node_kind() - what this node is: NODE_*, or 0 if @node is no kind of node
 * @node: what the user says, NULL if nothing
 * @server: the user named a server to reach
 * @lends: there is a configuration of farmemd
 * @guessed: neither the user nor anything found here told it
 */
unsigned int doctor_node_kind(const char *node, bool server, bool lends, bool *guessed)
{
	unsigned int nodes = 0;

	*guessed = false;
	if (node)
		return !strcmp(node, "compute") ? NODE_COMPUTE : !strcmp(node, "memory") ?
		       NODE_MEMORY : !strcmp(node, "both") ? NODE_BOTH : 0;
	if (server || doctor_module_loaded("farmem") || has_volume_file())
		nodes |= NODE_COMPUTE;
	if (lends || doctor_farmemd_pid())
		nodes |= NODE_MEMORY;
	*guessed = !nodes;
	return nodes ? nodes : NODE_BOTH;
}
