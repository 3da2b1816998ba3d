// SPDX-License-Identifier: GPL-2.0
/* test_listen.c - can this server be heard of? */
#include <rdma/rdma_cma.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cm.h"
#include "stubs.h"

struct rdma_event_channel *__wrap_rdma_create_event_channel(void);
void __wrap_rdma_destroy_event_channel(struct rdma_event_channel *channel);
int __wrap_rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id,
			  void *context, enum rdma_port_space ps);
int __wrap_rdma_destroy_id(struct rdma_cm_id *id);
int __wrap_rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t len);
int __wrap_rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr);
struct ibv_device **__wrap_ibv_get_device_list(int *count);
void __wrap_ibv_free_device_list(struct ibv_device **list);

static struct rdma_event_channel channel;
static struct rdma_cm_id cm_id;
static int devices;

struct rdma_event_channel *__wrap_rdma_create_event_channel(void)
{
	return &channel;
}

void __wrap_rdma_destroy_event_channel(struct rdma_event_channel *unused)
{
	(void)unused;
}

int __wrap_rdma_create_id(struct rdma_event_channel *unused, struct rdma_cm_id **id,
			  void *context, enum rdma_port_space ps)
{
	(void)unused;
	(void)context;
	(void)ps;
	*id = &cm_id;
	return 0;
}

int __wrap_rdma_destroy_id(struct rdma_cm_id *id)
{
	(void)id;
	return 0;
}

int __wrap_rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t len)
{
	(void)id;
	(void)level;
	(void)name;
	(void)value;
	(void)len;
	return 0;
}

/* Of all addresses there is no device to it. */
int __wrap_rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr)
{
	(void)id;
	(void)addr;
	return 0;
}

struct ibv_device **__wrap_ibv_get_device_list(int *count)
{
	static struct ibv_device *none;

	*count = devices;
	return &none;
}

void __wrap_ibv_free_device_list(struct ibv_device **list)
{
	assert_non_null(list);
}

/* No client comes in by it then, and no lease is to end. */
static void all_addresses_are_none_without_a_device(void **state)
{
	struct server server;

	(void)state;
	stub_server(&server, 4, 1 << 20);
	LIST_INIT(&server.listeners);
	LIST_INIT(&server.devices);
	channel.fd = eventfd(0, EFD_CLOEXEC);
	assert_true(sd_event_new(&server.event) >= 0);
	assert_int_equal(cm_open(&server), 0);
	devices = 1;
	assert_true(cm_is_listening(&server));
	devices = 0;
	assert_false(cm_is_listening(&server));
	devices = 2;
	assert_true(cm_is_listening(&server));
	cm_close(&server);
	sd_event_unref(server.event);
	close(channel.fd);
	stub_server_free(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_addresses_are_none_without_a_device),
	};

	return cmocka_run_group_tests_name("listen", tests, NULL, NULL);
}
