/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bitmap.h - bits, one atomically or many not, as the kernel changes them
 *
 * A search reads a word at a time.  What is not atomic in the kernel is not here:
 * others may come between the load of a word and its store.
 */
#ifndef SHIM_BITMAP_H
#define SHIM_BITMAP_H

#include <linux/kernel.h>
#include <linux/string.h>

#define BIT_MASK(n) (1ul << ((n) % BITS_PER_LONG))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)
#define BITMAP_FIRST_WORD_MASK(start) (~0ul << ((start) % BITS_PER_LONG))
#define BITMAP_LAST_WORD_MASK(count) (~0ul >> (-(count) % BITS_PER_LONG))

static inline bool test_bit(unsigned long n, const unsigned long *map)
{
	shim_point(__func__);
	return map[BIT_WORD(n)] & BIT_MASK(n);
}

static inline void set_bit(unsigned long n, unsigned long *map)
{
	shim_point(__func__);
	map[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void clear_bit(unsigned long n, unsigned long *map)
{
	shim_point(__func__);
	map[BIT_WORD(n)] &= ~BIT_MASK(n);
}

static inline bool test_and_set_bit(unsigned long n, unsigned long *map)
{
	bool was;

	shim_point(__func__);
	was = map[BIT_WORD(n)] & BIT_MASK(n);
	map[BIT_WORD(n)] |= BIT_MASK(n);
	return was;
}

static inline bool test_and_clear_bit(unsigned long n, unsigned long *map)
{
	bool was;

	shim_point(__func__);
	was = map[BIT_WORD(n)] & BIT_MASK(n);
	map[BIT_WORD(n)] &= ~BIT_MASK(n);
	return was;
}

/* Load, change, store: of the bits in @mask. */
static inline void shim_change_word(unsigned long *word, unsigned long mask, bool set,
				    const char *what)
{
	unsigned long loaded;

	shim_point(what);
	loaded = *word;
	/* A whole word is stored without a look at it. */
	if (mask != ~0ul)
		shim_point(what);
	*word = set ? loaded | mask : loaded & ~mask;
}

static inline void shim_change_bits(unsigned long *map, unsigned long first,
				    unsigned long count, bool set, const char *what)
{
	unsigned long end = first + count, n, mask;

	for (n = first; n < end; n = round_down(n, BITS_PER_LONG) + BITS_PER_LONG) {
		mask = BITMAP_FIRST_WORD_MASK(n);
		if (BIT_WORD(n) == BIT_WORD(end))
			mask &= BIT_MASK(end) - 1;
		shim_change_word(&map[BIT_WORD(n)], mask, set, what);
	}
}

static inline void __set_bit(unsigned long n, unsigned long *map)
{
	shim_change_bits(map, n, 1, true, __func__);
}

static inline void __clear_bit(unsigned long n, unsigned long *map)
{
	shim_change_bits(map, n, 1, false, __func__);
}

static inline void bitmap_set(unsigned long *map, unsigned int first, unsigned int count)
{
	shim_change_bits(map, first, count, true, __func__);
}

static inline void bitmap_clear(unsigned long *map, unsigned int first, unsigned int count)
{
	shim_change_bits(map, first, count, false, __func__);
}

static inline unsigned long shim_find(const unsigned long *map, unsigned long size,
				      unsigned long from, unsigned long flip,
				      const char *what)
{
	unsigned long word, found;

	while (from < size) {
		shim_point(what);
		word = (map[BIT_WORD(from)] ^ flip) & BITMAP_FIRST_WORD_MASK(from);
		found = round_down(from, BITS_PER_LONG);
		if (word)
			return min(found + __builtin_ctzl(word), size);
		from = found + BITS_PER_LONG;
	}
	return size;
}

static inline unsigned long find_next_bit(const unsigned long *map, unsigned long size,
					  unsigned long from)
{
	return shim_find(map, size, from, 0, __func__);
}

static inline unsigned long find_next_zero_bit(const unsigned long *map,
					       unsigned long size, unsigned long from)
{
	return shim_find(map, size, from, ~0ul, __func__);
}

static inline unsigned int bitmap_weight(const unsigned long *map, unsigned int count)
{
	unsigned int n, weight = 0;
	unsigned long word;

	for (n = 0; n < count; n += BITS_PER_LONG) {
		shim_point(__func__);
		word = map[BIT_WORD(n)];
		if (count - n < BITS_PER_LONG)
			word &= BITMAP_LAST_WORD_MASK(count);
		weight += __builtin_popcountl(word);
	}
	return weight;
}

#endif /* SHIM_BITMAP_H */
