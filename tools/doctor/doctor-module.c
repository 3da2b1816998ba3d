// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-module.c - farmem.ko: built, installed, allowed in, loaded.
 */
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "doctor.h"
#include "object.h"

/* "6.1.0-56-amd64 SMP preempt ..." names the kernel that it was built for. */
static bool is_for(const struct doctor *doctor, const char *vermagic)
{
	size_t length = strlen(doctor->release);

	return vermagic && !strncmp(vermagic, doctor->release, length) && vermagic[length] == ' ';
}

static bool is_built(struct doctor *doctor)
{
	CLEANUP_FREE char *vermagic = doctor_module_field(doctor, "vermagic:");

	return is_for(doctor, vermagic);
}

/* A node that nothing calls a compute node, and that has farmemd, may do without. */
static bool needs_no_module(const struct doctor *doctor)
{
	return doctor->guessed && doctor->config->answered && !doctor_has_package("farmem-dkms");
}

/* To free. */
static char *how_to_build(const struct doctor *doctor)
{
	const char *release = doctor->release;

	if (doctor_has_package("farmem-dkms"))
		return text_format("apt-get install linux-headers-%s && dkms autoinstall -k %s", release, release);
	if (doctor_has_package("farmem-tools"))
		return text_format("apt install ./farmem-dkms_*.deb linux-headers-%s    (where farmem's packages are)",
				   release);
	return text_format("make modules KDIR=/lib/modules/%s/build && make install    (in farmem's source)",
			   release);
}

void check_module_built(struct doctor *doctor)
{
	CLEANUP_FREE char *build = how_to_build(doctor);
	CLEANUP_FREE char *vermagic = doctor_module_field(doctor, "vermagic:");
	CLEANUP_FREE char *path = doctor_module_field(doctor, "filename:");

	if (is_for(doctor, vermagic)) {
		doctor_say(doctor, VERDICT_OK, "%s", path ? path : "farmem.ko");
	} else if (vermagic) {
		doctor_say(doctor, VERDICT_FAIL, "%s was built for %.*s, but this kernel is %s",
			   path ? path : "farmem.ko", (int)strcspn(vermagic, " "), vermagic,
			   doctor->release);
		doctor_advise(doctor, "%s", build);
	} else if (doctor->modinfo_rc > 1) {
		doctor_say(doctor, VERDICT_UNKNOWN, "modinfo failed: exit code %d",
			   doctor->modinfo_rc);
		doctor_install(doctor, "kmod", "kmod");
	} else if (doctor_module_loaded("farmem")) {
		doctor_say(doctor, VERDICT_WARN,
			   "farmem.ko is loaded, but not installed: modprobe will not find it");
		doctor_advise(doctor, "make install    (in farmem's source)");
	} else if (needs_no_module(doctor)) {
		doctor_say(doctor, VERDICT_SKIPPED, "there is no farmem.ko for Linux %s; on a compute node give --node compute",
			   doctor->release);
	} else {
		doctor_say(doctor, VERDICT_FAIL, "there is no farmem.ko for Linux %s",
			   doctor->release);
		doctor_advise(doctor, "%s", build);
	}
}

void check_module_headers(struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/lib/modules/%s/build/Makefile", file_root(),
					      doctor->release);
	CLEANUP_FREE char *debian = text_format("linux-headers-%s", doctor->release);
	CLEANUP_FREE char *rpm = text_format("kernel-devel-%s", doctor->release);

	if (!file_missing("%s", path)) {
		doctor_say(doctor, VERDICT_OK, "%s", path + strlen(file_root()));
	} else if (is_built(doctor) || doctor_module_loaded("farmem")) {
		doctor_say(doctor, VERDICT_OK, "there are no kernel headers, and none are needed: the module is built");
	} else if (needs_no_module(doctor)) {
		doctor_say(doctor, VERDICT_SKIPPED, "there are no kernel headers, and nothing needs them; on a compute node give --node compute");
	} else {
		doctor_say(doctor, VERDICT_FAIL, "there are no kernel headers for Linux %s",
			   doctor->release);
		doctor_install(doctor, debian, rpm);
	}
}

/* The word in brackets of "none [integrity] confidentiality", to free. */
static char *chosen(const char *text)
{
	const char *from = text ? strchr(text, '[') : NULL;

	return from ? text_format("%.*s", (int)strcspn(from + 1, "]"), from + 1) : NULL;
}

/* Does this kernel refuse modules without a signature?  Why, to free; NULL: it does not. */
static char *demands_signature(bool *known)
{
	CLEANUP_FREE char *enforce = attr_read("%s/module/module/parameters/sig_enforce", sysfs_root());
	CLEANUP_FREE char *modes = attr_read("%s/kernel/security/lockdown", sysfs_root());
	CLEANUP_FREE char *mode = chosen(modes);

	/* A kernel built without signatures has no such parameter. */
	*known = mode || (enforce && *enforce == 'Y');
	if (enforce && *enforce == 'Y')
		return text_copy("module.sig_enforce is on");
	if (mode && strcmp(mode, "none"))
		return text_format("the kernel is locked down (%s), as with Secure Boot", mode);
	return NULL;
}

/* Lockdown is told of in securityfs; a kernel may be built without it. */
static void say_unknown(struct doctor *doctor)
{
	EACH_NAME(file, name_list("%s/kernel/security", sysfs_root())) {
		doctor_say(doctor, VERDICT_OK, "this kernel has no lockdown");
		return;
	}
	doctor_say(doctor, VERDICT_UNKNOWN, "securityfs is not mounted");
	doctor_repair(doctor, "mount", "-t", "securityfs", "none", "/sys/kernel/security", NULL);
}

/*
 * Has the kernel a key of that signer?  /proc/keys does not tell the keyring, but only
 * root gets a certificate into the kernel.  *@known: keys could be seen at all.
 *
 * A signature names its key by the serial number, /proc/keys by another identity as a
 * rule; both have the name.
 */
static bool has_key_of(const char *signer, bool *known)
{
	CLEANUP_FREE char *path = text_format("%s/keys", proc_root());
	CLEANUP_FREE char *named = text_format("%s: ", signer);
	CLEANUP_FREE char *line = NULL;
	FILE *file = fopen(path, "re");
	bool found = false;
	size_t room = 0;

	*known = false;
	while (file && getline(&line, &room, file) > 0) {
		const char *key = strstr(line, " asymmetr");

		*known |= key != NULL;
		found |= key && strstr(key, named);
	}
	if (file)
		fclose(file);
	return found;
}

/* A signature alone does not do: the kernel must know its signer. */
static void say_signed(struct doctor *doctor, const char *why, const char *signer)
{
	bool known;

	if (!*signer) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s; farmem.ko is signed, but modinfo does not name the signer",
			   why);
	} else if (has_key_of(signer, &known)) {
		doctor_say(doctor, VERDICT_OK, "%s; farmem.ko is signed by %s, and the kernel has the signer's key", why,
			   signer);
		return;
	} else if (!known) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s; farmem.ko is signed by %s: the kernel loads it only if that key is enrolled",
			   why, signer);
	} else {
		doctor_say(doctor, VERDICT_WARN, "%s; farmem.ko is signed by %s, and the kernel has no key of that name",
			   why, signer);
	}
	doctor_advise(doctor, "mokutil --list-enrolled    (does it list the key? /proc/keys tells root, too)");
	doctor_advise(doctor, "if not: mokutil --import CERTIFICATE, then reboot and confirm at the console");
}

static void say_unsigned(struct doctor *doctor, const char *why)
{
	doctor_say(doctor, VERDICT_FAIL, "%s: farmem.ko needs a signature and has none", why);
	doctor_advise(doctor, "openssl req -new -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=farmem/ -outform DER -keyout MOK.key -out MOK.der    (once)");
	doctor_advise(doctor, "/lib/modules/%s/build/scripts/sign-file sha256 MOK.key MOK.der $(modinfo -n farmem)",
		      doctor->release);
	doctor_advise(doctor, "mokutil --import MOK.der, then reboot and confirm at the console");
}

void check_module_signing(struct doctor *doctor)
{
	CLEANUP_FREE char *signer = doctor_module_field(doctor, "signer:");
	CLEANUP_FREE char *id = doctor_module_field(doctor, "sig_id:");
	CLEANUP_FREE char *why = NULL;
	bool known;

	why = demands_signature(&known);
	if (doctor_module_loaded("farmem")) {
		doctor_say(doctor, VERDICT_OK, "the module is loaded, so this kernel accepts it");
	} else if (!known) {
		say_unknown(doctor);
	} else if (!why) {
		doctor_say(doctor, VERDICT_OK, "this kernel loads modules without a signature");
	} else if (signer || id) {
		say_signed(doctor, why, signer ? signer : "");
	} else {
		say_unsigned(doctor, why);
	}
}

void check_module_loaded(struct doctor *doctor)
{
	CLEANUP_FREE char *build = how_to_build(doctor);

	if (!doctor_module_loaded("farmem")) {
		doctor_say(doctor, doctor->guessed ? VERDICT_SKIPPED : VERDICT_WARN,
			   is_built(doctor) ? "farmem.ko is not loaded" : "farmem.ko is neither loaded nor built");
		if (doctor->guessed)
			return;
		if (is_built(doctor)) {
			doctor_repair(doctor, "modprobe", "farmem", NULL);
			doctor_advise(doctor, "for good: echo farmem >/etc/modules-load.d/farmem.conf    (volumes are made anew each time)");
		} else {
			doctor_advise(doctor, "%s, then modprobe farmem", build);
		}
	} else if (file_missing("%s", configfs_root()) && module_is_coming()) {
		doctor_say(doctor, VERDICT_WARN, "farmem.ko is being loaded: modprobe waits for the memory server");
		doctor_advise(doctor, "farmemctl doctor --server ADDRESS");
	} else if (file_missing("%s", configfs_root())) {
		doctor_say(doctor, VERDICT_FAIL, "farmem.ko is loaded, but configfs is not mounted");
		doctor_repair(doctor, "mount", "-t", "configfs", "none", "/sys/kernel/config",
			      NULL);
	} else {
		doctor_say(doctor, VERDICT_OK, "farmem.ko is loaded");
	}
}
