// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-server.c - the way to the server of --server, step by step.
 *
 * farmem-fabric goes it; here each of its steps becomes the finding of its check.
 */
#include <stddef.h>
#include <string.h>

#include "checks.h"
#include "doctor-fabric.h"
#include "doctor-node.h"
#include "finding.h"

/* Whoever asks for a way wants to know of it: one that nobody went is no good. */
static void say_no_visit(struct doctor *doctor, enum fabric_answer answer)
{
	if (answer == FABRIC_NO_LIBRARY) {
		doctor_say(doctor, VERDICT_FAIL, "farmem-fabric does not start: see rdma.libraries");
		doctor_install(doctor, FABRIC_DEBIAN, FABRIC_RPM);
	} else {
		doctor_say(doctor, VERDICT_FAIL, "farmem-fabric, which would go there, is not installed or failed");
		doctor_advise(doctor, "make install    (in farmem's source)");
	}
}

/* A step that nothing was said of: the first such says why. */
static void say_missing(struct doctor *doctor, enum fabric_answer answer)
{
	if (!strcmp(doctor->check->id, "server.address")) {
		say_no_visit(doctor, answer);
	} else if (answer != FABRIC_OK && doctor_last(doctor) == VERDICT_OK) {
		doctor_say(doctor, VERDICT_FAIL, "farmem-fabric did not get past this, and had to be ended");
		doctor_advise(doctor, "dmesg | tail    (it hung in a library or in the kernel)");
	} else {
		doctor_say(doctor, VERDICT_SKIPPED, "not reached");
	}
}

void check_server_step(struct doctor *doctor)
{
	const struct fabric_step *step = doctor_fabric_step(doctor, doctor->check->id);

	if (!step) {
		say_missing(doctor, doctor_fabric_visit(doctor));
		return;
	}
	doctor_say(doctor, step->verdict, "%s", step->text);
	if (step->advice)
		doctor_advise(doctor, "%s", step->advice);
}
