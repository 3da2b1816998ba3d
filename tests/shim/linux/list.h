/* SPDX-License-Identifier: GPL-2.0 */
/* list.h - the kernel's linked lists; their lock's owner alone looks at one */
#ifndef SHIM_LIST_H
#define SHIM_LIST_H

#include <linux/kernel.h>

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline void shim_list_insert(struct list_head *entry, struct list_head *prev,
				    struct list_head *next)
{
	entry->prev = prev;
	entry->next = next;
	prev->next = next->prev = entry;
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head, head->next);
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head->prev, head);
}

/* Nobody finds the way back from an entry that is gone. */
static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	entry->next = entry->prev = NULL;
}

static inline void list_del_init(struct list_head *entry)
{
	list_del(entry);
	INIT_LIST_HEAD(entry);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	list_del(entry);
	list_add_tail(entry, head);
}

static inline int list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline int list_is_singular(const struct list_head *head)
{
	return !list_empty(head) && head->next == head->prev;
}

static inline void list_splice_tail_init(struct list_head *from, struct list_head *to)
{
	while (!list_empty(from))
		list_move_tail(from->next, to);
}

static inline void list_splice_init(struct list_head *from, struct list_head *to)
{
	while (!list_empty(from)) {
		struct list_head *last = from->prev;

		list_del(last);
		list_add(last, to);
	}
}

/* The kernel leaves @from as it was, which nobody relies on. */
#define list_splice(from, to) list_splice_init(from, to)

#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(at, member) list_entry((at)->member.next, __typeof__(*(at)), member)
#define list_for_each_entry(at, head, member) \
	for (at = list_first_entry(head, __typeof__(*at), member); \
	     &at->member != (head); at = list_next_entry(at, member))
#define list_for_each_entry_safe(at, then, head, member) \
	for (at = list_first_entry(head, __typeof__(*at), member), \
	     then = list_next_entry(at, member); \
	     &at->member != (head); at = then, then = list_next_entry(then, member))

#endif /* SHIM_LIST_H */
