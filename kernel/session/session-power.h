/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session-power.h - a session is made, connected, disconnected and freed.
 */
#ifndef FARMEM_SESSION_POWER_H
#define FARMEM_SESSION_POWER_H

struct farmem_session;

/** farmem_session_create() - a session that is down.  Return: it or ERR_PTR. */
struct farmem_session *farmem_session_create(const char *name);

/** farmem_session_put() - drop a reference; the last one frees it.  May sleep. */
void farmem_session_put(struct farmem_session *s);

/**
 * farmem_session_power_on() - connect
 * @s: down or failed, without volumes
 *
 * Context: may sleep, at most about @s->config.connect_timeout seconds; -EINTR by a signal.
 * Return: 0 when live; a negative errno with @s->reason set; -EALREADY if on.
 */
int farmem_session_power_on(struct farmem_session *s);

/**
 * farmem_session_power_off() - disconnect
 * @s: any state
 *
 * Context: may sleep; bounded.
 * Return: 0, or -EBUSY while volumes are powered.
 */
int farmem_session_power_off(struct farmem_session *s);

#endif /* FARMEM_SESSION_POWER_H */
