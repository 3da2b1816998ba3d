/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lvm.h - LVM joins the pairs of a group in one device.
 *
 * Settings of our own, in a folder of our own: the machine's lvm.conf stays as it is.
 */
#ifndef GROUP_LVM_H
#define GROUP_LVM_H

#include <stdbool.h>
#include <stdint.h>

#include "plan.h"

#define LVM_EXTENT	(4u << 20)	/* LVM hands out so many bytes at a time */
#define MDADM_CONFIG	"/var/lib/farmem/mdadm.conf"

struct group;

int lvm_prepare(const struct group *group);
void lvm_do(struct plan *plan, const char *group, const char *command);
void lvm_undo(struct plan *plan, const char *group, const char *command);
char *lvm_device(const char *group);
char *lvm_node(const char *group);
uint64_t lvm_bytes(const char *group);
int lvm_has(const char *group, bool *has);
int lvm_misses_unused(const char *group, bool *misses);
int lvm_has_member(const char *group, const char *disk, bool *has, uint64_t *used);
bool lvm_is_suspended(const char *group);
int lvm_catch_up(const char *group, bool dry_run);

#endif /* GROUP_LVM_H */
