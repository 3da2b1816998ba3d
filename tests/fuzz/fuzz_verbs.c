// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_verbs.c - what a client tells a farmem-verbs server: the run, in one line.
 *
 * What is taken must be a run that the program's own command line could have asked
 * for: every option in its range, nothing of the server's own touched, no more
 * memory than is allowed; and told again it must be the same run.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "mode.h"
#include "options.h"

#define REQUIRE(truth) do { if (!(truth)) abort(); } while (0)

static void check_ranges(const struct options *options)
{
	const struct option_row *row;
	unsigned int choices;

	for (row = option_rows; row < option_rows + option_count; row++) {
		unsigned int value = row->kind == KIND_TEXT ? 0 : *options_number(row, options);

		switch (row->kind) {
		case KIND_TEXT:
			REQUIRE(!*(const char **)((const char *)options + row->offset));
			break;
		case KIND_CHOICE:
			for (choices = 0; row->choices[choices]; choices++)
				;
			REQUIRE(value < choices);
			break;
		case KIND_SIZE:
			REQUIRE(value == SIZE_ALL || (value >= row->min && value <= row->max));
			break;
		default:
			REQUIRE(value == row->initial || (value >= row->min && value <= row->max));
			REQUIRE(value == row->initial || row->users & ON_WIRE);
		}
	}
}

static void check_again(const struct options *options)
{
	char line[2048];
	struct options again;

	options_init(&again);
	options_write(options, line, sizeof(line));
	REQUIRE(!options_read(&again, line));
	options_settle(&again);
	REQUIRE(!memcmp(&again, options, sizeof(again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options options;
	struct memory plan = { 0 };
	char line[2048];

	if (size >= sizeof(line))
		return 0;
	memcpy(line, data, size);
	line[size] = '\0';
	options_init(&options);
	if (options_read(&options, line))
		return 0;
	options_settle(&options);
	if (mode_refusal(&options))
		return 0;
	check_ranges(&options);
	check_again(&options);
	memory_plan(&plan, &options);
	REQUIRE(plan.length <= 1ull << 30);
	REQUIRE(plan.stride > options_largest(&options));
	return 0;
}
