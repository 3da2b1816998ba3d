/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor-fabric.h - what farmem-fabric finds out for the doctor.
 *
 * farmem-fabric is a program of its own because it needs librdmacm and libibverbs,
 * which a compute node can do without and whose absence is itself a finding; and
 * because what hangs in them can be ended.  What it prints is told in fabric.c.
 * Each of its two answers is asked for once in an examination.
 */
#ifndef FARMEMCTL_DOCTOR_FABRIC_H
#define FARMEMCTL_DOCTOR_FABRIC_H

#include <stddef.h>

#include "finding.h"

/* The packages of its libraries. */
#define FABRIC_DEBIAN	"librdmacm1 ibverbs-providers libssl3"
#define FABRIC_RPM	"librdmacm libibverbs openssl-libs"

enum fabric_answer {
	FABRIC_OK,
	FABRIC_NO_LIBRARY,	/* it is there, and does not start */
	FABRIC_FAILED,
};

/* Did packets of RDMA pass between this node and the server? */
enum fabric_contact {
	FABRIC_UNASKED,		/* none was sent */
	FABRIC_SILENT,
	FABRIC_ANSWERED,
};

/**
 * struct fabric_step - one step of the visit to a server
 * @id: the check's
 * @verdict: how it ended
 * @text: what was found
 * @advice: what to do, NULL if nothing
 */
struct fabric_step {
	char *id;
	enum verdict verdict;
	char *text;
	char *advice;
};

enum fabric_answer doctor_fabric_devices(struct doctor *doctor, size_t *seen);
unsigned int doctor_fabric_mtu(struct doctor *doctor, const char *device, unsigned int port,
			       unsigned int *largest);
const char *doctor_fabric_address(struct doctor *doctor);
enum fabric_contact doctor_fabric_contact(struct doctor *doctor);
const struct fabric_step *doctor_fabric_step(struct doctor *doctor, const char *id);
enum fabric_answer doctor_fabric_visit(struct doctor *doctor);
void doctor_fabric_forget(struct doctor *doctor);

#endif
