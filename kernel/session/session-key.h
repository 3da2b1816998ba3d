/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session-key.h - the key that a session proves itself with, and its change.
 */
#ifndef FARMEM_SESSION_KEY_H
#define FARMEM_SESSION_KEY_H

struct farmem_session;

/**
 * farmem_session_key_read() - read the key that its settings name; none is one, too
 * @s: being powered on, no connection made yet
 *
 * Context: process, may sleep; session->lock is held.
 * Return: 0, or a negative errno, with the session's reason set.
 */
int farmem_session_key_read(struct farmem_session *s);

/**
 * farmem_session_key_set() - where the key is, from now on
 * @s: any state; while it is powered the key is read at once, for the next connection
 * @ref: see farmem_key_read(), or empty
 *
 * Context: may sleep, and do I/O, but not while it holds @s->lock.
 * Return: 0, or a negative errno with @s->reason set and nothing changed.
 */
int farmem_session_key_set(struct farmem_session *s, const char *ref);

/**
 * farmem_session_key_use() - it connects anew, with the key that was set last
 * @s: about to ask for its queue 0, or all its queues are gone
 *
 * Not for the queues that a live session still lacks: they prove that they belong to it,
 * by the key that it came up with.  Context: @s->lock held.
 */
void farmem_session_key_use(struct farmem_session *s);

#endif /* FARMEM_SESSION_KEY_H */
