// SPDX-License-Identifier: GPL-2.0
/* frontswap-none.c - for kernels that do not offer frontswap to modules. */
#include "frontswap.h"

const bool farmem_frontswap_available;

void farmem_frontswap_init(void) { }
