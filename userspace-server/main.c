// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - farmemd: start in the right order, run, stop cleanly.
 *
 * Owns struct server.  Everything else is called from its event loop.  A start is a chain
 * that ends at the first error; one function takes down what there is, at each layer.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "check.h"
#include "clean.h"
#include "client.h"
#include "clock.h"
#include "cm.h"
#include "command-line.h"
#include "conn.h"
#include "control.h"
#include "descriptors.h"
#include "device.h"
#include "dialog.h"
#include "farmem-release.h"
#include "flush.h"
#include "format.h"
#include "headroom.h"
#include "keyring.h"
#include "keys.h"
#include "lease.h"
#include "log.h"
#include "metrics.h"
#include "parse.h"
#include "poison.h"
#include "premap.h"
#include "privileges.h"
#include "probe.h"
#include "server.h"
#include "server-uuid.h"
#include "session.h"
#include "signals.h"
#include "status.h"
#include "super-restore.h"
#include "volume.h"
#include "watch.h"
#include "worker.h"

/* For what takes a moment, or for ever: TimeoutStopSec= of the unit is longer. */
#define CLOSE_SECONDS	5

/* The kernel must not kill the program that holds the memory of other machines. */
static void main_protect_from_oom(void)
{
	static const char score[] = "-1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, score, strlen(score)) < 0)
		log_warn("cannot set oom_score_adj to %s: %m; set OOMScoreAdjust=%s in the unit, or run as root",
			 score, score);
	if (fd >= 0)
		close(fd);
}

static int main_lock_memory(int which)
{
	if (!mlockall(which))
		return 0;
	log_err("cannot lock memory: %m; run 'ulimit -l unlimited' as root first, or set LimitMEMLOCK=infinity in the unit");
	return -errno;
}

static int main_start_loop(struct server *server)
{
	int ret;

	LIST_INIT(&server->clients);
	LIST_INIT(&server->sessions);
	LIST_INIT(&server->dead);
	LIST_INIT(&server->lingering);
	LIST_INIT(&server->devices);
	LIST_INIT(&server->listeners);
	ret = sd_event_new(&server->event);
	if (ret >= 0)
		ret = signals_watch(server);
	return ret < 0 ? ret : 0;
}

/* A pool that was kept has a record of its clients and volumes. */
static int main_restore(struct server *server)
{
	char error[160];
	char size[SIZE_TEXT], left[SIZE_TEXT];
	uint64_t free_bytes;

	server->slabs.super = &server->pool.super;
	server->slabs.bad = server->pool.bad;
	if (!server->pool.kept)
		return 0;
	if (super_restore(server, error, sizeof(error))) {
		log_err("pool: %s: %s", server->opt.pool, error);
		return -EINVAL;
	}
	lease_begin_all(server);
	free_bytes = slab_free_count(&server->slabs) * server->pool.slab_size;
	log_info("pool: took %s over: %s, %s of it free, memory of %u clients",
		 server->opt.pool, format_size(server->pool.size, size),
		 format_size(free_bytes, left), server->client_count);
	return 0;
}

static void main_on_progress(void *data)
{
	dialog_progress(data);
}

/* The pool's file gets a lower descriptor than the devices: see descriptors.c. */
static int main_open_fabric(struct server *server)
{
	int place = descriptors_hold();
	int ret = cm_open(server);

	descriptors_release(place);
	return ret;
}

static int main_start_workers(struct server *server)
{
	server->worker = worker_start(server->event, main_on_progress, server);
	if (server->worker)
		server->connector = worker_start(server->event, NULL, NULL);
	if (server->connector)
		server->fencer = worker_start(server->event, NULL, NULL);
	if (server->fencer)
		server->closer = worker_start(server->event, NULL, NULL);
	return server->closer ? 0 : -errno;
}

/* Each may leave something for the next.  Return: has the closer ended in time? */
static bool main_stop_workers(struct server *server)
{
	if (server->connector)
		worker_stop(server->connector);
	if (server->fencer)
		worker_stop(server->fencer);
	if (server->worker)
		worker_stop(server->worker);
	if (!server->closer)
		return true;
	conn_disconnect_all(server);
	return worker_stop_within(server->closer, CLOSE_SECONDS);
}

static int main_end_status(int ret)
{
	if (ret >= 0 || ret == -EINTR) {
		log_info("stopped");
		return EXIT_SUCCESS;
	}
	log_err("stopped: %s", strerror(-ret));
	return check_exit_status(ret);
}

/* With a queue pair that may be left, the lock goes as in a process that dies: behind it. */
static void main_let_go_of_pool(struct server *server)
{
	premap_stop(server->premap);
	if (!server->unfenced)
		pool_destroy(&server->pool);
}

/*
 * The closer still has a device's connections, so they stay as they are.  The next farmemd
 * gets the pool, even if the kernel does not let this process end.
 */
static void main_leave(struct server *server, int ret)
{
	log_warn("the kernel has not sent the end of all connections within %d s; farmemd ends without it",
		 CLOSE_SECONDS);
	main_let_go_of_pool(server);
	_exit(main_end_status(ret));
}

/* A new pool is the slow part: all that may fail comes before it. */
static int main_start(struct server *server)
{
	int ret;

	ret = control_open(server);
	if (!ret)
		ret = headroom_open(server);
	if (!ret)
		ret = privileges_drop(&server->opt);
	/* Nobody's data needs them. */
	if (!ret && metrics_start(&server->opt, &server->metrics))
		log_warn("farmemd goes on without --metrics");
	if (!ret)
		ret = main_open_fabric(server);
	if (!ret)
		ret = main_lock_memory(MCL_CURRENT);
	/* Clients would wait while the kernel filled the pool as it was mapped. */
	if (!ret)
		ret = main_lock_memory(MCL_FUTURE | MCL_ONFAULT);
	if (!ret)
		ret = pool_create(&server->pool, &server->opt);
	if (!ret)
		ret = main_lock_memory(MCL_FUTURE);
	if (!ret)
		ret = slab_table_init(&server->slabs, server->pool.slabs);
	if (!ret)
		ret = main_restore(server);
	if (!ret)
		headroom_settle(server);
	if (!ret)
		ret = main_start_workers(server);
	if (!ret)
		clean_kick(server);
	if (!ret)
		ret = watch_start(server);
	if (!ret)
		ret = probe_watch(server);
	if (!ret)
		ret = cm_listen(server);
	if (!ret && server->pool.kept)
		server->premap = premap_start(&server->pool);
	if (!ret)
		ret = headroom_start(server);
	return ret;
}

static void main_announce(struct server *server)
{
	char size[SIZE_TEXT], slab[SIZE_TEXT], uuid[UUID_TEXT];

	if (server->opt.insecure)
		log_warn("--insecure: any client that reaches the port is admitted and may take memory%s",
			 server->opt.keys ? ", except under the name of a client that has a key" : "");
	sd_notify(0, "READY=1");
	status_report(server);
	log_info("ready: %s in slabs of %s, generation %016" PRIx64 ", server UUID %s, farmemd %s",
		 format_size(server->pool.size, size), format_size(server->pool.slab_size, slab),
		 server->pool.generation, format_uuid(server->uuid, uuid), FARMEM_RELEASE);
}

static void main_stop(struct server *server, int ret)
{
	struct session *session;

	server->stopping = true;
	control_close(server);
	metrics_stop(server->metrics);
	while ((session = LIST_FIRST(&server->sessions)))
		session_close(session, "the server is shutting down");
	session_settle_all(server);
	if (!main_stop_workers(server))
		main_leave(server, ret);
	volume_forget_all(server);
	device_close_all(server);
	headroom_stop(server);
	sd_event_source_disable_unref(server->device_timer);
	slab_table_free(&server->slabs);
	keys_free(server->keys);
	main_let_go_of_pool(server);
	/* The last: closing the channel may wait for messages of ids that are left. */
	cm_close(server);
	sd_event_unref(server->event);
}

static int main_identify(struct server *server)
{
	char error[256];
	int ret = server_uuid(&server->opt, server->uuid, error, sizeof(error));

	if (ret)
		log_err("server UUID: %s", error);
	return ret;
}

static int main_run(struct server *server)
{
	int ret;

	server->pool.fd = -1;
	server->ops = &watch_ops;
	server->started = clock_seconds();
	main_protect_from_oom();
	if (main_identify(server) || keyring_read(server))
		return EX_CONFIG;
	ret = check_start(&server->opt);
	if (ret)
		return check_exit_status(ret);
	ret = signals_block();
	if (!ret)
		ret = poison_watch();
	if (!ret)
		ret = main_start_loop(server);
	if (ret) {
		log_err("cannot start the event loop: %s", strerror(-ret));
		return EXIT_FAILURE;
	}
	ret = main_start(server);
	if (!ret) {
		main_announce(server);
		ret = sd_event_loop(server->event);
	}
	main_stop(server, ret);
	return main_end_status(ret);
}

int main(int argc, char **argv)
{
	static struct server server;
	int status;

	switch (command_line_parse(&server.opt, argc, argv)) {
	case COMMAND_LINE_EXIT_OK:
		return flush_output(EXIT_SUCCESS);
	case COMMAND_LINE_EXIT_FAILURE:
		return EX_CONFIG;
	case COMMAND_LINE_EXIT_USAGE:
		return 2;
	case COMMAND_LINE_RUN:
		break;
	}
	log_open(server.opt.verbose);
	status = server.opt.check ? flush_output(check_print(&server.opt)) : main_run(&server);
	options_free(&server.opt);
	return status;
}
