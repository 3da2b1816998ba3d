// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-config.c - farmemd.conf, as farmemd will understand it: its own reader reads it.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"
#include "farmemd-config.h"
#include "farmemd-options.h"
#include "pool-size.h"

#define CONFIG	"/etc/farmem/farmemd.conf"

/* Of the first address; IPv4 and IPv6 have it in the same place. */
static unsigned int port_of(const struct options *opt)
{
	const struct sockaddr_in *first = (const struct sockaddr_in *)&opt->listen[0];

	return opt->listen_count ? ntohs(first->sin_port) : FARMEM_DEFAULT_PORT;
}

/** doctor_config_read() - what farmemd.conf says; without it, what farmemd takes for granted */
struct doctor_config *doctor_config_read(void)
{
	CLEANUP_FREE char *path = text_format("%s" CONFIG, file_root());
	struct doctor_config *config = checked(calloc(1, sizeof(*config)));
	struct options opt;
	char error[256];
	int ret;

	options_defaults(&opt);
	ret = config_read(&opt, path, error, sizeof(error));
	config->there = ret != -ENOENT;
	config->error_number = -ret;
	if (ret)
		config->error = text_copy(error + strlen(file_root()));
	else if (options_verify(&opt, error, sizeof(error)))
		config->unfit = text_copy(error);
	if (opt.size)
		config->locked = pool_size_mapped(opt.size, opt.slab_size, opt.hugepage_size);
	config->missing = pool_size_missing(config->locked, opt.pool);
	config->hugepages = opt.hugepage_size;
	config->control = text_copy(opt.control ? opt.control : CONTROL_PATH);
	config->port = port_of(&opt);
	options_free(&opt);
	return config;
}

/** doctor_config_free() - what doctor_config_read() returned */
void doctor_config_free(struct doctor_config *config)
{
	free(config->error);
	free(config->unfit);
	free(config->control);
	free(config);
}

/* The unit starts farmemd with this file alone; by hand a user may add options. */
void check_config(struct doctor *doctor)
{
	const struct doctor_config *config = doctor->config;

	if (!config->there) {
		doctor_say(doctor, VERDICT_OK, "there is no " CONFIG);
	} else if (config->error_number == EACCES) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s", config->error);
		doctor_advise(doctor, "as root: farmemctl doctor");
	} else if (config->error) {
		doctor_say(doctor, VERDICT_FAIL, "%s", config->error);
		doctor_advise(doctor, "man farmemd.conf; farmemd --check --config " CONFIG);
	} else if (config->unfit) {
		doctor_say(doctor, doctor_farmemd_pid() ? VERDICT_OK : VERDICT_WARN,
			   CONFIG " alone is not enough: %s", config->unfit);
		if (doctor_last(doctor) != VERDICT_OK)
			doctor_advise(doctor, "man farmemd.conf; farmemd --config " CONFIG "    (the unit gives it no other option)");
	} else {
		doctor_say(doctor, VERDICT_OK, CONFIG);
	}
}
