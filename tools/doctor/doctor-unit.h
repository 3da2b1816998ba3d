/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor-unit.h - farmemd.service: what systemd gives to a farmemd that it starts.
 */
#ifndef FARMEMCTL_DOCTOR_UNIT_H
#define FARMEMCTL_DOCTOR_UNIT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct unit - the unit, with what is dropped in beside it
 * @systemd: systemd runs here; else nothing of the rest is known
 * @there: the unit exists
 * @enabled: systemd starts it with the system
 * @memlock: its limit of locked memory in bytes, the soft one; UINT64_MAX: none
 * @unbound: it runs as root with CAP_IPC_LOCK, whom no such limit binds
 */
struct unit {
	bool systemd;
	bool there;
	bool enabled;
	uint64_t memlock;
	bool unbound;
};

void unit_read(struct unit *unit);

#endif
