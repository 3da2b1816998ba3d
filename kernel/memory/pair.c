// SPDX-License-Identifier: GPL-2.0
/*
 * pair.c - which of two volumes lets its I/O go; the list of volumes that are on.
 *
 * One lock guards it all: to see that the partner serves, and to be stale, is one step, so
 * that of a pair never both let go.  It is taken with interrupts off, nests inside
 * everything, and only when a deadline is over.  A volume finds its partner by its name,
 * each time, and holds nothing of it.
 */
#include <linux/spinlock.h>
#include <linux/string.h>

#include "memory.h"
#include "pair.h"
#include "text.h"

static LIST_HEAD(pairs);
static DEFINE_SPINLOCK(pairs_lock);

/* If it is on, and names @m as well. */
static const struct farmem_pair *pair_partner(const struct farmem_memory *m, bool *serves)
{
	const struct farmem_memory *p;

	lockdep_assert_held(&pairs_lock);
	list_for_each_entry(p, &pairs, pair.entry) {
		if (strcmp(p->name, m->pair.partner) || strcmp(p->pair.partner, m->name))
			continue;
		*serves = farmem_memory_live(p);
		return &p->pair;
	}
	*serves = false;
	return NULL;
}

static bool pair_may_let_go(const struct farmem_memory *m)
{
	bool serves;
	const struct farmem_pair *partner = pair_partner(m, &serves);

	return !(partner && partner->stale) && (m->pair.stale || serves);
}

bool farmem_pair_may_let_go(const struct farmem_memory *m)
{
	unsigned long flags;
	bool may;

	if (!farmem_pair_has(&m->pair))
		return true;
	spin_lock_irqsave(&pairs_lock, flags);
	may = pair_may_let_go(m);
	spin_unlock_irqrestore(&pairs_lock, flags);
	return may;
}

bool farmem_pair_let_go(struct farmem_memory *m)
{
	unsigned long flags;
	bool may;

	if (!farmem_pair_has(&m->pair))
		return true;
	spin_lock_irqsave(&pairs_lock, flags);
	may = pair_may_let_go(m);
	if (may)
		WRITE_ONCE(m->pair.stale, true);
	spin_unlock_irqrestore(&pairs_lock, flags);
	return may;
}

void farmem_pair_fall_behind(struct farmem_memory *m)
{
	const struct farmem_pair *partner;
	unsigned long flags;
	bool serves;

	if (!farmem_pair_has(&m->pair))
		return;
	spin_lock_irqsave(&pairs_lock, flags);
	partner = pair_partner(m, &serves);
	if (!partner || !partner->stale)
		WRITE_ONCE(m->pair.stale, true);
	spin_unlock_irqrestore(&pairs_lock, flags);
}

int farmem_pair_set_partner(struct farmem_memory *m, const char *page, size_t len)
{
	char name[FARMEM_VOLUME_NAME_LEN];
	unsigned long flags;
	int err = 0;

	if (farmem_text_copy_word(name, sizeof(name), page, len) ||
	    (*name && !farmem_text_name_valid(name)) || !strcmp(name, m->name))
		return -EINVAL;
	spin_lock_irqsave(&pairs_lock, flags);
	if (*name && m->policy.sync && !list_empty(&m->pair.entry)) {
		err = -EINVAL;
	} else {
		strscpy(m->pair.partner, name, sizeof(m->pair.partner));
		WRITE_ONCE(m->pair.stale, false);
	}
	spin_unlock_irqrestore(&pairs_lock, flags);
	return err;
}

void farmem_pair_copy_partner(const struct farmem_memory *m, char to[FARMEM_VOLUME_NAME_LEN])
{
	unsigned long flags;

	spin_lock_irqsave(&pairs_lock, flags);
	strscpy(to, m->pair.partner, FARMEM_VOLUME_NAME_LEN);
	spin_unlock_irqrestore(&pairs_lock, flags);
}

void farmem_pair_join(struct farmem_memory *m)
{
	unsigned long flags;

	spin_lock_irqsave(&pairs_lock, flags);
	/* One was written since the volume's settings were found right. */
	if (m->policy.sync)
		m->pair.partner[0] = '\0';
	list_add(&m->pair.entry, &pairs);
	spin_unlock_irqrestore(&pairs_lock, flags);
}

void farmem_pair_leave(struct farmem_memory *m)
{
	unsigned long flags;

	spin_lock_irqsave(&pairs_lock, flags);
	list_del_init(&m->pair.entry);
	spin_unlock_irqrestore(&pairs_lock, flags);
}
