/* SPDX-License-Identifier: GPL-2.0 */
/*
 * frontswap.h - swap's page hooks of Linux 5.10.
 */
#ifndef FARMEM_FRONTSWAP_H
#define FARMEM_FRONTSWAP_H

#include <linux/types.h>

/* Does this kernel offer frontswap to modules? */
extern const bool farmem_frontswap_available;

/**
 * farmem_frontswap_init() - register with frontswap, where it is available
 *
 * There is no way back: the module cannot be unloaded after this.
 *
 * Context: may sleep.
 */
void farmem_frontswap_init(void);

#endif /* FARMEM_FRONTSWAP_H */
