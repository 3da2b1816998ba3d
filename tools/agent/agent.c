// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-agent - this node in the cluster's directory, which etcd keeps.
 *
 * On a memory node it publishes what farmemd has to lend.  It runs as a user of its own, and
 * reaches neither the pool nor the keys.
 */
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <unistd.h>

#include "agent-config.h"
#include "attr.h"
#include "farmem-release.h"
#include "flush.h"
#include "lender.h"
#include "list.h"
#include "maker.h"
#include "../group/placement.h"

#define ETCD_SECONDS	5	/* an endpoint's, per call */
#define LEAVE_USEC	2000000ull
#define TTL_MIN		30	/* when the file says none: to 45, so that not all renew at once */
#define TTL_SPAN	16

struct agent {
	sd_event *event;
	struct agent_config config;
	struct etcd *etcd;
	struct lender *lender;	/* NULL: this node lends nothing */
	struct maker *maker;	/* NULL: it keeps no sets */
};

static int usage(void)
{
	puts("usage: farmem-agent [--config FILE] [--check | --list]\n"
	     "       farmem-agent --version | --help\n"
	     "\n"
	     "Publishes in etcd what this node's farmemd has to lend.\n"
	     "\n"
	     "  -c, --config FILE  its configuration (default " AGENT_CONFIG ")\n"
	     "      --check        verify the configuration and exit\n"
	     "      --list         print the servers that etcd knows as JSON, and exit\n"
	     "  -V, --version      print the version and exit\n"
	     "  -h, --help         print this and exit");
	return RC_OK;
}

enum mode { SERVE, CHECK = 256, LIST };

/* What it comes to is the program's end: RC_OK and the like; -1: go on. */
static int parse(int argc, char **argv, const char **path, enum mode *mode)
{
	static const struct option longs[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "check", no_argument, NULL, CHECK },
		{ "list", no_argument, NULL, LIST },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":c:Vh", longs, NULL)) != -1) {
		switch (letter) {
		case 'c':
			*path = optarg;
			break;
		case CHECK:
		case LIST:
			*mode = letter;
			break;
		case 'V':
			puts("farmem-agent " FARMEM_RELEASE);
			return RC_OK;
		case 'h':
			return usage();
		default:
			return misuse_option("", letter, ":c:Vh", longs, argv);
		}
	}
	return optind < argc ? misuse("", "'%s' is one word too many", argv[optind]) : -1;
}

static int configure(struct agent *agent, const char *path, enum mode mode)
{
	uint64_t random = clock_ms();
	char error[512];

	if (agent_config_read(&agent->config, path, error, sizeof(error))) {
		fail("%s", error);
		return RC_USAGE;
	}
	if (!agent->config.ttl)
		agent->config.ttl = TTL_MIN + placement_below(&random, TTL_SPAN);
	agent->etcd = agent_config_etcd(&agent->config, agent->event, ETCD_SECONDS, error, sizeof(error));
	return agent->etcd ? RC_OK : fail("%s", error);
}

/*
 * What reads answers from the network is not root: once the secrets are read, an administrator's
 * --list goes on as the service's user.  Without that user, as in a build tree, it stays.
 */
static int give_up_root(void)
{
	const struct passwd *user = geteuid() ? NULL : getpwnam("farmem-agent");

	if (!user)
		return RC_OK;
	if (setgroups(0, NULL) || setgid(user->pw_gid) || setuid(user->pw_uid))
		return fail("cannot become farmem-agent: %s", strerror(errno));
	return RC_OK;
}

static void left(void *data, const json_t *answer, const char *error)
{
	sd_event_exit(data, 0);
}

static int late(sd_event_source *source, uint64_t usec, void *data)
{
	return sd_event_exit(sd_event_source_get_event(source), 0);
}

/* Others need not wait then until the lease's time is over. */
static int leave(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	struct agent *agent = data;
	int64_t lease = agent->lender ? lender_lease(agent->lender) : 0;
	char id[24];

	/* A second signal does not wait for that. */
	sd_notify(0, "STOPPING=1");
	maker_close(agent->maker);
	lender_close(agent->lender);
	agent->maker = NULL;
	agent->lender = NULL;
	snprintf(id, sizeof(id), "%lld", (long long)lease);
	if (!lease ||
	    sd_event_add_time_relative(agent->event, NULL, CLOCK_MONOTONIC, LEAVE_USEC, 0, late, NULL) < 0 ||
	    !etcd_call(agent->etcd, "lease/revoke", json_pack("{s:s}", "ID", id), left, agent->event))
		return sd_event_exit(agent->event, 0);
	return 0;
}

static int catch(struct agent *agent)
{
	sigset_t set;
	int ret;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	ret = sd_event_add_signal(agent->event, NULL, SIGINT, leave, agent);
	return ret < 0 ? ret : sd_event_add_signal(agent->event, NULL, SIGTERM, leave, agent);
}

static int serve(struct agent *agent)
{
	int ret = catch(agent);

	if (ret < 0)
		return fail("signals: %s", strerror(-ret));
	if (!agent->config.status_socket && !agent->config.sets) {
		sd_notify(0, "READY=1");
		puts("neither status-socket nor sets: this node has nothing to do for the directory");
		return RC_OK;
	}
	if (agent->config.status_socket)
		agent->lender = lender_open(agent->event, agent->etcd, &agent->config);
	if (agent->config.sets)
		agent->maker = maker_open(agent->event, agent->etcd, agent->config.sets);
	if ((!agent->lender && agent->config.status_socket) || (!agent->maker && agent->config.sets))
		return fail("out of memory");
	sd_notify(0, "READY=1");
	ret = sd_event_loop(agent->event);
	return ret < 0 ? fail("event loop: %s", strerror(-ret)) : RC_OK;
}

int main(int argc, char **argv)
{
	const char *path = AGENT_CONFIG;
	struct agent agent = { 0 };
	enum mode mode = SERVE;
	int rc = parse(argc, argv, &path, &mode);

	if (rc >= 0)
		return flush_output(rc);
	setlinebuf(stdout);
	/* A core would have the password. */
	prctl(PR_SET_DUMPABLE, 0);
	if (sd_event_new(&agent.event) < 0)
		return fail("out of memory");
	rc = configure(&agent, path, mode);
	if (!rc && mode == SERVE)
		rc = serve(&agent);
	if (!rc && mode == LIST)
		rc = give_up_root();
	if (!rc && mode == LIST)
		rc = list_servers(agent.event, agent.etcd);
	maker_close(agent.maker);
	lender_close(agent.lender);
	etcd_close(agent.etcd);
	agent_config_free(&agent.config);
	sd_event_unref(agent.event);
	return flush_output(rc);
}
