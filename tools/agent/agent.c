// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-agent - this node in the cluster's directory, which etcd keeps.
 *
 * On a memory node it publishes what farmemd has to lend, on a compute node what its groups are
 * like, and where it is asked to a page of all that.  It runs as a user of its own, and reaches
 * neither the pool nor the keys.
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
#include "groups.h"
#include "lender.h"
#include "maker.h"
#include "page.h"
#include "survey.h"
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
	struct groups *groups;	/* NULL: it tells of none */
	struct maker *maker;	/* NULL: it keeps no sets */
	struct page *page;	/* NULL: it shows none */
	unsigned int leases;	/* that etcd is still to forget */
};

/* What the command line asks for. */
struct wish {
	const char *config;
	bool check;
	unsigned int list;	/* as of survey_begin(); 0: serve */
};

static int usage(void)
{
	puts("usage: farmem-agent [--config FILE] [--check]\n"
	     "       farmem-agent [--config FILE] --servers | --groups | --all\n"
	     "       farmem-agent --version | --help\n"
	     "\n"
	     "Publishes in etcd what this node has to lend, and what its groups are like.\n"
	     "\n"
	     "  -c, --config FILE  its configuration (default " AGENT_CONFIG ")\n"
	     "      --check        verify the configuration and exit\n"
	     "      --servers      print the servers that etcd knows as JSON, and exit\n"
	     "      --groups       print the groups that etcd knows as JSON, and exit\n"
	     "      --all          print both\n"
	     "  -V, --version      print the version and exit\n"
	     "  -h, --help         print this and exit");
	return RC_OK;
}

enum { OPTION_CHECK = 256, OPTION_SERVERS, OPTION_GROUPS, OPTION_ALL };

/* What it comes to is the program's end: RC_OK and the like; -1: go on. */
static int parse(int argc, char **argv, struct wish *wish)
{
	static const struct option longs[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "check", no_argument, NULL, OPTION_CHECK },
		{ "servers", no_argument, NULL, OPTION_SERVERS },
		{ "groups", no_argument, NULL, OPTION_GROUPS },
		{ "all", no_argument, NULL, OPTION_ALL },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":c:Vh", longs, NULL)) != -1) {
		switch (letter) {
		case 'c':
			wish->config = optarg;
			break;
		case OPTION_CHECK:
			wish->check = true;
			break;
		case OPTION_SERVERS:
			wish->list |= SURVEY_SERVERS;
			break;
		case OPTION_GROUPS:
			wish->list |= SURVEY_GROUPS;
			break;
		case OPTION_ALL:
			wish->list |= SURVEY_SERVERS | SURVEY_GROUPS;
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

static int configure(struct agent *agent, const char *path)
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
 * list goes on as the service's user.  Without that user, as in a build tree, it stays.
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

static void listed(void *data, json_t *all, const char *error)
{
	json_t **list = data;

	*list = all ? json_incref(all) : json_null();
	if (!error)
		return;
	fail("%s", error);
	next_step("systemctl status etcd    (on that node)");
}

/* One line.  The event loop runs until etcd has answered. */
static int list(struct agent *agent, unsigned int what)
{
	json_t *all = NULL;
	struct survey *survey = survey_begin(agent->etcd, what, listed, &all);
	int rc;

	while (!all && sd_event_run(agent->event, UINT64_MAX) >= 0)
		;
	if (!all)
		survey_cancel(survey);
	rc = json_is_object(all) ? RC_OK : RC_FAILURE;
	if (!rc) {
		json_dumpf(all, stdout, JSON_COMPACT);
		putchar('\n');
	}
	json_decref(all);
	return rc;
}

static void left(void *data, const json_t *answer, const char *error)
{
	struct agent *agent = data;

	if (!--agent->leases)
		sd_event_exit(agent->event, 0);
}

static int late(sd_event_source *source, uint64_t usec, void *data)
{
	return sd_event_exit(sd_event_source_get_event(source), 0);
}

static void agent_revoke(struct agent *agent, int64_t lease)
{
	char id[24];

	snprintf(id, sizeof(id), "%lld", (long long)lease);
	if (lease && etcd_call(agent->etcd, "lease/revoke", json_pack("{s:s}", "ID", id), left, agent))
		agent->leases++;
}

static void agent_close(struct agent *agent)
{
	page_close(agent->page);
	maker_close(agent->maker);
	groups_close(agent->groups);
	lender_close(agent->lender);
	agent->page = NULL;
	agent->maker = NULL;
	agent->groups = NULL;
	agent->lender = NULL;
}

/* Others need not wait then until the leases' time is over. */
static int leave(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	struct agent *agent = data;
	int64_t of_server = agent->lender ? lender_lease(agent->lender) : 0;
	int64_t of_groups = agent->groups ? groups_lease(agent->groups) : 0;

	/* A second signal does not wait for that. */
	if (agent->leases)
		return sd_event_exit(agent->event, 0);
	sd_notify(0, "STOPPING=1");
	agent_close(agent);
	agent_revoke(agent, of_server);
	agent_revoke(agent, of_groups);
	if (!agent->leases ||
	    sd_event_add_time_relative(agent->event, NULL, CLOCK_MONOTONIC, LEAVE_USEC, 0, late, NULL) < 0)
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
	const struct agent_config *config = &agent->config;
	bool page = config->page.ss_family != AF_UNSPEC;
	int ret = catch(agent);

	if (ret < 0)
		return fail("signals: %s", strerror(-ret));
	if (!config->status_socket && !config->node && !config->sets && !page) {
		sd_notify(0, "READY=1");
		puts("neither status-socket nor node, sets nor page: this node has nothing to do for the directory");
		return RC_OK;
	}
	if (config->status_socket)
		agent->lender = checked(lender_open(agent->event, agent->etcd, config));
	if (config->node)
		agent->groups = checked(groups_open(agent->event, agent->etcd, config->node, config->ttl));
	if (config->sets)
		agent->maker = checked(maker_open(agent->event, agent->etcd, config->sets));
	if (page)
		agent->page = checked(page_open(agent->event, agent->etcd, (const struct sockaddr *)&config->page));
	sd_notify(0, "READY=1");
	ret = sd_event_loop(agent->event);
	return ret < 0 ? fail("event loop: %s", strerror(-ret)) : RC_OK;
}

int main(int argc, char **argv)
{
	struct wish wish = { .config = AGENT_CONFIG };
	struct agent agent = { 0 };
	int rc = parse(argc, argv, &wish);

	if (rc >= 0)
		return flush_output(rc);
	setlinebuf(stdout);
	/* A core would have the password. */
	prctl(PR_SET_DUMPABLE, 0);
	if (sd_event_new(&agent.event) < 0)
		return fail("out of memory");
	rc = configure(&agent, wish.config);
	if (!rc && wish.list && !wish.check)
		rc = give_up_root() ? RC_FAILURE : list(&agent, wish.list);
	else if (!rc && !wish.check)
		rc = serve(&agent);
	agent_close(&agent);
	etcd_close(agent.etcd);
	agent_config_free(&agent.config);
	sd_event_unref(agent.event);
	return flush_output(rc);
}
