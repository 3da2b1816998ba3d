/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arm.h - when the next interrupt comes.
 */
#ifndef FARMEM_ARM_H
#define FARMEM_ARM_H

struct farmem_queue;

/**
 * farmem_arm_next() - an interrupt at the next completion, or at one missed
 * @q: of queue 0 its lock is held: see farmem_arm_solicited()
 */
void farmem_arm_next(struct farmem_queue *q);

/**
 * farmem_arm_solicited() - an interrupt at the server's next message, or at an error
 * @q: queue 0, its lock held
 *
 * Messages are sent solicited, so what is polled there meanwhile costs none.  With
 * requests or a message of ours under way the same as farmem_arm_next().  It never asks
 * for less than another caller has asked for, hence the lock: a CQ that is armed for the
 * next completion may not be armed for solicited ones (InfiniBand, C11-32), and mlx5
 * would take the weaker of both.
 */
void farmem_arm_solicited(struct farmem_queue *q);

#endif /* FARMEM_ARM_H */
