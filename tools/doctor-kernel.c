// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-kernel.c - the running kernel, and what swap can do on it.
 */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cleanup.h"
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
		doctor_say(doctor, VERDICT_UNKNOWN, "Linux %s is no version that can be read",
			   doctor->release);
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
		   "Linux %s; farmem is tested on 5.10, 6.1, 6.12 and 7.2, others build as a rule",
		   doctor->release);
}

/* What the module says of itself is surer than the version. */
static bool say_features(struct doctor *doctor)
{
	CLEANUP_FREE char *path = text_format("%s/features", configfs_root());
	CLEANUP_FREE char *features = attr_read(path);

	if (!features || !doctor_module_loaded("farmem"))
		return false;
	doctor_say(doctor, VERDICT_OK, "the module offers: %s", features);
	return true;
}

void check_swap_path(struct doctor *doctor)
{
	if (say_features(doctor))
		return;
	if (!doctor->series)
		doctor_say(doctor, VERDICT_UNKNOWN, "that depends on the kernel's version");
	else if (doctor->series == SERIES(5, 10))
		doctor_say(doctor, VERDICT_OK,
			   "rw_page: a fault's read is over when it returns; frontswap=1 is on offer");
	else if (doctor->series < SERIES(6, 3))
		doctor_say(doctor, VERDICT_OK, "rw_page: a fault's read is over when it returns");
	else if (doctor->series < SERIES(6, 11))
		doctor_say(doctor, VERDICT_OK,
			   "bios; this kernel has neither rw_page nor the synchronous feature");
	else
		doctor_say(doctor, VERDICT_OK, "bios; sync=1, the synchronous feature, is on offer");
}
