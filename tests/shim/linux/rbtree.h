/* SPDX-License-Identifier: GPL-2.0 */
/* rbtree.h - the kernel's search trees, never balanced: a small one works as well */
#ifndef SHIM_RBTREE_H
#define SHIM_RBTREE_H

#include <linux/kernel.h>

struct rb_node {
	struct rb_node *rb_left, *rb_right, *parent;
};

struct rb_root {
	struct rb_node *rb_node;
};

#define RB_ROOT ((struct rb_root){ NULL })
#define rb_entry(pointer, type, member) container_of(pointer, type, member)

static inline void rb_link_node(struct rb_node *node, struct rb_node *parent,
				struct rb_node **link)
{
	*node = (struct rb_node){ .parent = parent };
	*link = node;
}

static inline void rb_insert_color(struct rb_node *node, struct rb_root *root)
{
}

static inline void shim_rb_replace(struct rb_node *node, struct rb_node *by,
				   struct rb_root *root)
{
	struct rb_node *parent = node->parent;

	if (!parent)
		root->rb_node = by;
	else if (parent->rb_left == node)
		parent->rb_left = by;
	else
		parent->rb_right = by;
	if (by)
		by->parent = parent;
}

static inline void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *next = node->rb_right;

	if (!node->rb_left || !node->rb_right) {
		shim_rb_replace(node, node->rb_left ? node->rb_left : node->rb_right, root);
		return;
	}
	while (next->rb_left)
		next = next->rb_left;
	shim_rb_replace(next, next->rb_right, root);
	shim_rb_replace(node, next, root);
	next->rb_left = node->rb_left;
	next->rb_right = node->rb_right;
	if (next->rb_left)
		next->rb_left->parent = next;
	if (next->rb_right)
		next->rb_right->parent = next;
}

#endif /* SHIM_RBTREE_H */
