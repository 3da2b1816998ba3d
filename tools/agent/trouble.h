/* SPDX-License-Identifier: GPL-2.0 */
/* trouble.h - what fails again and again is said once when that begins, and once when it is over */
#ifndef AGENT_TROUBLE_H
#define AGENT_TROUBLE_H

#include <stdbool.h>

/**
 * struct trouble - begins as zeros
 * @is: something fails, and that was said
 * @with: what it was: its success ends the trouble
 */
struct trouble {
	bool is;
	const void *with;
};

/**
 * trouble_tell() - what an attempt came to
 * @trouble: of all attempts that are taken together
 * @whose: begins the message: "" or "sets: "
 * @with: which attempt
 * @error: a sentence without its full stop; NULL: it succeeded
 */
void trouble_tell(struct trouble *trouble, const char *whose, const void *with, const char *error);

#endif /* AGENT_TROUBLE_H */
