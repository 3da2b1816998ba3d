/* SPDX-License-Identifier: GPL-2.0 */
/* keyring.h - the clients' keys that hold now */
#ifndef KEYRING_H
#define KEYRING_H

struct server;

/**
 * keyring_read() - the keys of the file of --keys are those that hold, from now on
 * @server: its keys are replaced, if that file has no error
 *
 * Logs what is wrong.
 *
 * Return: 0, also without --keys, or a negative error.
 */
int keyring_read(struct server *server);

/*
 * keyring_reload() - the same again, as it is asked for; with an error those of before
 * hold.  Names the live sessions that could not begin with the keys of now.
 */
int keyring_reload(struct server *server);

#endif /* KEYRING_H */
