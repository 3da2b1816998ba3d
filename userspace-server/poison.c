// SPDX-License-Identifier: GPL-2.0
/*
 * poison.c - a memory error in the pool is not the end of the program.
 *
 * Owns the handler of SIGBUS.  The kernel sends it to the thread that touches a page with an
 * uncorrectable error, or one that is gone from its file.  Called by all files that touch
 * the pool.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "poison.h"

static const char farewell[] =
	"an uncorrectable memory error in farmemd's own memory: farmemd ends; start it again, with the same --pool if there is one, and replace the memory module that 'dmesg' names\n";

static __thread sigjmp_buf *trying;

static void poison_on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	/* No thread has touched the page yet: the next that does gets a signal of its own. */
	if (info->si_code == BUS_MCEERR_AO)
		return;
	if (trying)
		siglongjmp(*trying, 1);
	if (info->si_code == BUS_MCEERR_AR)
		(void)!write(STDERR_FILENO, farewell, sizeof(farewell) - 1);
	/* The access is done again, and ends the program. */
	signal(number, SIG_DFL);
}

int poison_watch(void)
{
	struct sigaction action = { .sa_sigaction = poison_on_signal,
				   .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigemptyset(&action.sa_mask);
	return sigaction(SIGBUS, &action, NULL) ? -errno : 0;
}

bool poison_try(void (*touch)(void *data), void *data)
{
	sigjmp_buf here;

	/* SA_NODEFER: the handler is left without a mask to restore, a system call less. */
	if (sigsetjmp(here, 0)) {
		trying = NULL;
		return false;
	}
	trying = &here;
	touch(data);
	trying = NULL;
	return true;
}
