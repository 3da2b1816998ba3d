// SPDX-License-Identifier: GPL-2.0
#include "attr.h"
#include "doctor.h"

#define WORDS_MAX	12

const char *const verdict_word[] = {
	[VERDICT_OK] = "ok",
	[VERDICT_SKIPPED] = "skipped",
	[VERDICT_UNKNOWN] = "unknown",
	[VERDICT_WARN] = "warn",
	[VERDICT_FAIL] = "fail",
};

static struct finding *last(struct doctor *doctor)
{
	return &doctor->findings[doctor->count - 1];
}

/** doctor_say() - a finding of the check that runs: a line without a full stop */
void doctor_say(struct doctor *doctor, enum verdict verdict, const char *fmt, ...)
{
	struct finding *finding;
	va_list ap;

	doctor->findings = checked(reallocarray(doctor->findings, doctor->count + 1,
						sizeof(*doctor->findings)));
	doctor->count++;
	finding = last(doctor);
	*finding = (struct finding){ .check = doctor->check, .verdict = verdict };
	va_start(ap, fmt);
	finding->text = text_vformat(fmt, ap);
	va_end(ap);
}

/** doctor_last() - the verdict of what was said last; VERDICT_OK if nothing was */
enum verdict doctor_last(struct doctor *doctor)
{
	return doctor->count ? last(doctor)->verdict : VERDICT_OK;
}

/** doctor_repair() - a program that mends what was said last; its arguments follow, then NULL */
void doctor_repair(struct doctor *doctor, const char *program, ...)
{
	struct finding *finding = last(doctor);
	char **argv = checked(calloc(WORDS_MAX + 1, sizeof(*argv)));
	const char *word = program;
	va_list ap;
	int i;

	va_start(ap, program);
	for (i = 0; word && i < WORDS_MAX; i++) {
		argv[i] = text_copy(word);
		word = va_arg(ap, const char *);
	}
	va_end(ap);
	finding->repair[finding->repairs++] = argv;
}

/** doctor_advise() - what a person has to do about what was said last: a command, or a line */
void doctor_advise(struct doctor *doctor, const char *fmt, ...)
{
	CLEANUP_FREE char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	line = text_vformat(fmt, ap);
	va_end(ap);
	text_add(&last(doctor)->advice, "\n", line);
}

/** doctor_forget_findings() - the next examination says them anew */
void doctor_forget_findings(struct doctor *doctor)
{
	size_t i, n;
	char **word;

	for (i = 0; i < doctor->count; i++) {
		for (n = 0; n < doctor->findings[i].repairs; n++) {
			for (word = doctor->findings[i].repair[n]; *word; word++)
				free(*word);
			free(doctor->findings[i].repair[n]);
		}
		free(doctor->findings[i].text);
		free(doctor->findings[i].advice);
	}
	free(doctor->findings);
	doctor->findings = NULL;
	doctor->count = 0;
}
