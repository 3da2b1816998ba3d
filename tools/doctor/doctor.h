/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.h - farmemctl doctor: what it looks at, and how a check says what it found.
 *
 * doctor.c has the table of checks, runs them and prints.  The checks are in
 * doctor-SUBJECT.c: each is a function that looks, says one or more findings with
 * doctor_say(), and after each gives what helps: doctor_repair() for a command that
 * --fix may run, doctor_advise() for what a person has to do.  A check changes nothing.
 */
#ifndef FARMEMCTL_DOCTOR_H
#define FARMEMCTL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"
#include "table.h"

struct cli_args;
struct doctor_fabric;

/* From the best to the worst: the worst one found is the exit code. */
enum verdict {
	VERDICT_OK,
	VERDICT_SKIPPED,	/* an earlier finding leaves nothing to look at */
	VERDICT_UNKNOWN,	/* could not be found out */
	VERDICT_WARN,
	VERDICT_FAIL,
};

/* Kinds of nodes, as bits. */
enum {
	NODE_COMPUTE	= 1,
	NODE_MEMORY	= 2,
	NODE_BOTH	= NODE_COMPUTE | NODE_MEMORY,
};

/**
 * struct doctor - one examination
 * @args: the command line
 * @nodes: what this node is, NODE_*
 * @guessed: nothing told what it is: NODE_BOTH may be too much
 * @release: of the running kernel, as uname -r
 * @series: of it, 6 * 1000 + 12 for 6.12; 0 if @release is no version
 * @config: farmemd's configuration file, as far as it matters here
 * @fabric: what farmem-fabric has found out; asked once, see doctor-fabric.h
 * @modinfo: what modinfo printed about farmem.ko, with the exit code @modinfo_rc;
 *	doctor_module_field() reads it
 * @check: the check that runs
 * @findings: what was said, in order
 * @count: how many
 */
struct doctor {
	const struct cli_args *args;
	unsigned int nodes;
	bool guessed;
	char *release;
	unsigned int series;
	struct doctor_config *config;
	struct doctor_fabric *fabric;
	char *modinfo;
	int modinfo_rc;
	const struct doctor_check *check;
	struct finding *findings;
	size_t count;
};

/**
 * struct doctor_check - a line of the table of checks
 * @id: "subject.thing", ABI: --json and the documents name it
 * @title: what it asks, for --help and the man page
 * @nodes: where it matters, NODE_*
 * @run: looks, and says at least one finding
 */
struct doctor_check {
	const char *id;
	const char *title;
	unsigned int nodes;
	void (*run)(struct doctor *doctor);
};

/**
 * struct doctor_config - what farmemd.conf says, read by farmemd's own reader
 * @there: the file exists
 * @error: why it can't be read, with file and line; NULL: it can
 * @error_number: 0 or the errno of opening it
 * @unfit: why farmemd would not start with it and nothing else; NULL: it would
 * @size: bytes of the pool, 0 if it does not say
 * @locked: bytes that farmemd will lock for it, with what it knows of its pages
 * @missing: of these those that no file of a pool has yet
 * @hugepages: bytes of the huge pages that all this is in, 0 for none
 * @control: the control socket
 * @port: that it listens on
 */
struct doctor_config {
	bool there;
	char *error;
	int error_number;
	char *unfit;
	uint64_t size;
	uint64_t locked;
	uint64_t missing;
	uint64_t hugepages;
	char *control;
	unsigned int port;
};

extern const struct table doctor_table;

int doctor_run(const struct cli_args *args);
void doctor_help(void);

void doctor_say(struct doctor *doctor, enum verdict verdict, const char *fmt, ...) PRINTF_LIKE(3);
enum verdict doctor_last(struct doctor *doctor);
void doctor_repair(struct doctor *doctor, const char *program, ...)
	__attribute__((sentinel));
void doctor_advise(struct doctor *doctor, const char *fmt, ...) PRINTF_LIKE(2);
void doctor_install(struct doctor *doctor, const char *debian, const char *rpm);
void doctor_install_kernel(struct doctor *doctor);

char *doctor_module_field(struct doctor *doctor, const char *name);
bool doctor_has_module(const struct doctor *doctor, const char *module);
bool doctor_module_builtin(const struct doctor *doctor, const char *module);
bool doctor_module_loaded(const char *module);
unsigned int doctor_farmemd_pid(void);
char *doctor_line(const char *path, const char *key);

/* doctor-kernel.c */
void check_kernel_version(struct doctor *doctor);
void check_swap_path(struct doctor *doctor);

/* doctor-module.c */
void check_module_built(struct doctor *doctor);
void check_module_headers(struct doctor *doctor);
void check_module_signing(struct doctor *doctor);
void check_module_loaded(struct doctor *doctor);

/* doctor-rxe.c */
void doctor_offer_device(struct doctor *doctor);

/* doctor-rdma.c, doctor-port.c */
void check_rdma_modules(struct doctor *doctor);
void check_rdma_files(struct doctor *doctor);
void check_rdma_devices(struct doctor *doctor);
void check_rdma_libraries(struct doctor *doctor);
void check_rdma_ports(struct doctor *doctor);
void check_rdma_mtu(struct doctor *doctor);
void check_rdma_gids(struct doctor *doctor);

/* doctor-config.c */
void check_config(struct doctor *doctor);

/* doctor-limits.c */
void check_limits_shell(struct doctor *doctor);
void check_limits_service(struct doctor *doctor);
void check_hugepages(struct doctor *doctor);
void check_farmemd(struct doctor *doctor);

/* doctor-firewall.c */
void check_firewall_roce(struct doctor *doctor);
void check_firewall_port(struct doctor *doctor);

/* doctor-swap.c */
void check_page_cluster(struct doctor *doctor);
void check_zswap(struct doctor *doctor);
void check_swap_priority(struct doctor *doctor);
void check_swap_loop(struct doctor *doctor);

/* doctor-server.c */
void check_server_step(struct doctor *doctor);

#endif
