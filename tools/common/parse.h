/* SPDX-License-Identifier: GPL-2.0 */
/* parse.h - numbers, addresses and identifiers, as people write them */
#ifndef PARSE_H
#define PARSE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "farmem-proto.h"

#define ADDRESS_TEXT	64	/* bytes that format_address() needs */
#define UUID_TEXT	37	/* bytes that format_uuid() needs */

/* parse_number() - decimal digits between bounds: 0, -EINVAL or -ERANGE */
int parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* parse_seconds() - "30", "0.5", as the module reads them: 0 or -EINVAL */
int parse_seconds(const char *text, uint64_t *ms);

/**
 * parse_address() - where to listen: 0 or -EINVAL
 * @text: ADDR, ADDR:PORT, [ADDR6] or [ADDR6]:PORT; numeric only, an IPv6 link-local
 *	address may name its interface (fe80::1%eth0)
 * @port: port when the text has none
 * @addr: filled in, if the text is an address
 */
int parse_address(const char *text, uint16_t port, struct sockaddr_storage *addr);

/**
 * parse_port() - where a program answers HTTP: 0 or -EINVAL
 * @text: PORT, which is one of 127.0.0.1, or what parse_address() takes, with a port
 * @addr: filled in, AF_UNSPEC if it is neither
 */
int parse_port(const char *text, struct sockaddr_storage *addr);

/* split_address() - cut "host" and "port", NULL if there is none, out of @text: 0 or -EINVAL */
int split_address(char *text, char **host, char **port);

/* same_host() - are these one address, whatever the ports? */
bool same_host(const struct sockaddr *a, const struct sockaddr *b);

/* parse_uuid() - 32 hex digits with or without dashes in the usual places: 0 or -EINVAL */
int parse_uuid(const char *text, uint8_t uuid[16]);

/* Writers for people: each returns @text. */
const char *format_address(const struct sockaddr *addr, char text[ADDRESS_TEXT]);
/* The same without the port. */
const char *format_host(const struct sockaddr *addr, char text[ADDRESS_TEXT]);
const char *format_uuid(const uint8_t uuid[16], char text[UUID_TEXT]);

/*
 * address.c, of the tools: a server's address, as the user typed it and as a session's
 * file has it.
 */
int address_canonical(const char *command, const char *text, char **canonical);
char *address_normal(const char *text);

#endif /* PARSE_H */
