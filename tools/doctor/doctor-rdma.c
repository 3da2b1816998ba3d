// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-rdma.c - what must be there before there is a port: modules, device files,
 * devices, and the libraries by which programs use them.
 */
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"

/* The kernel's own come with farmem.ko; programs, farmemd above all, need two more. */
static const struct {
	const char *name;
	bool programs;
} modules[] = {
	{ "ib_core", false },
	{ "rdma_cm", false },
	{ "ib_uverbs", true },
	{ "rdma_ucm", true },
};

#define MODULES (sizeof(modules) / sizeof(modules[0]))

/* Are there programs on this node that use RDMA?  The doctor's own visit is one. */
static bool programs_matter(const struct doctor *doctor)
{
	return (doctor->nodes & NODE_MEMORY && !doctor->guessed) || doctor->args->value[OPT_SERVER];
}

void check_rdma_modules(struct doctor *doctor)
{
	CLEANUP_FREE char *absent = NULL;
	CLEANUP_FREE char *unloaded = NULL;
	CLEANUP_FREE char *unneeded = NULL;
	size_t i;

	for (i = 0; i < MODULES; i++) {
		if (doctor_module_loaded(modules[i].name) ||
		    doctor_module_builtin(doctor, modules[i].name))
			continue;
		if (modules[i].programs && !programs_matter(doctor))
			text_add(&unneeded, " ", modules[i].name);
		else if (!doctor_has_module(doctor, modules[i].name))
			text_add(&absent, " ", modules[i].name);
		else if (modules[i].programs)
			text_add(&unloaded, " ", modules[i].name);
	}
	if (absent) {
		doctor_say(doctor, VERDICT_FAIL, "Linux %s comes without %s", doctor->release,
			   absent);
		doctor_install_kernel(doctor);
	} else if (unloaded) {
		doctor_say(doctor, VERDICT_FAIL, "not loaded: %s", unloaded);
		doctor_repair(doctor, "modprobe", "-a", "ib_uverbs", "rdma_ucm", NULL);
		doctor_advise(doctor, "for good: printf 'ib_uverbs\\nrdma_ucm\\n' >/etc/modules-load.d/farmem-rdma.conf");
	} else if (unneeded) {
		doctor_say(doctor, VERDICT_OK, "not loaded: %s; programs need these modules, farmem.ko works without them",
			   unneeded);
	} else {
		doctor_say(doctor, VERDICT_OK, "ib_core, rdma_cm, ib_uverbs and rdma_ucm are there");
	}
}

/* Is there a name that begins with "uverbs"? */
static bool any_uverbs(const char *folder)
{
	EACH_NAME(file, name_list("%s", folder))
		if (!strncmp(*file.at, "uverbs", strlen("uverbs")))
			return true;
	return false;
}

void check_rdma_files(struct doctor *doctor)
{
	CLEANUP_FREE char *files = text_format("%s/dev/infiniband", file_root());
	CLEANUP_FREE char *devices = text_format("%s/class/infiniband_verbs", sysfs_root());
	bool cm_missing = file_missing("%s/rdma_cm", files);
	bool verbs_missing = any_uverbs(devices) && !any_uverbs(files);

	if (cm_missing && !doctor_module_loaded("rdma_ucm") &&
	    !doctor_module_builtin(doctor, "rdma_ucm")) {
		doctor_say(doctor, VERDICT_SKIPPED, "the modules of the device files are not loaded");
	} else if (!cm_missing && !verbs_missing) {
		doctor_say(doctor, VERDICT_OK, "/dev/infiniband has a file for each device");
	} else {
		doctor_say(doctor, programs_matter(doctor) ? VERDICT_FAIL : VERDICT_WARN,
			   "missing in /dev/infiniband:%s%s", cm_missing ? " rdma_cm" : "",
			   verbs_missing ? " uverbs*" : "");
		doctor_repair(doctor, "udevadm", "trigger", "--action=add",
			      "--subsystem-match=infiniband_verbs", "--subsystem-match=misc",
			      "--settle", NULL);
	}
}

static bool first_of_device(const struct rdma_port *ports, size_t i)
{
	return !i || strcmp(ports[i].device, ports[i - 1].device) != 0;
}

/* A device that does not serve is a failure only where no other serves. */
static void say_iwarp(struct doctor *doctor, bool fit)
{
	const struct rdma_port *ports = doctor->ports;
	size_t i;

	for (i = 0; i < doctor->port_count; i++) {
		if (!ports[i].iwarp || !first_of_device(ports, i))
			continue;
		doctor_say(doctor, fit ? VERDICT_WARN : VERDICT_FAIL,
			   "%s speaks iWARP, which farmem does not support: iWARP acknowledges a write before it has arrived",
			   ports[i].device);
		doctor_advise(doctor, "Intel E810 can do RoCE: devlink dev param set pci/ADDRESS name enable_iwarp value false cmode runtime");
		doctor_advise(doctor, "and then: devlink dev param set pci/ADDRESS name enable_roce value true cmode runtime");
	}
}

void check_rdma_devices(struct doctor *doctor)
{
	const struct rdma_port *ports = doctor->ports;
	CLEANUP_FREE char *list = NULL;
	bool fit = false;
	size_t i;

	for (i = 0; i < doctor->port_count; i++) {
		CLEANUP_FREE char *word = NULL;

		fit |= !ports[i].iwarp;
		if (!first_of_device(ports, i))
			continue;
		word = text_format("%s (%s%s)", ports[i].device, ports[i].soft ? "soft-" : "",
				   ports[i].iwarp ? "iWARP" :
				   rdma_port_is(&ports[i], "Ethernet") ? "RoCE" : ports[i].layer);
		text_add(&list, " ", word);
	}
	if (list) {
		if (fit)
			doctor_say(doctor, VERDICT_OK, "%s", list);
		say_iwarp(doctor, fit);
	} else {
		doctor_say(doctor, VERDICT_FAIL,
			   "this node has no RDMA device; soft-RoCE can make one from an Ethernet interface");
		doctor_offer_device(doctor);
	}
}

/* What the kernel has, a program may still not see: it takes a provider for each. */
void check_rdma_libraries(struct doctor *doctor)
{
	enum verdict bad = programs_matter(doctor) ? VERDICT_FAIL : VERDICT_WARN;
	size_t seen;

	switch (doctor_fabric_devices(doctor, &seen)) {
	case FABRIC_OK:
		break;
	case FABRIC_NO_LIBRARY:
		doctor_say(doctor, bad, "farmem-fabric does not start: librdmacm, libibverbs or libcrypto is missing");
		doctor_install(doctor, FABRIC_DEBIAN, FABRIC_RPM);
		return;
	default:
		doctor_say(doctor, VERDICT_UNKNOWN, "farmem-fabric, which asks the libraries, is not installed or failed");
		doctor_advise(doctor, "make install    (in farmem's source)");
		return;
	}
	if (!doctor->port_count) {
		doctor_say(doctor, VERDICT_SKIPPED, "there is no device");
	} else if (!seen) {
		doctor_say(doctor, bad, "libibverbs sees no RDMA device: its provider is missing, or a device file is (see rdma.files)");
		doctor_install(doctor, "ibverbs-providers", "rdma-core");
	} else {
		doctor_say(doctor, VERDICT_OK, "libibverbs sees all RDMA devices: %zu", seen);
	}
}
