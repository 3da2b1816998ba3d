// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-config.c - farmemd.conf, as farmemd understands it: farmemd itself is asked.
 */
#include <jansson.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"
#include "farmem-proto.h"

#define CONFIG		"/etc/farmem/farmemd.conf"
#define SHOW_SECONDS	10

/** doctor_config_read() - what farmemd makes of farmemd.conf; without farmemd, what it would of none */
struct doctor_config *doctor_config_read(void)
{
	CLEANUP_FREE char *path = text_format("%s" CONFIG, file_root());
	CLEANUP_FREE char *output = NULL;
	struct doctor_config *config = checked(calloc(1, sizeof(*config)));
	json_int_t locked = 0, missing = 0, hugepages = 0, port = FARMEM_DEFAULT_PORT;

	config->file = "absent";
	config->control = CONTROL_PATH;
	command_ask(&output, SHOW_SECONDS, "farmemd", "--show-config", "--config", path, NULL);
	config->json = json_loads(output, 0, NULL);
	config->answered = !json_unpack(config->json, "{s:s, s:I, s:I, s:I, s:s, s:I}",
					"file", &config->file, "locked", &locked,
					"missing", &missing, "hugepages", &hugepages,
					"control", &config->control, "port", &port);
	config->error = json_string_value(json_object_get(config->json, "error"));
	config->locked = locked;
	config->missing = missing;
	config->hugepages = hugepages;
	config->port = port;
	return config;
}

/** doctor_config_there() - is there such a file, and farmemd to read it? */
bool doctor_config_there(const struct doctor_config *config)
{
	return config->answered && strcmp(config->file, "absent");
}

/** doctor_config_free() - what doctor_config_read() returned */
void doctor_config_free(struct doctor_config *config)
{
	json_decref(config->json);
	free(config);
}

/* A node that nothing calls a memory node needs no farmemd; where one runs, it is elsewhere. */
static void say_no_farmemd(struct doctor *doctor)
{
	if (doctor->guessed) {
		doctor_say(doctor, VERDICT_SKIPPED, "farmemd is not installed; on a memory node give --node memory");
		return;
	}
	doctor_say(doctor, doctor_farmemd_pid() ? VERDICT_UNKNOWN : VERDICT_FAIL,
		   "farmemd, which reads " CONFIG ", is not installed or failed");
	doctor_advise(doctor, "farmemd --version    (says why, if it is installed)");
	doctor_advise(doctor, doctor_has_package("farmem-tools") ?
		      "apt install ./farmem-server_*.deb    (where farmem's packages are)" :
		      "make install    (in farmem's source)");
}

/* The unit starts farmemd with this file alone; by hand a user may add options. */
void check_config(struct doctor *doctor)
{
	const struct doctor_config *config = doctor->config;
	size_t root = strlen(file_root());

	if (!config->answered) {
		say_no_farmemd(doctor);
	} else if (!doctor_config_there(config)) {
		doctor_say(doctor, VERDICT_OK, "there is no " CONFIG);
	} else if (!strcmp(config->file, "unreadable")) {
		doctor_say(doctor, VERDICT_UNKNOWN, "%s", config->error + root);
		doctor_advise(doctor, "as root: farmemctl doctor");
	} else if (!strcmp(config->file, "wrong")) {
		doctor_say(doctor, VERDICT_FAIL, "%s", config->error + root);
		doctor_advise(doctor, "man farmemd.conf; farmemd --check --config " CONFIG);
	} else if (config->error) {
		doctor_say(doctor, doctor_farmemd_pid() ? VERDICT_OK : VERDICT_WARN,
			   CONFIG " alone is not enough: %s", config->error);
		if (doctor_last(doctor) != VERDICT_OK)
			doctor_advise(doctor, "man farmemd.conf; farmemd --config " CONFIG "    (the unit gives it no other option)");
	} else {
		doctor_say(doctor, VERDICT_OK, CONFIG);
	}
}
