/* SPDX-License-Identifier: GPL-2.0 */
/*
 * finding.h - an examination, and how a check says what it found.
 *
 * A check looks, says one or more findings with doctor_say(), and after each gives what
 * helps: doctor_repair() for a command that --fix may run, doctor_advise() for what a
 * person has to do.  A check changes nothing.
 */
#ifndef FARMEMCTL_FINDING_H
#define FARMEMCTL_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"

struct cli_args;
struct doctor_config;
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

void doctor_say(struct doctor *doctor, enum verdict verdict, const char *fmt, ...) PRINTF_LIKE(3);
enum verdict doctor_last(struct doctor *doctor);
void doctor_repair(struct doctor *doctor, const char *program, ...)
	__attribute__((sentinel));
void doctor_advise(struct doctor *doctor, const char *fmt, ...) PRINTF_LIKE(2);
void doctor_forget_findings(struct doctor *doctor);

#endif
