// SPDX-License-Identifier: GPL-2.0
#include "assembly.h"

static int role_in(const struct array_trace *trace, int number)
{
	return number >= 0 && number < ARRAY_NUMBERS ? trace->role[number] : ARRAY_OUT;
}

bool assembly_may_return(const struct array_trace *out, const struct array_trace *member)
{
	return out->sight == ARRAY_SIGHT_THERE && member->sight == ARRAY_SIGHT_THERE &&
	       role_in(out, member->number) != ARRAY_OUT;
}

static bool says_out(const struct assembly_leg *leg, const struct assembly_leg *other)
{
	return role_in(&leg->trace, other->trace.number) == ARRAY_OUT;
}

/*
 * @leg went on without @other, which does not know.  Numbers of events don't tell: md counts
 * back when an array becomes clean, so two of them may be equal (md_update_sb()).
 */
static bool overrules(const struct assembly_leg *leg, const struct assembly_leg *other)
{
	return says_out(leg, other) && !says_out(other, leg);
}

static bool is_candidate(const struct assembly_leg *leg)
{
	return leg->trace.sight == ARRAY_SIGHT_THERE && leg->current;
}

static bool is_overruled(const struct assembly_leg *legs, size_t count, const struct assembly_leg *leg)
{
	const struct assembly_leg *other;

	for (other = legs; other < legs + count; other++)
		if (other != leg && is_candidate(other) && overrules(other, leg))
			return true;
	return false;
}

/*
 * A superblock may be one event behind, since a crash may come between the writes of two of
 * them.  That of a leg which was just thrown out is so as well: what it says of itself is no
 * proof (Linux 6.8, drivers/md/md.c, super_1_validate(), asks the newest one, too).
 */
static bool belongs(const struct assembly_leg *leg, const struct assembly_leg *newest)
{
	return leg->trace.events + 1 >= newest->trace.events && !says_out(newest, leg);
}

/* The one that saw most of what happened to the array; NULL: none can be read. */
static struct assembly_leg *find_newest(struct assembly_leg *legs, size_t count)
{
	struct assembly_leg *newest = NULL, *leg;

	for (leg = legs; leg < legs + count; leg++)
		if (is_candidate(leg) && !is_overruled(legs, count, leg) &&
		    (!newest || leg->trace.events > newest->trace.events))
			newest = leg;
	return newest;
}

/* The newest and what belongs to it.  A leg that is newer but partial proves the others old. */
static const struct assembly_leg *use_current(struct assembly_leg *legs, size_t count)
{
	struct assembly_leg *newest = find_newest(legs, count), *leg;
	bool whole = false;

	for (leg = legs; leg < legs + count; leg++) {
		leg->use = newest && is_candidate(leg) && belongs(leg, newest);
		whole |= leg->use && !leg->trace.partial;
	}
	return whole ? newest : NULL;
}

/* One alone: of what is not current nobody knows which are the same.  A spare holds nothing. */
static const struct assembly_leg *use_any(struct assembly_leg *legs, size_t count)
{
	struct assembly_leg *newest = NULL, *leg;

	for (leg = legs; leg < legs + count; leg++) {
		leg->use = false;
		if (leg->trace.sight == ARRAY_SIGHT_THERE && !leg->trace.partial && !says_out(leg, leg) &&
		    (!newest || leg->trace.events > newest->trace.events))
			newest = leg;
	}
	if (newest)
		newest->use = true;
	return newest;
}

static bool uses(const struct assembly_leg *legs, size_t count, int number)
{
	const struct assembly_leg *leg;

	for (leg = legs; leg < legs + count; leg++)
		if (leg->use && leg->trace.number == number)
			return true;
	return false;
}

/* All that the newest one knew as parts of the array are used: whatever is away was out. */
static bool is_complete(const struct assembly_leg *legs, size_t count, const struct assembly_leg *newest)
{
	int number;

	for (number = 0; number < ARRAY_NUMBERS; number++)
		if (newest->trace.role[number] != ARRAY_OUT && !uses(legs, count, number))
			return false;
	return true;
}

static bool any_current(const struct assembly_leg *legs, size_t count, enum array_sight sight)
{
	const struct assembly_leg *leg;

	for (leg = legs; leg < legs + count; leg++)
		if (leg->current && leg->trace.sight == sight)
			return true;
	return false;
}

enum assembly assembly_choose(struct assembly_leg *legs, size_t count, bool clean, bool force)
{
	bool away = any_current(legs, count, ARRAY_SIGHT_AWAY);
	bool lost = any_current(legs, count, ARRAY_SIGHT_EMPTY);
	const struct assembly_leg *newest = use_current(legs, count);

	if (!newest && force)
		newest = use_any(legs, count);
	if (!newest)
		return away ? ASSEMBLY_UNSURE : ASSEMBLY_LOST;
	if (force || is_complete(legs, count, newest) || (clean && !away))
		return ASSEMBLY_WHOLE;
	if (clean)
		return ASSEMBLY_SOME;
	return away || lost ? ASSEMBLY_UNSURE : ASSEMBLY_WHOLE;
}
