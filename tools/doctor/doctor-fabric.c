// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"
#include "progress.h"

#define DEVICES_SECONDS	15
/* Each step of a visit has a limit of its own, and they are added up here. */
#define VISIT_SECONDS	60
#define STEPS_MAX	16
#define FIELDS		5

/* A step of the visit to a server; @id: the check's, @advice: NULL if there is none */
struct fabric_step {
	const char *id;
	enum verdict verdict;
	const char *text;
	const char *advice;
};

/**
 * struct doctor_fabric - what it said
 * @devices: of its first answer: that, once it is @devices_asked
 * @ports: the lines of that answer
 * @visit: of its second answer: that, once it is @visit_asked
 * @output: that answer, in which the texts of the steps are
 * @address: of the server, numeric; NULL if it has none
 * @contact: whether it answered
 * @step: @steps of them, in their order
 */
struct doctor_fabric {
	bool devices_asked;
	enum fabric_answer devices;
	char *ports;
	bool visit_asked;
	enum fabric_answer visit;
	char *output;
	const char *address;
	enum fabric_contact contact;
	struct fabric_step step[STEPS_MAX];
	size_t steps;
};

static struct doctor_fabric *state(struct doctor *doctor)
{
	if (!doctor->fabric)
		doctor->fabric = checked(calloc(1, sizeof(*doctor->fabric)));
	return doctor->fabric;
}

/*
 * Where it is, to free: beside farmemctl as in build/, or where `make install` puts
 * it, ../libexec/farmem.
 */
static char *program(void)
{
	const char *told = secure_getenv("FARMEM_FABRIC");
	CLEANUP_FREE char *own = command_folder();

	if (told && *told)
		return text_copy(told);
	return text_format("%s%s/farmem-fabric", own,
			   file_missing("%s/farmem-fabric", own) ? "/../libexec/farmem" : "");
}

static enum fabric_answer judge(const char *path, int rc)
{
	if (!rc)
		return FABRIC_OK;
	/* The dynamic loader's exit code, and a shell's for a program that is not there. */
	return rc == COMMAND_MISSING && !file_missing("%s", path) ? FABRIC_NO_LIBRARY : FABRIC_FAILED;
}

static void ask_devices(struct doctor_fabric *fabric)
{
	CLEANUP_FREE char *path = program();
	int rc;

	if (fabric->devices_asked)
		return;
	fabric->devices_asked = true;
	rc = command_ask(&fabric->ports, DEVICES_SECONDS, path, "devices", NULL);
	fabric->devices = judge(path, rc);
}

/** doctor_fabric_devices() - how many devices do programs see?  @seen: if it is FABRIC_OK */
enum fabric_answer doctor_fabric_devices(struct doctor *doctor, size_t *seen)
{
	struct doctor_fabric *fabric = state(doctor);
	const char *line;

	ask_devices(fabric);
	*seen = 0;
	for (line = fabric->ports; (line = strstr(line, "device\t")); line++)
		*seen += line == fabric->ports || line[-1] == '\n';
	return fabric->devices;
}

/** doctor_fabric_mtu() - a port's RDMA MTU in bytes, 0 if unknown; @largest: of the device */
unsigned int doctor_fabric_mtu(struct doctor *doctor, const struct rdma_port *port,
			       unsigned int *largest)
{
	struct doctor_fabric *fabric = state(doctor);
	CLEANUP_FREE char *start = text_format("port\t%s\t%u\t", port->device, port->number);
	CLEANUP_FREE char *line = NULL;
	unsigned int mtu;

	ask_devices(fabric);
	line = doctor_field(fabric->ports, start);
	return line && sscanf(line, "%u\t%u", &mtu, largest) == 2 ? mtu : 0;
}

static bool verdict_of(const char *word, enum verdict *verdict)
{
	for (*verdict = VERDICT_OK; *verdict <= VERDICT_FAIL; (*verdict)++)
		if (!strcmp(verdict_word[*verdict], word))
			return true;
	return false;
}

static void take_line(struct doctor_fabric *fabric, char *line)
{
	char *field[FIELDS] = { NULL };
	struct fabric_step *step = &fabric->step[fabric->steps];
	int i;

	for (i = 0; i < FIELDS && line; i++)
		field[i] = strsep(&line, "\t");
	if (field[1] && !strcmp(field[0], "address"))
		fabric->address = field[1];
	if (field[1] && !strcmp(field[0], "contact"))
		fabric->contact = strcmp(field[1], "answered") ? FABRIC_SILENT : FABRIC_ANSWERED;
	if (!field[3] || strcmp(field[0], "step") || fabric->steps == STEPS_MAX ||
	    !verdict_of(field[2], &step->verdict))
		return;
	step->id = field[1];
	step->text = field[3];
	step->advice = field[4] && *field[4] ? field[4] : NULL;
	fabric->steps++;
}

/* Visit the server of --server, once. */
static enum fabric_answer visit(struct doctor *doctor)
{
	const struct cli_args *args = doctor->args;
	const char *client = args->value[OPT_CLIENT], *key = args->value[OPT_KEY];
	const char *source = args->value[OPT_SOURCE];
	struct doctor_fabric *fabric = state(doctor);
	CLEANUP_FREE char *path = program();
	char *rest;
	int rc;

	if (fabric->visit_asked)
		return fabric->visit;
	fabric->visit_asked = true;
	progress_begin("trying each step to %s, %d s at most", args->value[OPT_SERVER], VISIT_SECONDS);
	/* Empty ones were not given: all of them have a place of their own. */
	rc = command_ask(&fabric->output, VISIT_SECONDS, path, "visit", args->value[OPT_SERVER],
			 client ? client : "", key ? key : "", source ? source : "", NULL);
	progress_end();
	rest = fabric->output;
	while (rest && *rest)
		take_line(fabric, strsep(&rest, "\n"));
	fabric->visit = judge(path, rc);
	return fabric->visit;
}

/** doctor_fabric_address() - the numeric address of --server, NULL if there is none */
const char *doctor_fabric_address(struct doctor *doctor)
{
	if (doctor->args->value[OPT_SERVER])
		visit(doctor);
	return state(doctor)->address;
}

/** doctor_fabric_contact() - did the server of --server answer? */
enum fabric_contact doctor_fabric_contact(struct doctor *doctor)
{
	if (doctor->args->value[OPT_SERVER])
		visit(doctor);
	return state(doctor)->contact;
}

/* A step of the visit, NULL if the visit did not get there. */
static const struct fabric_step *find_step(struct doctor *doctor, const char *id)
{
	struct doctor_fabric *fabric = state(doctor);
	size_t i;

	visit(doctor);
	for (i = 0; i < fabric->steps; i++)
		if (!strcmp(fabric->step[i].id, id))
			return &fabric->step[i];
	return NULL;
}

/** doctor_fabric_forget() - the next examination asks anew */
void doctor_fabric_forget(struct doctor *doctor)
{
	if (doctor->fabric) {
		free(doctor->fabric->ports);
		free(doctor->fabric->output);
	}
	free(doctor->fabric);
	doctor->fabric = NULL;
}

/* The user asks for the visit: without it no step is well. */
static void say_no_visit(struct doctor *doctor, enum fabric_answer answer)
{
	if (answer == FABRIC_NO_LIBRARY) {
		doctor_say(doctor, VERDICT_FAIL, "farmem-fabric does not start: see rdma.libraries");
		doctor_install(doctor, FABRIC_DEBIAN, FABRIC_RPM);
	} else {
		doctor_say(doctor, VERDICT_FAIL, "farmem-fabric, which connects to the server, is not installed or failed");
		doctor_advise(doctor, "make install    (in farmem's source)");
	}
}

/* A step that nothing was said of: the first such says why. */
static void say_missing(struct doctor *doctor, enum fabric_answer answer)
{
	if (!strcmp(doctor->check->id, "server.address")) {
		say_no_visit(doctor, answer);
	} else if (answer != FABRIC_OK && doctor_last(doctor) == VERDICT_OK) {
		doctor_say(doctor, VERDICT_FAIL, "farmem-fabric hung in this step, and the doctor ended it");
		doctor_advise(doctor, "dmesg | tail    (a library or the kernel did not return)");
	} else {
		doctor_say(doctor, VERDICT_SKIPPED, "not reached");
	}
}

void check_server_step(struct doctor *doctor)
{
	const struct fabric_step *step = find_step(doctor, doctor->check->id);
	CLEANUP_FREE char *text = NULL;

	if (!step) {
		say_missing(doctor, visit(doctor));
		return;
	}
	text = cli_words(step->text);
	doctor_say(doctor, step->verdict, "%s", text);
	if (step->advice)
		doctor_advise(doctor, "%s", step->advice);
}
