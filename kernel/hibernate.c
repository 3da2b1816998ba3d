// SPDX-License-Identifier: GPL-2.0
/*
 * hibernate.c - notices the task that hibernates, so that block.c can refuse its open.
 *
 * An image on a volume could not be read again.  The kernel that reads the image must load
 * this module: another incarnation, which takes the volume over.  The kernel in the image
 * then finds its volumes, and its swap, lost.
 *
 * No module is told which disk the image goes to.  But one task does all of it: it tells
 * of PM_HIBERNATION_PREPARE, writes back, freezes the others, opens the disk and writes
 * the image (/sys/power/state; the user of /dev/snapshot does the same).  Whatever else
 * it does, it opens no disk meanwhile.  Hibernation to another disk is allowed.
 */
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/suspend.h>

#include "hibernate.h"

/* Compared, never looked at: one that has ended is nobody's. */
static struct task_struct *hibernates;

static int hibernate_notice(struct notifier_block *block, unsigned long event, void *unused)
{
	if (event == PM_HIBERNATION_PREPARE)
		WRITE_ONCE(hibernates, current);
	else if (event == PM_POST_HIBERNATION)
		WRITE_ONCE(hibernates, NULL);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = hibernate_notice };

bool farmem_hibernate_opens(void)
{
	return READ_ONCE(hibernates) == current;
}

int farmem_hibernate_init(void)
{
	return register_pm_notifier(&notifier);
}

void farmem_hibernate_exit(void)
{
	unregister_pm_notifier(&notifier);
}
