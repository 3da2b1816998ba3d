/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recovery.h - a session that failed comes back by itself.
 */
#ifndef FARMEM_RECOVERY_H
#define FARMEM_RECOVERY_H

#include <linux/types.h>

struct farmem_session;

/* Seconds. */
#define FARMEM_RECONNECT_DELAY_DEFAULT 1
#define FARMEM_RECONNECT_MAX_DEFAULT 30
#define FARMEM_RECONNECT_MOST 3600

void farmem_recovery_init(struct farmem_session *s);

/** farmem_recovery_stop() - wait for its works.  Context: may sleep; no lock held. */
void farmem_recovery_stop(struct farmem_session *s);

#endif /* FARMEM_RECOVERY_H */
