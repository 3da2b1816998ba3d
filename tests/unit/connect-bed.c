// SPDX-License-Identifier: GPL-2.0
/* connect-bed.c - see connect-bed.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "admit.h"
#include "beat.h"
#include "client.h"
#include "conn.h"
#include "connect-bed.h"
#include "device.h"
#include "session.h"
#include "stubs.h"
#include "volume.h"
#include "worker.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
struct bed_adapter adapter;
struct server server;
struct device *device;
struct ibv_context verbs;
static struct ibv_device ibv_device = { .name = "test0", .dev_name = "nosuch" };

static void hold_while(bool *held)
{
	struct timespec until;
	int ret = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE;
	adapter.holding++;
	pthread_cond_broadcast(&changed);
	while (*held && !ret)
		ret = pthread_cond_timedwait(&changed, &lock, &until);
	/* Whatever else comes is not held as long. */
	*held = false;
	adapter.holding--;
	pthread_cond_broadcast(&changed);
}

void let_go(bool *held)
{
	pthread_mutex_lock(&lock);
	*held = false;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

unsigned int holding(void)
{
	unsigned int now;

	pthread_mutex_lock(&lock);
	now = adapter.holding;
	pthread_mutex_unlock(&lock);
	return now;
}

/* A verb or a call of rdma_cm: counted, in one piece. */
#define COUNT(what)				\
	do {					\
		pthread_mutex_lock(&lock);	\
		what;				\
		pthread_mutex_unlock(&lock);	\
	} while (0)

const char *ibv_get_device_name(struct ibv_device *of)
{
	return of->name;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof(*pd));

	pd->context = context;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	return adapter.cut;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
			     struct ibv_comp_channel *channel, int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof(*cq));

	cq->context = context;
	cq->cq_context = cq_context;
	cq->cqe = cqe;
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	free(cq);
	return adapter.cut;
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	return calloc(1, sizeof(struct ibv_mr));
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				unsigned int access)
{
	return ibv_reg_mr(pd, addr, length, access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	pthread_mutex_lock(&lock);
	if (adapter.hold_dereg)
		hold_while(&adapter.hold_dereg);
	pthread_mutex_unlock(&lock);
	free(mr);
	return adapter.cut;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof(*qp));

	qp->context = pd->context;
	qp->qp_context = attr->qp_context;
	COUNT(adapter.qps++);
	COUNT(qp->qp_num = ++adapter.numbers);
	return qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	const struct session *session = qp->qp_context;
	unsigned int host = 0;
	int ret;

	assert_int_equal(sscanf(session->label, "10.0.0.%u", &host), 1);
	if (attr->qp_state != IBV_QPS_RTR)
		return 0;
	pthread_mutex_lock(&lock);
	if (host == STRANGER && adapter.hold_ready)
		hold_while(&adapter.hold_ready);
	adapter.ready[adapter.readies++] = host;
	ret = adapter.ready_error;
	pthread_mutex_unlock(&lock);
	return ret;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	pthread_mutex_lock(&lock);
	if (adapter.hold_destroy)
		hold_while(&adapter.hold_destroy);
	adapter.qps--;
	pthread_mutex_unlock(&lock);
	free(qp);
	return adapter.cut;
}

#undef ibv_query_port
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compat)
{
	struct ibv_port_attr *attr = (struct ibv_port_attr *)compat;

	COUNT({
		attr->state = adapter.port_down ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
		attr->active_mtu = IBV_MTU_1024;
		adapter.port_queries++;
	});
	return 0;
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask)
{
	*mask = IBV_QP_STATE;
	attr->path_mtu = adapter.path_mtu;
	errno = EINVAL;
	return adapter.gave_up_early ? -1 : 0;
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *param)
{
	if (adapter.gave_up) {
		errno = EINVAL;
		return -1;
	}
	COUNT(adapter.accepted++);
	return 0;
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t len)
{
	assert_int_equal(len, sizeof(adapter.rej));
	memcpy(&adapter.rej, data, len);
	return 0;
}

int rdma_disconnect(struct rdma_cm_id *id)
{
	return 0;
}

static bool is_null(int fd)
{
	struct stat file;

	return !fstat(fd, &file) && file.st_rdev == makedev(1, 3);
}

/* librdmacm frees the context of a removed device with the last of them. */
int rdma_destroy_id(struct rdma_cm_id *id)
{
	pthread_mutex_lock(&lock);
	if (adapter.hold_id)
		hold_while(&adapter.hold_id);
	/* A test that sees no id any more looks at this next, without the lock. */
	if (adapter.ids == 1)
		adapter.cut_first = is_null(id->verbs->cmd_fd) && is_null(id->verbs->async_fd);
	__atomic_sub_fetch(&adapter.ids, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&lock);
	free(id);
	return 0;
}

static int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
	if (!adapter.flushed.qp_num)
		return 0;
	*wc = adapter.flushed;
	adapter.flushed.qp_num = 0;
	return 1;
}

struct rdma_cm_id *make_id(struct ibv_context *context, uint8_t host)
{
	struct rdma_cm_id *id = calloc(1, sizeof(*id));
	struct sockaddr_in *peer = (struct sockaddr_in *)&id->route.addr.dst_addr;

	id->verbs = context;
	id->port_num = 1;
	peer->sin_family = AF_INET;
	peer->sin_addr.s_addr = htonl(0x0a000000 + host);
	COUNT(adapter.ids++);
	return id;
}

void adapter_open(struct ibv_context *context, struct ibv_device *of)
{
	memset(&adapter, 0, sizeof(adapter));
	stub_context(context, of);
	context->ops.poll_cq = poll_cq;
}

static char sysfs[32];

static const char *sysfs_path(const char *name)
{
	static char path[2][128];
	static unsigned int next;

	next = !next;
	snprintf(path[next], sizeof(path[next]), "%s/%s", sysfs, name);
	return path[next];
}

static void write_sysfs(const char *name, const char *text)
{
	FILE *file = fopen(sysfs_path(name), "we");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* What farmemd reads of a device while that is there: its own node_type begins with 1. */
static void make_sysfs(void)
{
	strcpy(sysfs, "/tmp/farmem-sysfs-XXXXXX");
	assert_non_null(mkdtemp(sysfs));
	mkdir(sysfs_path("infiniband"), 0700);
	mkdir(sysfs_path("infiniband/test0"), 0700);
	mkdir(sysfs_path("infiniband/test1"), 0700);
	mkdir(sysfs_path("infiniband_verbs"), 0700);
	mkdir(sysfs_path("infiniband_verbs/nosuch"), 0700);
	write_sysfs("infiniband/test0/node_type", "1: CA\n");
	write_sysfs("infiniband/test1/node_type", "2: another\n");
	write_sysfs("infiniband_verbs/nosuch/ibdev", "test0\n");
	strcpy(ibv_device.ibdev_path, sysfs_path("infiniband/test0"));
}

void remove_node(void)
{
	unlink(sysfs_path("infiniband_verbs/nosuch/ibdev"));
	rmdir(sysfs_path("infiniband_verbs/nosuch"));
}

static void remove_sysfs(void)
{
	static const char *const name[] = { "infiniband/test0", "infiniband/test1", "infiniband/test2" };
	unsigned int i;

	remove_node();
	for (i = 0; i < 3; i++) {
		snprintf(ibv_device.ibdev_path, sizeof(ibv_device.ibdev_path), "%s/node_type",
			 sysfs_path(name[i]));
		unlink(ibv_device.ibdev_path);
		rmdir(sysfs_path(name[i]));
	}
	rmdir(sysfs_path("infiniband"));
	rmdir(sysfs_path("infiniband_verbs"));
	assert_int_equal(rmdir(sysfs), 0);
}

void rename_device(bool exchange)
{
	assert_int_equal(rename(sysfs_path("infiniband/test0"), sysfs_path("infiniband/test2")), 0);
	if (exchange)
		assert_int_equal(rename(sysfs_path("infiniband/test1"),
					sysfs_path("infiniband/test0")), 0);
	write_sysfs("infiniband_verbs/nosuch/ibdev", "test2\n");
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
	if (adapter.exchange && strstr(path, "/node_type")) {
		adapter.exchange = false;
		rename_device(true);
	}
	return __real_open(path, flags, 0600);
}

ssize_t __real_pread(int fd, void *data, size_t size, off_t at);
ssize_t __wrap_pread(int fd, void *data, size_t size, off_t at);

ssize_t __wrap_pread(int fd, void *data, size_t size, off_t at)
{
	if (!adapter.removed)
		return __real_pread(fd, data, size, at);
	errno = ENODEV;
	return -1;
}

/* That of rdma_cm, of which nothing comes. */
static int channel;

static int on_events(sd_event_source *source, int fd, uint32_t events, void *data)
{
	return 0;
}

int begin(void **state)
{
	make_sysfs();
	adapter_open(&verbs, &ibv_device);
	stub_server(&server, 8, 1 << 20);
	server.opt.insecure = true;
	assert_true(sd_event_new(&server.event) >= 0);
	server.worker = worker_start(server.event, NULL, NULL);
	server.connector = worker_start(server.event, NULL, NULL);
	server.fencer = worker_start(server.event, NULL, NULL);
	server.closer = worker_start(server.event, NULL, NULL);
	assert_true(server.worker && server.connector && server.fencer && server.closer);
	channel = eventfd(0, EFD_CLOEXEC);
	assert_true(sd_event_add_io(server.event, &server.channel_source, channel, EPOLLIN, on_events,
				    NULL) >= 0);
	LIST_INIT(&server.devices);
	device = device_know(&server, &verbs);
	device->limits = (struct limits){ .most = { 100, 100, 100, 100 }, .reads = 16 };
	device->keeper = calloc(1, sizeof(*device->keeper));
	device->keeper->id = make_id(&verbs, STRANGER);
	adapter.ids = 0;
	return 0;
}

void unkeep(void)
{
	free(device->keeper->id);
	free(device->keeper);
	device->keeper = NULL;
	verbs.cmd_fd = memfd_create("cmd", MFD_CLOEXEC);
	verbs.async_fd = memfd_create("async", MFD_CLOEXEC);
}

/* As main.c:main_stop() does it. */
int end(void **state)
{
	struct session *session;

	let_go(&adapter.hold_ready);
	let_go(&adapter.hold_destroy);
	let_go(&adapter.hold_id);
	let_go(&adapter.hold_dereg);
	server.stopping = true;
	while ((session = LIST_FIRST(&server.sessions)))
		session_close(session, "over");
	session_settle_all(&server);
	worker_stop(server.connector);
	worker_stop(server.fencer);
	worker_stop(server.worker);
	conn_disconnect_all(&server);
	worker_stop(server.closer);
	volume_forget_all(&server);
	assert_int_equal(adapter.qps, 0);
	assert_int_equal(adapter.ids, 0);
	if (!LIST_EMPTY(&server.devices)) {
		assert_int_equal(device->users, 0);
		assert_int_equal(device->qps, 0);
		free(device->keeper->id);
		free(device->keeper);
	}
	device_close_all(&server);
	remove_sysfs();
	sd_event_source_disable_unref(server.channel_source);
	close(channel);
	sd_event_unref(server.event);
	stub_server_free(&server);
	return 0;
}

uint64_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* The request of a queue 0; the session that it has become. */
struct session *ask(uint8_t host)
{
	struct cm_request req = { .incarnation = 5, .queue_count = 4 };

	assert_int_equal(client_identity("node", req.identity), 0);
	device->users++;
	session_open(&server, &admit_ops, device, make_id(&verbs, host), &req, 1);
	return LIST_FIRST(&server.sessions);
}

void ask_queue(struct session *session, uint16_t index)
{
	struct cm_request req = { .incarnation = 5, .queue_index = index };

	session_add_queue(session, make_id(&verbs, NODE), &req, 1);
}

struct session *welcome(void)
{
	struct session *session = ask(NODE);

	RUN_UNTIL(!session->conn[0]->connecting);
	strcpy(session->name, "node");
	admit_ops.hello(session);
	assert_int_equal(session->state, SESSION_LIVE);
	return session;
}

static int said, saved;

void listen_to_log(void)
{
	said = memfd_create("log", MFD_CLOEXEC);
	assert_true(said >= 0);
	saved = dup(STDERR_FILENO);
	dup2(said, STDERR_FILENO);
}

const char *heard(void)
{
	static char text[8192];
	ssize_t len = lseek(said, 0, SEEK_CUR);

	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_true(lseek(said, 0, SEEK_SET) == 0 && len < (ssize_t)sizeof(text));
	assert_int_equal(read(said, text, len), len);
	text[len] = '\0';
	close(said);
	return text;
}
