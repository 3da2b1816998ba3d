// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-kernel.c - the running kernel, and what swap can do on it.
 */
#include <string.h>

#include "attr.h"
#include "doctor.h"

#define SERIES(major, minor) ((major) * 1000 + (minor))

/* The matrix of the tests, as in tests/kernels/lib.sh. */
static const unsigned int tested[] = {
	SERIES(5, 10), SERIES(6, 1), SERIES(6, 12), SERIES(7, 2),
};

void check_kernel_version(struct doctor *doctor)
{
	size_t i;

	if (!doctor->series) {
		doctor_say(doctor, VERDICT_UNKNOWN, "the release of this kernel, %s, does not begin with a version",
			   doctor->release);
		doctor_advise(doctor, "uname -r; cat /proc/sys/kernel/osrelease");
		return;
	}
	if (doctor->series < tested[0]) {
		doctor_say(doctor, VERDICT_FAIL, "Linux %s is older than 5.10: farmem.ko does not build",
			   doctor->release);
		doctor_advise(doctor, "install Linux 6.1 or newer and boot it");
		return;
	}
	for (i = 0; i < sizeof(tested) / sizeof(tested[0]); i++) {
		if (doctor->series == tested[i]) {
			doctor_say(doctor, VERDICT_OK, "Linux %s", doctor->release);
			return;
		}
	}
	doctor_say(doctor, VERDICT_OK,
		   "Linux %s; farmem is tested on 5.10, 6.1, 6.12 and 7.2, and usually builds on others",
		   doctor->release);
}

/* How swap gets at its pages, by what the module offers on this kernel. */
static const char *path_by_module(const char *features)
{
	if (strstr(features, "frontswap"))
		return "bios; frontswap=1 is available";
	if (strstr(features, "rw_page"))
		return "rw_page: a page fault's read is complete when the kernel's call returns";
	if (strstr(features, "sync"))
		return "bios; sync=1, the synchronous feature, is available";
	return "bios; this kernel has neither rw_page nor the synchronous feature";
}

static const char *path_by_version(unsigned int series)
{
	if (series == SERIES(5, 10))
		return path_by_module("frontswap");
	if (series >= SERIES(6, 0) && series < SERIES(6, 3))
		return path_by_module("rw_page");
	return path_by_module(series < SERIES(6, 11) ? "" : "sync");
}

/* What the module says of itself is surer than the version. */
void check_swap_path(struct doctor *doctor)
{
	CLEANUP_FREE char *features = attr_read("%s/features", configfs_root());

	if (features && doctor_module_loaded("farmem")) {
		doctor_say(doctor, VERDICT_OK, "%s; the module offers: %s",
			   path_by_module(features), features);
	} else if (doctor->series) {
		doctor_say(doctor, VERDICT_OK, "%s", path_by_version(doctor->series));
	} else {
		doctor_say(doctor, VERDICT_UNKNOWN, "the kernel's version, which decides this, is not known");
		doctor_advise(doctor, "modprobe farmem; cat /sys/kernel/config/farmem/features");
	}
}
