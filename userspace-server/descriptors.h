/* SPDX-License-Identifier: GPL-2.0 */
/* descriptors.h - in which order the kernel closes what farmemd has open */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

struct ibv_context;

/**
 * descriptors_hold() - keep a low place free for what is opened later
 *
 * Return: the place, for descriptors_release(); or -1.
 */
int descriptors_hold(void);

/* descriptors_release() - the next file that is opened gets the place */
void descriptors_release(int place);

/* descriptors_cut() - take the kernel's files from under a context of librdmacm's */
void descriptors_cut(const struct ibv_context *verbs);

#endif /* DESCRIPTORS_H */
