// SPDX-License-Identifier: GPL-2.0
/* trouble.c - nobody needs to read each second that etcd is away. */
#include <errno.h>
#include <stdio.h>

#include "report.h"
#include "trouble.h"

void trouble_tell(struct trouble *trouble, const char *whose, const void *with, const char *error)
{
	if (error && !trouble->is) {
		fail("%s%s; still trying", whose, error);
		*trouble = (struct trouble){ true, with };
	} else if (!error && trouble->is && trouble->with == with) {
		fprintf(stderr, "%s: %setcd answers again\n", program_invocation_short_name, whose);
		trouble->is = false;
	}
}
