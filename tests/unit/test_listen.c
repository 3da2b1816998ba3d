// SPDX-License-Identifier: GPL-2.0
/* test_listen.c - can this server be heard of? By iWARP, nobody hears of it */
#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"
#include "cm.h"
#include "device.h"
#include "device-limits.h"
#include "stubs.h"

struct rdma_event_channel *__wrap_rdma_create_event_channel(void);
void __wrap_rdma_destroy_event_channel(struct rdma_event_channel *channel);
int __wrap_rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id,
			  void *context, enum rdma_port_space ps);
int __wrap_rdma_destroy_id(struct rdma_cm_id *id);
int __wrap_rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t len);
int __wrap_rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr);
int __wrap_rdma_listen(struct rdma_cm_id *id, int backlog);
int __real_sd_event_add_time_relative(sd_event *event, sd_event_source **source, clockid_t clock,
				      uint64_t usec, uint64_t accuracy,
				      sd_event_time_handler_t handler, void *data);
int __wrap_sd_event_add_time_relative(sd_event *event, sd_event_source **source, clockid_t clock,
				      uint64_t usec, uint64_t accuracy,
				      sd_event_time_handler_t handler, void *data);
int __wrap_ibv_query_device(struct ibv_context *verbs, struct ibv_device_attr *attr);
int __wrap_sd_event_source_set_time_relative(sd_event_source *source, uint64_t usec);
struct ibv_device **__wrap_ibv_get_device_list(int *count);
void __wrap_ibv_free_device_list(struct ibv_device **list);
struct ibv_context *__wrap_ibv_open_device(struct ibv_device *device);
int __wrap_ibv_close_device(struct ibv_context *verbs);

static struct ibv_device adapter = { .name = "siw0" };
/* What this machine has. */
static struct ibv_device *devices[3];
static int device_count;
static struct ibv_context context = { .device = &adapter };
/* Where an address is bound to; of all addresses nowhere. */
static struct ibv_context *bound;
static struct rdma_event_channel channel;
static struct rdma_cm_id cm_id;
static unsigned int destroyed;
static bool listen_fails;
/* Whose devices are looked at. */
static struct server *running;

struct rdma_event_channel *__wrap_rdma_create_event_channel(void)
{
	return &channel;
}

void __wrap_rdma_destroy_event_channel(struct rdma_event_channel *unused)
{
}

int __wrap_rdma_create_id(struct rdma_event_channel *unused, struct rdma_cm_id **id,
			  void *private, enum rdma_port_space ps)
{
	cm_id.verbs = NULL;
	cm_id.context = private;
	*id = &cm_id;
	return 0;
}

/* librdmacm may free the context then. */
int __wrap_rdma_destroy_id(struct rdma_cm_id *id)
{
	assert_true(!id->verbs || !running || !device_find(running, id->verbs));
	destroyed++;
	return 0;
}

int __wrap_rdma_listen(struct rdma_cm_id *id, int backlog)
{
	errno = EADDRINUSE;
	return listen_fails ? -1 : 0;
}

int __wrap_sd_event_add_time_relative(sd_event *event, sd_event_source **source, clockid_t clock,
				      uint64_t usec, uint64_t accuracy,
				      sd_event_time_handler_t handler, void *data)
{
	return __real_sd_event_add_time_relative(event, source, clock, 0, 1, handler, data);
}

int __wrap_sd_event_source_set_time_relative(sd_event_source *source, uint64_t usec)
{
	return sd_event_source_set_time(source, 0);
}

int __wrap_rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t len)
{
	return 0;
}

int __wrap_rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr)
{
	id->verbs = bound;
	return 0;
}

int __wrap_ibv_query_device(struct ibv_context *verbs, struct ibv_device_attr *attr)
{
	*attr = (struct ibv_device_attr) { .max_qp_rd_atom = 16, .max_mr_size = UINT64_MAX };
	return 0;
}

struct ibv_device **__wrap_ibv_get_device_list(int *count)
{
	*count = device_count;
	return devices;
}

void __wrap_ibv_free_device_list(struct ibv_device **list)
{
	assert_non_null(list);
}

struct ibv_context *__wrap_ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *verbs = calloc(1, sizeof(*verbs));

	verbs->device = device;
	return verbs;
}

int __wrap_ibv_close_device(struct ibv_context *verbs)
{
	free(verbs);
	return 0;
}

/* A fence that only seems to be there would let old queue pairs write on. */
static void refused_commands_are_never_called_done(void **state)
{
	struct server server;

	stub_server(&server, 4, 1 << 20);
	LIST_INIT(&server.listeners);
	LIST_INIT(&server.devices);
	channel.fd = eventfd(0, EFD_CLOEXEC);
	assert_true(sd_event_new(&server.event) >= 0);
	setenv("RDMAV_ALLOW_DISASSOC_DESTROY", "1", 1);
	assert_int_equal(cm_open(&server), 0);
	assert_null(getenv("RDMAV_ALLOW_DISASSOC_DESTROY"));
	cm_close(&server);
	sd_event_unref(server.event);
	close(channel.fd);
	stub_server_free(&server);
}

/* No client comes in by it then, and no lease is to end. */
static void all_addresses_are_none_without_a_device(void **state)
{
	struct server server;

	stub_server(&server, 4, 1 << 20);
	LIST_INIT(&server.listeners);
	LIST_INIT(&server.devices);
	bound = NULL;
	channel.fd = eventfd(0, EFD_CLOEXEC);
	assert_true(sd_event_new(&server.event) >= 0);
	assert_int_equal(cm_open(&server), 0);
	device_count = 1;
	assert_true(cm_is_listening(&server));
	device_count = 0;
	assert_false(cm_is_listening(&server));
	device_count = 2;
	assert_true(cm_is_listening(&server));
	cm_close(&server);
	sd_event_unref(server.event);
	close(channel.fd);
	stub_server_free(&server);
}

/* A server that listens on an address, whose device nobody has used. */
static void listen_on_one(struct server *server)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };

	stub_server(server, 4, 1 << 20);
	LIST_INIT(&server->listeners);
	LIST_INIT(&server->devices);
	memcpy(&server->opt.listen[0], &addr, sizeof(addr));
	server->opt.listen_count = 1;
	adapter.transport_type = IBV_TRANSPORT_IB;
	context.cmd_fd = context.async_fd = -1;
	bound = &context;
	destroyed = 0;
	channel.fd = eventfd(0, EFD_CLOEXEC);
	assert_true(sd_event_new(&server->event) >= 0);
	assert_int_equal(cm_open(server), 0);
	assert_int_equal(cm_listen(server), 0);
	assert_true(cm_is_listening(server));
	assert_non_null(device_find(server, &context));
	running = server;
}

static void listen_no_more(struct server *server)
{
	running = NULL;
	cm_close(server);
	device_close_all(server);
	sd_event_unref(server->event);
	close(channel.fd);
	stub_server_free(server);
}

/* As the watch sees it, and as rdma_cm tells it. */
static void a_listener_keeps_the_context_of_its_device(void **state)
{
	const struct cm_event removal = { .type = RDMA_CM_EVENT_DEVICE_REMOVAL, .id = &cm_id };
	struct cm_handler *handler;
	struct server server;

	listen_on_one(&server);
	device_remove(device_find(&server, &context));
	assert_int_equal(destroyed, 1);
	assert_false(cm_is_listening(&server));
	listen_no_more(&server);

	listen_on_one(&server);
	handler = cm_id.context;
	handler->event(handler, &removal);
	assert_int_equal(destroyed, 1);
	assert_true(LIST_EMPTY(&server.devices));
	listen_no_more(&server);
}

/* Its device is known by then, though nothing is heard of it. */
static void an_address_that_is_bound_stays_so(void **state)
{
	struct server server;

	listen_on_one(&server);
	device_remove(device_find(&server, &context));
	listen_fails = true;
	assert_true(sd_event_run(server.event, 1000000) > 0);
	assert_non_null(device_find(&server, &context));
	assert_false(cm_is_listening(&server));
	assert_int_equal(destroyed, 1);
	listen_fails = false;
	while (!cm_is_listening(&server))
		assert_true(sd_event_run(server.event, 10000000) > 0);
	assert_int_equal(destroyed, 1);
	listen_no_more(&server);
}

static int bind_to(struct ibv_context *verbs, enum ibv_transport_type transport)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };

	adapter.transport_type = transport;
	bound = verbs;
	return cm_probe_address((struct sockaddr *)&addr);
}

static void an_iwarp_address_cannot_be_bound(void **state)
{
	assert_int_equal(bind_to(&context, IBV_TRANSPORT_IB), 0);
	assert_int_equal(bind_to(&context, IBV_TRANSPORT_IWARP), -EPROTONOSUPPORT);
	assert_non_null(strstr(cm_address_hint(-EPROTONOSUPPORT), LIMITS_IWARP));
	/* Others may be heard of there. */
	assert_int_equal(bind_to(NULL, IBV_TRANSPORT_IWARP), 0);
}

static void a_connection_by_iwarp_is_refused(void **state)
{
	struct server server;
	const char *why = NULL;

	stub_server(&server, 4, 1 << 20);
	adapter.transport_type = IBV_TRANSPORT_IWARP;
	assert_null(device_get(&server, &context, &why));
	assert_string_equal(why, LIMITS_IWARP);
	device_close_all(&server);
	stub_server_free(&server);
}

/* The lines of --check, which says whether it fails. */
static int checked(char *text, size_t size)
{
	FILE *file = tmpfile();
	int saved = dup(STDOUT_FILENO), failed;
	struct options opt;

	assert_non_null(file);
	options_defaults(&opt);
	opt.size = 64 << 20;
	opt.insecure = true;
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	failed = check_print(&opt);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
	options_free(&opt);
	return failed;
}

/* --check fails where iWARP is all there is, whichever device is found first. */
static void iwarp_beside_another_is_a_warning(void **state)
{
	struct ibv_device other = { .name = "rxe0", .transport_type = IBV_TRANSPORT_IB };
	char text[4096];

	bound = NULL;
	adapter.transport_type = IBV_TRANSPORT_IWARP;
	device_count = 2;
	devices[0] = &adapter;
	devices[1] = &other;
	assert_int_equal(checked(text, sizeof(text)), 0);
	assert_non_null(strstr(text, "warn  siw0: "));
	devices[0] = &other;
	devices[1] = &adapter;
	assert_int_equal(checked(text, sizeof(text)), 0);
	assert_non_null(strstr(text, "warn  siw0: "));
	devices[0] = &adapter;
	assert_int_equal(checked(text, sizeof(text)), 1);
	assert_non_null(strstr(text, "FAIL  siw0: "));
}

/* systemd starts it again after the latter. */
static void what_stays_wrong_is_not_tried_again(void **state)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	struct options opt;

	options_defaults(&opt);
	opt.size = memory;
	assert_int_equal(check_start(&opt), -EINVAL);
	/* All but what farmemd needs beside it: more than is free, and less than there is. */
	opt.size = (memory - (128 << 20)) / 1025 * 1024 / opt.slab_size * opt.slab_size;
	assert_int_equal(check_start(&opt), -EAGAIN);
	options_free(&opt);
	assert_int_equal(check_exit_status(-EINVAL), 78);
	assert_int_equal(check_exit_status(-EPROTONOSUPPORT), 78);
	assert_int_equal(check_exit_status(-EAGAIN), 1);
	assert_int_equal(check_exit_status(-EADDRNOTAVAIL), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_addresses_are_none_without_a_device),
		cmocka_unit_test(refused_commands_are_never_called_done),
		cmocka_unit_test(a_listener_keeps_the_context_of_its_device),
		cmocka_unit_test(an_address_that_is_bound_stays_so),
		cmocka_unit_test(an_iwarp_address_cannot_be_bound),
		cmocka_unit_test(a_connection_by_iwarp_is_refused),
		cmocka_unit_test(iwarp_beside_another_is_a_warning),
		cmocka_unit_test(what_stays_wrong_is_not_tried_again),
	};

	return cmocka_run_group_tests_name("listen", tests, NULL, NULL);
}
