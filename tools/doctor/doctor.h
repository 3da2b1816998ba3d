/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.h - farmemctl doctor: the examination, and its parts by file.
 *
 * doctor.c has the table of checks, runs them, prints what they found, and repairs.  A
 * check looks, and says one or more findings with doctor_say().  After each it gives what
 * helps: doctor_repair() for a command that --fix may run, doctor_advise() for what a
 * person has to do.  A check changes nothing.
 */
#ifndef FARMEMCTL_DOCTOR_H
#define FARMEMCTL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"
#include "table.h"

struct cli_args;

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
 * struct finding - what a check said
 * @check: which
 * @verdict: how bad
 * @text: what was found
 * @repair: commands that --fix may run, each NULL-terminated and to free
 * @repairs: how many
 * @advice: what a person has to do, a line each, NULL if nothing
 */
struct finding {
	const struct doctor_check *check;
	enum verdict verdict;
	char *text;
	char **repair[4];
	size_t repairs;
	char *advice;
};

/**
 * struct doctor - one examination
 * @args: the command line
 * @nodes: what this node is, NODE_*
 * @guessed: nothing told what it is: NODE_BOTH may be too much
 * @release: of the running kernel, as uname -r
 * @series: of it, 6 * 1000 + 12 for 6.12; 0 if @release is no version
 * @config: farmemd's configuration file, as far as it matters here
 * @ports: of this node's RDMA devices
 * @port_count: how many
 * @fabric: what farmem-fabric has found out
 * @modinfo: what modinfo printed about farmem.ko; NULL: it was not asked yet
 * @modinfo_rc: its exit code, if it was
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
	struct rdma_port *ports;
	size_t port_count;
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

/* finding.c */
void doctor_say(struct doctor *doctor, enum verdict verdict, const char *fmt, ...) PRINTF_LIKE(3);
enum verdict doctor_last(struct doctor *doctor);
extern const char *const verdict_word[];
void doctor_repair(struct doctor *doctor, const char *program, ...) __attribute__((sentinel));
void doctor_advise(struct doctor *doctor, const char *fmt, ...) PRINTF_LIKE(2);
void doctor_forget_findings(struct doctor *doctor);

/**
 * struct rdma_port - a port of this node's RDMA devices, as sysfs tells of it
 * @device: "rxe0"
 * @number: from 1
 * @state: "ACTIVE", "DOWN", "INIT", ...
 * @physical: "LinkUp", "Disabled", "Polling", ...
 * @layer: "Ethernet" or "InfiniBand"
 * @rate: "100 Gb/sec (4X EDR)"
 * @netdev: its network interface
 * @soft: no hardware: this node's own CPUs and network stack carry its packets
 * @iwarp: it speaks iWARP, over TCP
 *
 * A text is "" where sysfs says nothing.
 */
struct rdma_port {
	char device[64];
	unsigned int number;
	char state[16], physical[24], layer[16], rate[40], netdev[32];
	bool soft;
	bool iwarp;
};

/* rdma-port.c: ports and network interfaces. */
struct rdma_port *rdma_ports(size_t *count);
bool rdma_port_is(const struct rdma_port *port, const char *layer);
char *rdma_port_attr(const struct rdma_port *port, const char *name);
char **interface_names(const char *type, bool addressed);
char *ipoib_of(const struct rdma_port *port, bool addressed);

/* doctor-node.c: what several checks ask about this node, and its kind. */
char *doctor_module_field(struct doctor *doctor, const char *name);
bool doctor_has_module(const struct doctor *doctor, const char *module);
bool doctor_module_builtin(const struct doctor *doctor, const char *module);
bool doctor_module_loaded(const char *module);
unsigned int doctor_farmemd_pid(void);
char *doctor_field(const char *text, const char *key);
char *doctor_line(const char *path, const char *key);
bool doctor_has_package(const char *package);
void doctor_install(struct doctor *doctor, const char *debian, const char *rpm);
void doctor_install_kernel(struct doctor *doctor);
unsigned int doctor_node_kind(const char *node, bool server, bool lends, bool *guessed);

/**
 * struct doctor_config - what farmemd.conf says, as farmemd --show-config tells
 * @answered: farmemd did; without that all here is as if there was no farmemd.conf
 * @json: its answer, which the texts are in
 * @file: "read", "absent", "unreadable" or "wrong"
 * @error: why it can't be read, with file and line; of one that was read why farmemd would
 *	not start with it and nothing else; NULL: it would
 * @locked: bytes that farmemd will lock for its pool, with what it knows of its pages
 * @missing: of these those that no file of a pool has yet
 * @hugepages: bytes of the huge pages that all this is in, 0 for none
 * @control: the control socket
 * @port: that it listens on
 */
struct doctor_config {
	bool answered;
	struct json_t *json;
	const char *file;
	const char *error;
	uint64_t locked;
	uint64_t missing;
	uint64_t hugepages;
	const char *control;
	unsigned int port;
};

/* doctor-config.c */
struct doctor_config *doctor_config_read(void);
bool doctor_config_there(const struct doctor_config *config);
void doctor_config_free(struct doctor_config *config);

/*
 * doctor-fabric.c: what farmem-fabric finds out for the doctor.
 *
 * farmem-fabric is a program of its own because it needs librdmacm and libibverbs.  A
 * compute node can do without them, and their absence is itself a finding.  The doctor can
 * also end a program that hangs in them.  fabric.c describes what farmem-fabric prints.
 * The doctor asks for each of its two answers once in an examination.
 */

/* The packages of its libraries. */
#define FABRIC_DEBIAN	"librdmacm1 ibverbs-providers libssl3"
#define FABRIC_RPM	"librdmacm libibverbs openssl-libs"

enum fabric_answer {
	FABRIC_OK,
	FABRIC_NO_LIBRARY,	/* it is there, and does not start */
	FABRIC_FAILED,
};

/* Did packets of RDMA pass between this node and the server? */
enum fabric_contact {
	FABRIC_UNASKED,		/* none was sent */
	FABRIC_SILENT,
	FABRIC_ANSWERED,
};

enum fabric_answer doctor_fabric_devices(struct doctor *doctor, size_t *seen);
unsigned int doctor_fabric_mtu(struct doctor *doctor, const struct rdma_port *port,
			       unsigned int *largest);
const char *doctor_fabric_address(struct doctor *doctor);
enum fabric_contact doctor_fabric_contact(struct doctor *doctor);
void doctor_fabric_forget(struct doctor *doctor);

/* doctor-rxe.c */
void doctor_offer_device(struct doctor *doctor);

/* The checks, by the file that has them: doctor-kernel.c, doctor-module.c, */
void check_kernel_version(struct doctor *doctor);
void check_swap_path(struct doctor *doctor);
void check_module_built(struct doctor *doctor);
void check_module_headers(struct doctor *doctor);
void check_module_signing(struct doctor *doctor);
void check_module_loaded(struct doctor *doctor);
/* doctor-rdma.c, doctor-port.c, */
void check_rdma_modules(struct doctor *doctor);
void check_rdma_files(struct doctor *doctor);
void check_rdma_devices(struct doctor *doctor);
void check_rdma_libraries(struct doctor *doctor);
void check_rdma_ports(struct doctor *doctor);
void check_rdma_mtu(struct doctor *doctor);
void check_rdma_gids(struct doctor *doctor);
/* doctor-config.c, doctor-limits.c, doctor-firewall.c, */
void check_config(struct doctor *doctor);
void check_limits_shell(struct doctor *doctor);
void check_limits_service(struct doctor *doctor);
void check_hugepages(struct doctor *doctor);
void check_farmemd(struct doctor *doctor);
void check_firewall_roce(struct doctor *doctor);
void check_firewall_port(struct doctor *doctor);
/* doctor-sysctl.c: the file in which an administrator keeps settings of the kernel. */
#define SYSCTL_FILE	"/etc/sysctl.d/90-farmem.conf"
char *doctor_sysctl_wanted(const char *name);
void check_sysctl(struct doctor *doctor);
/* doctor-swap.c, doctor-fabric.c */
void check_page_cluster(struct doctor *doctor);
void check_zswap(struct doctor *doctor);
void check_swap_priority(struct doctor *doctor);
void check_swap_loop(struct doctor *doctor);
void check_server_step(struct doctor *doctor);

/* doctor.c, for farmemctl.c */
extern const struct table doctor_table;

int doctor_run(const struct cli_args *args);
void doctor_help(void);

#endif
