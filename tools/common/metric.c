// SPDX-License-Identifier: GPL-2.0
/*
 * metric.c - samples, as Prometheus reads them.
 *
 * Owns nothing.  Called by farmemctl, and by farmemd's own thread of metrics.
 */
#include <jansson.h>
#include <string.h>

#include "metric.h"

/*
 * Prometheus reads UTF-8 alone, and a quotation mark or the line's end would end the value.
 * Other bytes and control characters become \xNN, whose backslash is escaped like any other.
 */
static void metric_put_value(FILE *out, const char *value)
{
	json_t *valid = json_string(value);
	const unsigned char *c;

	for (c = (const unsigned char *)value; *c; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else if ((*c >= ' ' && *c <= '~') || (valid && *c > 0x7f))
			fputc(*c, out);
		else
			fprintf(out, *c == '\n' ? "\\n" : "\\\\x%02x", *c);
	}
	json_decref(valid);
}

/* Digits, and maybe a point and more of them. */
static bool metric_is_number(const char *value)
{
	static const char digits[] = "0123456789";
	size_t whole = value ? strspn(value, digits) : 0;
	size_t part = whole && value[whole] == '.' ? strspn(value + whole + 1, digits) : 0;

	return whole && !value[part ? whole + 1 + part : whole];
}

void metric_put_part(FILE *out, struct metric *metric, const char *part,
		     const struct metric_label *label, const char *value)
{
	const char *before = "{";

	if (!metric_is_number(value))
		return;
	if (!metric->begun)
		fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", metric->name, metric->help,
			metric->name, metric->type);
	metric->begun = true;
	fprintf(out, "%s%s", metric->name, part);
	for (; label && label->name; label++) {
		if (!label->value || !*label->value)
			continue;
		fprintf(out, "%s%s=\"", before, label->name);
		metric_put_value(out, label->value);
		fputc('"', out);
		before = ",";
	}
	fprintf(out, "%s %s\n", *before == ',' ? "}" : "", value);
}

void metric_put(FILE *out, struct metric *metric, const struct metric_label *label,
		const char *value)
{
	metric_put_part(out, metric, "", label, value);
}
