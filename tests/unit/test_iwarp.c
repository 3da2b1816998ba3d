// SPDX-License-Identifier: GPL-2.0
/* test_iwarp.c - a device that speaks iWARP is listened on by no one, and lends nothing */
#include <arpa/inet.h>
#include <rdma/rdma_cma.h>
#include <string.h>

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
int __wrap_ibv_query_device(struct ibv_context *verbs, struct ibv_device_attr *attr);

static struct ibv_device adapter = { .name = "siw0" };
static struct ibv_context context = { .device = &adapter };
/* Where an address is bound to; of all addresses nowhere. */
static struct ibv_context *bound;
static struct rdma_event_channel channel;
static struct rdma_cm_id cm_id;

struct rdma_event_channel *__wrap_rdma_create_event_channel(void)
{
	return &channel;
}

void __wrap_rdma_destroy_event_channel(struct rdma_event_channel *unused)
{
	(void)unused;
}

int __wrap_rdma_create_id(struct rdma_event_channel *unused, struct rdma_cm_id **id,
			  void *private, enum rdma_port_space ps)
{
	(void)unused;
	(void)private;
	(void)ps;
	cm_id.verbs = NULL;
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

int __wrap_rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr)
{
	(void)addr;
	id->verbs = bound;
	return 0;
}

int __wrap_ibv_query_device(struct ibv_context *verbs, struct ibv_device_attr *attr)
{
	(void)verbs;
	*attr = (struct ibv_device_attr) { .max_qp_rd_atom = 16, .max_mr_size = UINT64_MAX };
	return 0;
}

static int bind_to(struct ibv_context *verbs, enum ibv_transport_type transport)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };

	adapter.transport_type = transport;
	bound = verbs;
	return cm_probe_address((struct sockaddr *)&addr);
}

static void its_address_cannot_be_bound(void **state)
{
	(void)state;
	assert_int_equal(bind_to(&context, IBV_TRANSPORT_IB), 0);
	assert_int_equal(bind_to(&context, IBV_TRANSPORT_IWARP), -EPROTONOSUPPORT);
	assert_non_null(strstr(cm_address_hint(-EPROTONOSUPPORT), LIMITS_IWARP));
	/* Others may be heard of there. */
	assert_int_equal(bind_to(NULL, IBV_TRANSPORT_IWARP), 0);
}

static void a_connection_through_it_is_refused(void **state)
{
	struct server server;
	const char *why = NULL;

	(void)state;
	stub_server(&server, 4, 1 << 20);
	adapter.transport_type = IBV_TRANSPORT_IWARP;
	assert_null(device_get(&server, &context, &why));
	assert_string_equal(why, LIMITS_IWARP);
	device_close_all(&server);
	stub_server_free(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_address_cannot_be_bound),
		cmocka_unit_test(a_connection_through_it_is_refused),
	};

	return cmocka_run_group_tests_name("iwarp", tests, NULL, NULL);
}
