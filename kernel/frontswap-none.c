// SPDX-License-Identifier: GPL-2.0
/* frontswap-none.c - what frontswap=1 says on kernels without it for modules. */
#include <linux/errno.h>
#include <linux/printk.h>

#include "frontswap.h"

const bool farmem_frontswap_available = false;

int farmem_frontswap_init(void)
{
	pr_err("frontswap=1: only Linux 5.10 offers frontswap to modules; leave it 0 and use swapon on the disk\n");
	return -EOPNOTSUPP;
}
