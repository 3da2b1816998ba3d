// SPDX-License-Identifier: GPL-2.0
/*
 * privileges.c - least privilege.
 *
 * Called once, when the key file is read and oom_score_adj is set, and before memory is
 * taken and the network is listened to.  libcap-ng does the work.
 */
#include <cap-ng.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "options.h"
#include "log.h"
#include "privileges.h"

/* The port lies at the same place in both families. */
static bool privileges_is_low(const struct sockaddr_storage *addr)
{
	return ntohs(((const struct sockaddr_in *)addr)->sin_port) < IPPORT_RESERVED;
}

static bool privileges_has_low_port(const struct options *opt)
{
	unsigned int i;

	for (i = 0; i < opt->listen_count; i++)
		if (privileges_is_low(&opt->listen[i]))
			return true;
	return opt->metrics.ss_family != AF_UNSPEC && privileges_is_low(&opt->metrics);
}

static int privileges_failed(const char *what, int error)
{
	log_err("%s: %s", what, strerror(error));
	return -error;
}

int privileges_drop(const struct options *opt)
{
	bool lock, bind, bounding;
	int ret;

	if (capng_get_caps_process())
		return privileges_failed("cannot read the capabilities", errno);
	lock = capng_have_capability(CAPNG_EFFECTIVE, CAP_IPC_LOCK);
	bind = privileges_has_low_port(opt) &&
	       capng_have_capability(CAPNG_EFFECTIVE, CAP_NET_BIND_SERVICE);
	bounding = capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP);
	capng_clear(bounding ? CAPNG_SELECT_BOTH : CAPNG_SELECT_CAPS);
	if (lock)
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_IPC_LOCK);
	if (bind)
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_NET_BIND_SERVICE);
	ret = capng_apply(bounding ? CAPNG_SELECT_BOTH : CAPNG_SELECT_CAPS);
	if (ret)
		return privileges_failed("cannot drop capabilities", errno);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		return privileges_failed("prctl", errno);
	return 0;
}
