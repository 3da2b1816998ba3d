/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor-config.h - farmemd.conf, as far as it matters to the checks.
 */
#ifndef FARMEMCTL_DOCTOR_CONFIG_H
#define FARMEMCTL_DOCTOR_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct doctor_config - what farmemd.conf says, read by farmemd's own reader
 * @there: the file exists
 * @error: why it can't be read, with file and line; NULL: it can
 * @error_number: 0 or the errno of opening it
 * @unfit: why farmemd would not start with it and nothing else; NULL: it would
 * @size: bytes of the pool, 0 if it does not say
 * @locked: bytes that farmemd will lock for it, with what it knows of its pages
 * @missing: of these those that no file of a pool has yet
 * @hugepages: bytes of the huge pages that all this is in, 0 for none
 * @control: the control socket
 * @port: that it listens on
 */
struct doctor_config {
	bool there;
	char *error;
	int error_number;
	char *unfit;
	uint64_t size;
	uint64_t locked;
	uint64_t missing;
	uint64_t hugepages;
	char *control;
	unsigned int port;
};

struct doctor_config *doctor_config_read(void);
void doctor_config_free(struct doctor_config *config);

#endif
