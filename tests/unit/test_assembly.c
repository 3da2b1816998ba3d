// SPDX-License-Identifier: GPL-2.0
/*
 * test_assembly.c - of which chunks a pair may start
 *
 * Every order of what can happen to a pair of chunks and to the one that takes the place of
 * one of them: writes, losses, returns, copies, crashes, stops and starts, with the record
 * that the tool keeps and the superblocks that md keeps.  No start may read old bytes.
 *
 * Those of the fewest steps first, as many as a second or two allow; FARMEM_EXPLORE in the
 * environment is a number of states.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assembly.h"

#define LEGS	3
#define PLACES	2
#define NUMBERS	5		/* of md's for disks */
#define ALL	((1u << LEGS) - 1)
#define SEEN	(1u << 23)	/* states at most */
#define SOON	500000		/* unless more are wanted */

enum { OUT, SPARE, COPYING, IN_SYNC };
#define OUT_OF_IT	PLACES

/*
 * @known: the record has it, @current: and says that
 * @reachable: its server is there
 * @blank: it has no superblock
 * @forked: it went on, and then another one was started by force: a copy of what the other
 *          one has written since, which is all that a re-added disk gets, does not mend it
 * @bytes: which bytes it holds: those of @newest, or others
 * @partial, @number, @place, @events, @role: its superblock; a role is a place, or OUT_OF_IT
 * @is: what the array makes of it
 */
struct leg {
	uint8_t known, current, reachable, blank, forked;
	uint8_t bytes, partial, number, place, events, role[NUMBERS];
	uint8_t is;
};

struct state {
	struct leg leg[LEGS];
	uint8_t running, clean, newest, events;
	uint8_t idle;		/* md's in_sync: its superblocks say that nothing is being written */
	uint8_t may_count_back;	/* md's can_decrease_events */
	uint8_t torn;	/* crashes between the writes of superblocks, 2: or more */
};

/* How a state was reached: the one before, and what was done, in how many steps. */
struct way {
	uint32_t from, steps;
	const char *op;
};

static struct way ways[SEEN];
static uint32_t at_state;

static void expect(bool holds, const char *what)
{
	uint32_t i;

	for (i = at_state; !holds && i; i = ways[i].from)
		print_error("after %s\n", ways[i].op);
	if (!holds)
		fail_msg("%s", what);
}

static bool can_serve(const struct leg *leg)
{
	return leg->is == IN_SYNC && leg->reachable && !leg->blank;
}

static bool any_serves(const struct state *s)
{
	return can_serve(&s->leg[0]) || can_serve(&s->leg[1]) || can_serve(&s->leg[2]);
}

static void note_roles(const struct state *s, struct leg *leg)
{
	int i;

	memset(leg->role, OUT_OF_IT, sizeof(leg->role));
	for (i = 0; i < LEGS; i++)
		if (s->leg[i].is > SPARE)
			leg->role[s->leg[i].number] = s->leg[i].place;
}

/* md throws out what it can't write to: is there any? */
static bool throw_out(struct state *s)
{
	bool any = false;
	int i;

	for (i = 0; i < LEGS; i++)
		if (s->leg[i].is != OUT && (!s->leg[i].reachable || s->leg[i].blank)) {
			s->leg[i].is = OUT;
			any = true;
		}
	return any;
}

static bool is_degraded(const struct state *s)
{
	int i, whole = 0;

	for (i = 0; i < LEGS; i++)
		whole += s->leg[i].is == IN_SYNC;
	return whole < PLACES;
}

static void put_super(struct state *s, unsigned int mask)
{
	int i;

	for (i = 0; i < LEGS; i++)
		if (s->leg[i].is != OUT && s->leg[i].reachable && !s->leg[i].blank && mask & 1u << i) {
			s->leg[i].events = s->events;
			note_roles(s, &s->leg[i]);
		}
}

/* md writes its superblock; a crash may come when some of @mask have it. */
static void write_super(struct state *s, unsigned int mask)
{
	if (mask != ALL && s->torn < 2)
		s->torn++;
	s->events++;
	s->may_count_back = !is_degraded(s);
	put_super(s, mask);
	if (mask == ALL && throw_out(s)) {
		s->events++;
		s->may_count_back = 0;
		put_super(s, mask);
	}
}

static bool do_write(struct state *s, int unused)
{
	int i;

	(void)unused;
	if (!s->running || !any_serves(s))
		return false;
	if (s->idle)
		write_super(s, ALL);
	s->idle = 0;
	if (throw_out(s)) {
		s->events++;
		s->may_count_back = 0;
		put_super(s, ALL);
	}
	s->newest = 200;
	for (i = 0; i < LEGS; i++)
		if (s->leg[i].is == IN_SYNC)
			s->leg[i].bytes = s->newest;
	return true;
}

static bool do_super(struct state *s, int unused)
{
	(void)unused;
	if (!s->running || !any_serves(s))
		return false;
	write_super(s, ALL);
	return true;
}

/* Nothing is written any more: the number of events may be again what it was before. */
static bool do_idle(struct state *s, int unused)
{
	(void)unused;
	if (!s->running || !any_serves(s) || s->idle)
		return false;
	s->idle = 1;
	if (!s->may_count_back) {
		write_super(s, ALL);
		return true;
	}
	s->events--;
	s->may_count_back = 0;
	put_super(s, ALL);
	if (throw_out(s)) {
		s->events++;
		put_super(s, ALL);
	}
	return true;
}

static bool do_down(struct state *s, int i)
{
	if (!s->leg[i].known || !s->leg[i].reachable)
		return false;
	s->leg[i].reachable = 0;
	return true;
}

static bool do_up(struct state *s, int i)
{
	if (!s->leg[i].known || s->leg[i].reachable)
		return false;
	s->leg[i].reachable = 1;
	return true;
}

static bool do_up_empty(struct state *s, int i)
{
	if (!do_up(s, i))
		return false;
	s->leg[i].blank = 1;
	s->leg[i].bytes = 201;
	return true;
}

static int free_place(const struct state *s)
{
	int place, i;

	for (place = 0; place < PLACES; place++) {
		bool taken = false;

		for (i = 0; i < LEGS; i++)
			taken |= s->leg[i].is != OUT && s->leg[i].place == place;
		if (!taken)
			return place;
	}
	return -1;
}

static bool is_taken(const struct state *s, int number)
{
	int i;

	for (i = 0; i < LEGS; i++)
		if (s->leg[i].is != OUT && s->leg[i].number == number)
			return true;
	return false;
}

/* As md numbers disks that come later. */
static uint8_t free_number(const struct state *s)
{
	uint8_t number = PLACES;

	while (is_taken(s, number))
		number++;
	assert_true(number < NUMBERS);
	return number;
}

/* What the tool sees of a leg. */
static struct array_trace trace_of(const struct leg *leg)
{
	struct array_trace trace = {
		.sight = !leg->known || !leg->reachable ? ARRAY_SIGHT_AWAY :
			 leg->blank ? ARRAY_SIGHT_EMPTY : ARRAY_SIGHT_THERE,
		.partial = leg->partial,
		.events = leg->events,
		.number = leg->number,
	};
	int number;

	for (number = 0; number < ARRAY_NUMBERS; number++)
		trace.role[number] = number < NUMBERS && leg->role[number] != OUT_OF_IT ?
					     leg->role[number] : ARRAY_OUT;
	return trace;
}

static bool may_return(const struct state *s, const struct leg *leg)
{
	const struct array_trace out = trace_of(leg);
	int i;

	for (i = 0; i < LEGS; i++) {
		const struct array_trace member = trace_of(&s->leg[i]);

		if (can_serve(&s->leg[i]) && !assembly_may_return(&out, &member))
			return false;
	}
	return true;
}

/* Repair: a leg that is out, or a new one, joins.  The record knows before md does. */
static bool do_join(struct state *s, int i)
{
	struct leg *leg = &s->leg[i];
	int place = free_place(s);

	if (!s->running || !any_serves(s) || place < 0 || leg->is != OUT)
		return false;
	if (leg->known ? !leg->reachable || leg->blank || is_taken(s, leg->number) || !may_return(s, leg) : i != 2)
		return false;
	expect(!leg->forked, "a chunk is taken back that holds what the pair never had");
	*leg = (struct leg) {
		.known = 1, .current = 1, .reachable = 1, .bytes = leg->known ? leg->bytes : 202,
		.number = leg->known ? leg->number : free_number(s), .place = (uint8_t)place,
	};
	leg->is = SPARE;
	write_super(s, ALL);
	return true;
}

static bool do_recover(struct state *s, int i)
{
	if (!s->running || s->leg[i].is != SPARE || !any_serves(s))
		return false;
	s->leg[i].is = COPYING;
	s->leg[i].partial = 1;
	write_super(s, ALL);
	return true;
}

/* A move: the new one gets the bytes while the old one goes on in the same place. */
static bool do_replace(struct state *s, int old)
{
	if (!s->running || s->leg[2].known || !can_serve(&s->leg[old]))
		return false;
	s->leg[2] = (struct leg) {
		.known = 1, .current = 1, .reachable = 1, .bytes = 202, .partial = 1,
		.number = free_number(s), .place = s->leg[old].place,
	};
	s->leg[2].is = COPYING;
	write_super(s, ALL);
	return true;
}

static bool do_joined(struct state *s, int i)
{
	struct leg *leg = &s->leg[i];
	int old;

	if (!s->running || leg->is != COPYING || !leg->reachable || leg->blank || !any_serves(s))
		return false;
	for (old = 0; old < LEGS; old++)
		if (s->leg[old].is == IN_SYNC && s->leg[old].place == leg->place)
			s->leg[old].is = OUT;
	leg->is = IN_SYNC;
	leg->partial = 0;
	leg->bytes = s->newest;
	write_super(s, ALL);
	return true;
}

/* Repair ends: the record says which two it is, and forgets the third. */
static bool do_note(struct state *s, int unused)
{
	int i, whole = 0;

	(void)unused;
	for (i = 0; i < LEGS; i++)
		whole += can_serve(&s->leg[i]);
	if (!s->running || whole < PLACES)
		return false;
	for (i = 0; i < LEGS; i++) {
		s->leg[i].current = can_serve(&s->leg[i]);
		if (!s->leg[i].current)
			s->leg[i] = (struct leg) { 0 };
	}
	/* The one that is to come is always the third. */
	if (!s->leg[0].known || !s->leg[1].known) {
		s->leg[!s->leg[1].known] = s->leg[2];
		s->leg[2] = (struct leg) { 0 };
	}
	return true;
}

static bool do_stop(struct state *s, int unused)
{
	int i;

	(void)unused;
	if (!s->running || !any_serves(s))
		return false;
	for (i = 0; i < LEGS; i++)
		s->leg[i].current = s->leg[i].is == IN_SYNC;
	s->clean = 1;
	write_super(s, ALL);
	s->running = 0;
	return true;
}

static bool do_crash(struct state *s, int mask)
{
	if (!s->running || (mask && !any_serves(s)))
		return false;
	if (mask)
		write_super(s, (unsigned int)mask);
	s->running = 0;
	return true;
}

/* Nothing that may hold the bytes is away or was lost. */
static bool all_there(const struct state *s)
{
	int i;

	for (i = 0; i < LEGS; i++)
		if (s->leg[i].current && (!s->leg[i].reachable || s->leg[i].blank))
			return false;
	return true;
}

/* The bytes that the pair has now: of all legs that it reads from the same. */
static int bytes_of(const struct state *s)
{
	bool taken[PLACES] = { false };
	int i, bytes = -1;

	for (i = 0; i < LEGS; i++) {
		if (s->leg[i].is != IN_SYNC)
			continue;
		if (bytes >= 0)
			expect(s->leg[i].bytes == bytes, "the pair reads from chunks that are not the same");
		bytes = s->leg[i].bytes;
		expect(!taken[s->leg[i].place], "two chunks have the same place");
		taken[s->leg[i].place] = true;
	}
	return bytes;
}

static bool do_start(struct state *s, int force)
{
	struct assembly_leg legs[LEGS] = { 0 };
	enum assembly found;
	int i, bytes;

	if (s->running)
		return false;
	for (i = 0; i < LEGS; i++)
		legs[i] = (struct assembly_leg) { .trace = trace_of(&s->leg[i]), .current = s->leg[i].current };
	found = assembly_choose(legs, LEGS, s->clean, force);
	/* After two of them one leg may be two events behind: md itself does not take it. */
	expect(!all_there(s) || s->torn > 1 || found == ASSEMBLY_WHOLE, "all chunks are there, and the pair may not start");
	if (found > ASSEMBLY_SOME)
		return false;
	s->events = 0;
	for (i = 0; i < LEGS; i++) {
		s->leg[i].current = legs[i].use;
		s->leg[i].is = !legs[i].use ? OUT : s->leg[i].partial ? COPYING : IN_SYNC;
		if (legs[i].use && s->leg[i].events > s->events)
			s->events = s->leg[i].events;
	}
	s->clean = s->may_count_back = 0;
	s->idle = 1;
	bytes = bytes_of(s);
	/* md starts no array without a disk that holds all. */
	expect(bytes >= 0, "the pair has no chunk that holds all bytes");
	s->running = 1;
	for (i = 0; force && i < LEGS; i++)
		if (s->leg[i].known && !legs[i].use && s->leg[i].bytes == s->newest && bytes != s->newest)
			s->leg[i].forked = 1;
	if (force)
		s->newest = (uint8_t)bytes;
	else
		expect(bytes == s->newest, "the pair has old bytes");
	return true;
}

struct op {
	const char *name;
	bool (*run)(struct state *s, int which);
	int which;
};

#define OP(function, which) { #function "(" #which ")", function, which }

static const struct op ops[] = {
	OP(do_write, 0), OP(do_super, 0), OP(do_idle, 0), OP(do_note, 0), OP(do_stop, 0),
	OP(do_down, 0), OP(do_down, 1), OP(do_down, 2), OP(do_up, 0), OP(do_up, 1), OP(do_up, 2),
	OP(do_up_empty, 0), OP(do_up_empty, 1), OP(do_up_empty, 2),
	OP(do_replace, 0), OP(do_replace, 1), OP(do_join, 0), OP(do_join, 1), OP(do_join, 2), OP(do_recover, 0), OP(do_recover, 1), OP(do_recover, 2),
	OP(do_joined, 0), OP(do_joined, 1), OP(do_joined, 2),
	OP(do_crash, 0), OP(do_crash, 1), OP(do_crash, 2), OP(do_crash, 4), OP(do_crash, 5), OP(do_crash, 6),
	OP(do_start, false), OP(do_start, true),
};

/* Numbers of events whose order is the same, and which of them follow each other. */
static void normalize_events(struct state *s)
{
	uint8_t *at[LEGS + 1] = { &s->leg[0].events, &s->leg[1].events, &s->leg[2].events, &s->events };
	uint8_t now[LEGS + 1] = { 0 };
	unsigned int value, last = 0, to = 0;
	int i;

	if (!s->running)
		s->events = 0;
	for (value = 1; value <= UINT8_MAX; value++) {
		bool used = false;

		for (i = 0; i <= LEGS; i++)
			used |= *at[i] == value;
		if (!used)
			continue;
		to += to && value - last > 1 ? 2 : 1;
		last = value;
		for (i = 0; i <= LEGS; i++)
			if (*at[i] == value)
				now[i] = (uint8_t)to;
	}
	for (i = 0; i <= LEGS; i++)
		*at[i] = now[i];
}

/* Bytes are the newest, or equal to those of another leg, or not. */
static void normalize_bytes(struct state *s)
{
	uint8_t before[LEGS];
	int i, other;

	for (i = 0; i < LEGS; i++)
		before[i] = s->leg[i].bytes;
	for (i = 0; i < LEGS; i++) {
		s->leg[i].bytes = (uint8_t)(i + 1);
		for (other = LEGS - 1; other >= 0; other--)
			if (other < i && before[other] == before[i])
				s->leg[i].bytes = (uint8_t)(other + 1);
		if (before[i] == s->newest)
			s->leg[i].bytes = 0;
	}
	s->newest = 0;
}

static void normalize(struct state *s)
{
	int i;

	for (i = 0; i < LEGS; i++)
		if (!s->leg[i].known)
			s->leg[i] = (struct leg) { 0 };
		else if (s->leg[i].blank && s->leg[i].is == OUT)
			s->leg[i] = (struct leg) {
				.known = 1, .current = s->leg[i].current, .reachable = s->leg[i].reachable, .blank = 1,
				.bytes = s->leg[i].bytes,
			};
	normalize_events(s);
	normalize_bytes(s);
}

static uint32_t hash(const struct state *s)
{
	const uint8_t *byte = (const uint8_t *)s;
	uint32_t sum = 2166136261u;
	size_t i;

	for (i = 0; i < sizeof(*s); i++)
		sum = (sum ^ byte[i]) * 16777619u;
	return sum;
}

/* Each state that can be reached, once: @table has indices into @states, from 1. */
static void no_start_reads_old_bytes(void **unused)
{
	const struct leg leg = { .known = 1, .current = 1, .reachable = 1, .events = 1, .is = IN_SYNC };
	struct state *states = calloc(SEEN, sizeof(*states));
	uint32_t *table = calloc(SEEN, sizeof(*table));
	const char *wanted = getenv("FARMEM_EXPLORE");
	uint32_t count = 1, next, limit = wanted ? (uint32_t)atol(wanted) : SOON;
	size_t op;

	(void)unused;
	assert_non_null(states);
	assert_non_null(table);
	assert_in_range(limit, 1, SEEN / 2);
	states[0] = (struct state) { .leg = { leg, leg }, .running = 1, .events = 1 };
	states[0].leg[1].place = states[0].leg[1].number = 1;
	note_roles(&states[0], &states[0].leg[0]);
	note_roles(&states[0], &states[0].leg[1]);
	normalize(&states[0]);
	table[hash(&states[0]) % SEEN] = 1;
	for (next = 0; next < count && count < limit; next++) {
		at_state = next;
		for (op = 0; op < sizeof(ops) / sizeof(*ops); op++) {
			struct state s = states[next];
			uint32_t at;

			if (!ops[op].run(&s, ops[op].which))
				continue;
			normalize(&s);
			for (at = hash(&s) % SEEN; table[at]; at = (at + 1) % SEEN)
				if (!memcmp(&states[table[at] - 1], &s, sizeof(s)))
					break;
			if (table[at] || count == limit)
				continue;
			ways[count] = (struct way) { next, ways[next].steps + 1, ops[op].name };
			states[count++] = s;
			table[at] = count;
		}
	}
	print_message("%u states, the last one after %u steps\n", count, ways[count - 1].steps);
	assert_true(count >= limit);
	free(states);
	free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_start_reads_old_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
