// SPDX-License-Identifier: GPL-2.0
/*
 * verify-sectors.c - what every sector of a disk may hold, and what it does hold.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify-sectors.h"

#define BLOCK		512ul
#define BLOCKS		(SECTOR / BLOCK)
#define WORDS		(BLOCK / sizeof(uint64_t))
#define MAGIC		0x7966697265766d66ull	/* "fmverify" */
#define LOCKS		64u
#define LINES		20u	/* of complaint, then it is enough */

struct stamp {
	uint64_t magic, seed, sector, sequence, block, check;
};

/* What one sector may hold: candidate[0..count), of which one is there. */
struct sector {
	uint64_t candidate[CANDIDATES];	/* twice its sequence, and 1 of zeros */
	uint64_t issued;	/* the latest sequence that was ever sent */
	uint64_t zeroed;	/* the latest of them that was a discard */
	uint64_t count;
};

struct state {
	uint64_t magic, seed, sectors;
	uint64_t reserved[5];
	struct sector sector[];
};

static const char *disk;
static struct state *state;
static pthread_mutex_t locks[LOCKS];
atomic_uint complaints;
atomic_ulong kept, landed;

uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

void complain(uint64_t sector, const char *format, ...)
{
	char text[160];
	va_list list;

	if (atomic_fetch_add(&complaints, 1) >= LINES)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	warnx("%s: sector %" PRIu64 ": %s", disk, sector, text);
}

/* Stamps: what a sector looks like. */

static uint64_t checksum(const uint64_t *words)
{
	uint64_t sum = MAGIC;
	size_t i;

	for (i = 0; i < WORDS; i++)
		if (i != offsetof(struct stamp, check) / sizeof(sum))
			sum = (sum ^ words[i]) * 0x100000001b3ull + (sum >> 29);
	return sum;
}

void sector_stamp(uint8_t *data, uint64_t sector, uint64_t sequence)
{
	uint64_t block, i, start = mixed(state->seed ^ mixed(sector ^ mixed(sequence)));

	for (block = 0; block < BLOCKS; block++, data += BLOCK) {
		uint64_t *words = (void *)data;

		for (i = 0; i < WORDS; i++)
			words[i] = start + (block * WORDS + i) * 0x9e3779b97f4a7c15ull;
		*(struct stamp *)data = (struct stamp){
			MAGIC, state->seed, sector, sequence, block, 0 };
		((struct stamp *)data)->check = checksum(words);
	}
}

static bool stamped(const uint8_t *data)
{
	const struct stamp *s = (const void *)data;

	return s->magic == MAGIC && s->check == checksum((const void *)data);
}

static bool zeros(const uint8_t *data, size_t bytes)
{
	return !*data && !memcmp(data, data + 1, bytes - 1);
}

/* Whose a block is: a sequence of this sector, 0 of zeros, or UINT64_MAX. */
static uint64_t block_sequence(const uint8_t *data, uint64_t sector, uint64_t block)
{
	const struct stamp *s = (const void *)data;

	if (zeros(data, BLOCK))
		return 0;
	if (!stamped(data) || s->seed != state->seed || s->sector != sector || s->block != block)
		return UINT64_MAX;
	return s->sequence;
}

static void complain_foreign(const uint8_t *data, uint64_t sector)
{
	const struct stamp *s = (const void *)data;

	if (!stamped(data))
		complain(sector, "foreign: nobody's bytes, %016" PRIx64 "...", s->magic);
	else if (s->seed != state->seed)
		complain(sector, "foreign: of seed %" PRIu64 ", sector %" PRIu64, s->seed, s->sector);
	else
		complain(sector, "foreign: of sector %" PRIu64 ", block %" PRIu64 ", sequence %" PRIu64,
			 s->sector, s->block, s->sequence);
}

/* Whose a whole sector is, by its first block; UINT64_MAX also if it is not all of one. */
static uint64_t whole_sequence(const uint8_t *data, uint64_t sector)
{
	uint64_t block, sequence = block_sequence(data, sector, 0);

	for (block = 1; block < BLOCKS; block++)
		if (block_sequence(data + block * BLOCK, sector, block) != sequence)
			return UINT64_MAX;
	return sequence;
}

/* sequence_of - what a sector holds; false after complaining that it is no one thing. */
static bool sequence_of(const uint8_t *data, uint64_t sector, uint64_t *sequence)
{
	uint64_t block, other;

	*sequence = block_sequence(data, sector, 0);
	for (block = 1; block < BLOCKS; block++) {
		other = block_sequence(data + block * BLOCK, sector, block);
		if (other != *sequence) {
			complain(sector, "torn: %" PRId64 " in block 0, %" PRId64 " in block %" PRIu64
				 " (0: zeros, -1: foreign)", *sequence, other, block);
			return false;
		}
	}
	if (*sequence != UINT64_MAX)
		return true;
	complain_foreign(data, sector);
	return false;
}

/* What may be there, and what becomes of that. */

static struct sector *lock(uint64_t number)
{
	pthread_mutex_lock(&locks[number % LOCKS]);
	return &state->sector[number];
}

static void unlock(uint64_t number)
{
	pthread_mutex_unlock(&locks[number % LOCKS]);
}

static void settle(struct sector *s, uint64_t candidate)
{
	s->candidate[0] = candidate;
	atomic_signal_fence(memory_order_seq_cst);
	s->count = 1;
}

static void complain_wrong(const struct sector *s, uint64_t sequence)
{
	uint64_t i, newest = 0;
	const char *what;

	for (i = 0; i < s->count; i++)
		if (s->candidate[i] / 2 > newest)
			newest = s->candidate[i] / 2;
	what = !sequence ? "zero" : sequence <= newest ? "old" : "new";
	complain(s - state->sector, "%s: %" PRIu64 " is there, where %s%" PRIu64 " must be (%" PRIu64
		 " more in doubt, %" PRIu64 " issued)", what, sequence,
		 s->candidate[0] % 2 ? "zeros by " : "", s->candidate[0] / 2, s->count - 1, s->issued);
}

void sector_judge(const uint8_t *data, uint64_t number)
{
	struct sector *s = &state->sector[number];
	uint64_t sequence, i;

	if (!sequence_of(data, number, &sequence))
		return;
	for (i = 0; i < s->count; i++)
		if (s->candidate[i] % 2 ? !sequence : s->candidate[i] / 2 == sequence)
			break;
	if (i == s->count) {
		complain_wrong(s, sequence);
		return;
	}
	if (s->count > 1)
		atomic_fetch_add(i ? &landed : &kept, 1);
	lock(number);
	settle(s, s->candidate[i]);
	unlock(number);
}

void sector_view(uint64_t number, struct sector_view *view)
{
	const struct sector *s = lock(number);

	memcpy(view->candidate, s->candidate, sizeof(view->candidate));
	view->count = s->count;
	view->issued = s->issued;
	unlock(number);
}

static bool was_there(const struct sector_view *then, uint64_t sequence, bool zero)
{
	uint64_t i;

	for (i = 0; i < then->count; i++)
		if (zero ? then->candidate[i] % 2 : then->candidate[i] == 2 * sequence)
			return true;
	return false;
}

/* Tick off the bytes of @data that are those of one time, @like. */
static void tick_off(const uint8_t *data, const uint8_t *like, bool *ticked)
{
	uint64_t i;

	for (i = 0; i < SECTOR; i++)
		ticked[i] |= data[i] == (like ? like[i] : 0);
}

/* A mixture: of each byte somebody must have sent it, at a time that is not over. */
static void judge_bytes(const uint8_t *data, uint64_t number, const struct sector_view *then,
			uint64_t issued, bool zeros_too)
{
	_Alignas(8) uint8_t like[SECTOR];
	bool ticked[SECTOR] = { 0 };
	uint64_t i, sequence;

	if (zeros_too)
		tick_off(data, NULL, ticked);
	for (i = 0; i < then->count + (issued - then->issued); i++) {
		sequence = i < then->count ? then->candidate[i] / 2 :
					     then->issued + 1 + (i - then->count);
		sector_stamp(like, number, sequence);
		tick_off(data, like, ticked);
	}
	for (i = 0; i < SECTOR; i++)
		if (!ticked[i]) {
			complain(number, "read beside its writer: byte %" PRIu64 " of block %" PRIu64
				 ", of %" PRId64 ", is neither old nor new: %" PRIu64 " to %" PRIu64
				 " were sent meanwhile", i % BLOCK, i / BLOCK,
				 block_sequence(data + i / BLOCK * BLOCK, number, i / BLOCK),
				 then->issued + 1, issued);
			return;
		}
}

bool sector_judge_shared(const uint8_t *data, uint64_t number, const struct sector_view *then)
{
	const struct sector *s = lock(number);
	uint64_t issued = s->issued, zeroed = s->zeroed, sequence;
	bool zeros_too = zeroed > then->issued || was_there(then, 0, true);

	unlock(number);
	sequence = whole_sequence(data, number);
	if (!(sequence ? was_there(then, sequence, false) ||
			 (sequence > then->issued && sequence <= issued) : zeros_too))
		judge_bytes(data, number, then, issued, zeros_too);
	return issued > then->issued;
}

/* In doubt until somebody says more, and noted before it is sent. */
uint64_t sector_doubt(uint64_t number, bool zero)
{
	struct sector *s = lock(number);
	uint64_t sequence = ++s->issued;

	if (zero)
		s->zeroed = sequence;
	s->candidate[s->count] = 2 * sequence + zero;
	atomic_signal_fence(memory_order_seq_cst);
	s->count++;
	unlock(number);
	return sequence;
}

bool sector_takes_doubt(uint64_t number)
{
	return state->sector[number].count < CANDIDATES;
}

void sector_acknowledge(uint64_t number, uint64_t sequence, bool zero)
{
	settle(lock(number), 2 * sequence + zero);
	unlock(number);
}

static void make(int file, const char *path, uint64_t sectors, uint64_t seed)
{
	uint64_t i;

	if (ftruncate(file, sizeof(*state) + sectors * sizeof(struct sector)))
		err(1, "%s", path);
	*state = (struct state){ .magic = MAGIC, .seed = seed, .sectors = sectors };
	for (i = 0; i < sectors; i++)
		settle(&state->sector[i], 1);
}

uint64_t sectors_open(const char *of, const char *path, uint64_t sectors, uint64_t seed)
{
	size_t bytes = sizeof(*state) + sectors * sizeof(struct sector);
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat st;
	unsigned int i;

	for (i = 0; i < LOCKS; i++)
		pthread_mutex_init(&locks[i], NULL);
	disk = of;
	if (file < 0 || fstat(file, &st))
		err(1, "%s", path);
	state = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (state == MAP_FAILED)
		err(1, "%s", path);
	if (!st.st_size)
		make(file, path, sectors, seed);
	else if ((size_t)st.st_size < sizeof(*state) || state->magic != MAGIC)
		errx(1, "%s: no state of farmem-verify", path);
	else if (state->sectors > sectors)
		errx(1, "%s: of a disk with %" PRIu64 " sectors", path, state->sectors);
	close(file);
	return state->sectors;
}
