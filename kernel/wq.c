// SPDX-License-Identifier: GPL-2.0
/* wq.c - see wq.h. */
#include <linux/errno.h>

#include "wq.h"

struct workqueue_struct *farmem_wq;
struct workqueue_struct *farmem_grow_wq;

int farmem_wq_init(void)
{
	farmem_wq = alloc_workqueue("farmem", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	if (!farmem_wq)
		return -ENOMEM;
	farmem_grow_wq = alloc_workqueue("farmem_grow", WQ_UNBOUND, 0);
	if (farmem_grow_wq)
		return 0;
	destroy_workqueue(farmem_wq);
	return -ENOMEM;
}

void farmem_wq_exit(void)
{
	destroy_workqueue(farmem_grow_wq);
	destroy_workqueue(farmem_wq);
}
