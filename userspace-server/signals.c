// SPDX-License-Identifier: GPL-2.0
/*
 * signals.c - SIGTERM and SIGINT stop farmemd, SIGHUP has its keys read again.
 *
 * Called by main() at the start.  SIGHUP is handled with or without keys.  A terminal that
 * goes and a unit's reload send it, too, and by default it kills farmemd, with all memory
 * that is lent.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <systemd/sd-event.h>

#include "keyring.h"
#include "server.h"
#include "shutdown.h"
#include "signals.h"

int signals_block(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	return sigprocmask(SIG_BLOCK, &mask, NULL) ? -errno : 0;
}

static int signals_on_stop(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	(void)source;
	return shutdown_begin(data, strsignal(info->ssi_signo));
}

static int signals_on_hangup(sd_event_source *source, const struct signalfd_siginfo *info,
			     void *data)
{
	(void)source;
	(void)info;
	keyring_reload(data);
	return 0;
}

int signals_watch(struct server *server)
{
	int ret;

	ret = sd_event_add_signal(server->event, NULL, SIGTERM, signals_on_stop, server);
	if (ret >= 0)
		ret = sd_event_add_signal(server->event, NULL, SIGINT, signals_on_stop, server);
	if (ret >= 0)
		ret = sd_event_add_signal(server->event, NULL, SIGHUP, signals_on_hangup, server);
	return ret < 0 ? ret : 0;
}
