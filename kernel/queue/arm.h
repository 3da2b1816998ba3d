/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arm.h - when the next interrupt comes.
 */
#ifndef FARMEM_ARM_H
#define FARMEM_ARM_H

struct farmem_queue;

/** farmem_queue_arm() - an interrupt at the next completion, or at one missed. */
void farmem_queue_arm(struct farmem_queue *q);

/**
 * farmem_queue_listen() - an interrupt at the server's next message, or at an error
 * @q: queue 0, its lock held
 *
 * Messages are sent solicited, so what is polled there meanwhile costs none.  With
 * requests or a message of ours under way the same as farmem_queue_arm(): never
 * less than somebody has asked for, hence the lock.
 */
void farmem_queue_listen(struct farmem_queue *q);

#endif /* FARMEM_ARM_H */
