/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hibernate.h - no image of this machine goes to a disk of its own module.
 */
#ifndef FARMEM_HIBERNATE_H
#define FARMEM_HIBERNATE_H

#include <linux/types.h>

/**
 * farmem_hibernate_opens() - is a disk opened now to hibernate to it?
 *
 * Context: the opener's.
 */
bool farmem_hibernate_opens(void);

int farmem_hibernate_init(void);
void farmem_hibernate_exit(void);

#endif /* FARMEM_HIBERNATE_H */
