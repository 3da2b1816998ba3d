/* SPDX-License-Identifier: GPL-2.0 */
/* jump_label.h - static keys: counts */
#ifndef SHIM_JUMP_LABEL_H
#define SHIM_JUMP_LABEL_H

struct static_key_false {
	int count;
};

#define DECLARE_STATIC_KEY_FALSE(key) extern struct static_key_false key
#define DEFINE_STATIC_KEY_FALSE(key) struct static_key_false key
#define static_branch_likely(key) ((key)->count > 0)
#define static_branch_unlikely(key) ((key)->count > 0)
#define static_branch_inc(key) ((void)++(key)->count)
#define static_branch_dec(key) ((void)--(key)->count)

#endif /* SHIM_JUMP_LABEL_H */
