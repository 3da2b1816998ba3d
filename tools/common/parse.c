// SPDX-License-Identifier: GPL-2.0
/*
 * parse.c - text to values and back: numbers, addresses, UUIDs.
 *
 * Owns no state.  Called by the options, the configuration file, the control
 * socket and the log.  Strict: what is not understood whole is refused.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

#define UUID_LEN 16

/* A point and milliseconds. */
#define FRACTION_MAX 4

/* Digits only: strtoull() would take signs, spaces and wrapped negatives. */
static int parse_digits(const char *text, uint64_t *number, const char **end)
{
	uint64_t value = 0;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++) {
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (unsigned int)(*text - '0'), &value))
			return -ERANGE;
	}
	*number = value;
	*end = text;
	return 0;
}

int parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
	const char *end;
	uint64_t value;
	int ret;

	ret = parse_digits(text, &value, &end);
	if (ret)
		return ret;
	if (*end)
		return -EINVAL;
	if (value < min || value > max)
		return -ERANGE;
	*number = value;
	return 0;
}

int parse_seconds(const char *text, uint64_t *ms)
{
	uint64_t whole, fraction = 0;
	const char *end, *point;
	long length;

	if (parse_digits(text, &whole, &end) || whole > UINT32_MAX)
		return -EINVAL;
	point = end;
	if (*point == '.' && parse_digits(point + 1, &fraction, &end))
		return -EINVAL;
	length = end - point;
	if (*end || length > FRACTION_MAX)
		return -EINVAL;
	for (; length < FRACTION_MAX; length++)
		fraction *= 10;
	*ms = whole * 1000 + fraction;
	return 0;
}

int split_address(char *text, char **host, char **port)
{
	char *end;

	*port = NULL;
	if (*text == '[') {
		*host = text + 1;
		end = strchr(text, ']');
		if (!end)
			return -EINVAL;
		*end++ = '\0';
		if (*end == ':')
			*port = end + 1;
		return *end && !*port ? -EINVAL : 0;
	}
	*host = text;
	end = strchr(text, ':');
	/* Two colons and no brackets: an IPv6 address whose port is the default. */
	if (end && !strchr(end + 1, ':')) {
		*end = '\0';
		*port = end + 1;
	}
	return 0;
}

int parse_address(const char *text, uint16_t port, struct sockaddr_storage *addr)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM };
	char copy[ADDRESS_TEXT + 16];
	struct addrinfo *found;
	char *host, *service;
	uint64_t number = port;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	if (split_address(copy, &host, &service) || !*host)
		return -EINVAL;
	if (service && parse_number(service, 1, UINT16_MAX, &number))
		return -EINVAL;
	/* getaddrinfo() takes "1.2" for 1.0.0.2; ask for all four parts. */
	if (!strchr(host, ':')) {
		struct in_addr whole;

		if (inet_pton(AF_INET, host, &whole) != 1)
			return -EINVAL;
	}
	if (getaddrinfo(host, NULL, &hints, &found))
		return -EINVAL;
	memset(addr, 0, sizeof(*addr));
	memcpy(addr, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	if (addr->ss_family == AF_INET6)
		((struct sockaddr_in6 *)addr)->sin6_port = htons(number);
	else
		((struct sockaddr_in *)addr)->sin_port = htons(number);
	return 0;
}

int parse_port(const char *text, struct sockaddr_storage *addr)
{
	bool port_alone = *text && strspn(text, "0123456789") == strlen(text);
	char local[ADDRESS_TEXT];

	snprintf(local, sizeof(local), "127.0.0.1:%s", text);
	/* Both families have the port in the same place. */
	if (!parse_address(port_alone ? local : text, 0, addr) && ((const struct sockaddr_in *)addr)->sin_port)
		return 0;
	addr->ss_family = AF_UNSPEC;
	return -EINVAL;
}

int parse_uuid(const char *text, uint8_t uuid[16])
{
	int i;

	for (i = 0; i < UUID_LEN; i++, text += 2) {
		if (*text == '-' && (i == 4 || i == 6 || i == 8 || i == 10))
			text++;
		/* sscanf() alone would take signs and blanks. */
		if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]) ||
		    sscanf(text, "%2hhx", &uuid[i]) != 1)
			return -EINVAL;
	}
	return *text ? -EINVAL : 0;
}

bool same_host(const struct sockaddr *a, const struct sockaddr *b)
{
	const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;
	const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;

	if (a->sa_family != b->sa_family)
		return false;
	if (a->sa_family == AF_INET6)
		return a6->sin6_scope_id == b6->sin6_scope_id &&
		       !memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof(a6->sin6_addr));
	return a4->sin_addr.s_addr == b4->sin_addr.s_addr;
}

const char *format_host(const struct sockaddr *addr, char text[ADDRESS_TEXT])
{
	socklen_t len = addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
			sizeof(struct sockaddr_in);

	if (getnameinfo(addr, len, text, ADDRESS_TEXT, NULL, 0, NI_NUMERICHOST))
		snprintf(text, ADDRESS_TEXT, "unknown");
	return text;
}

const char *format_address(const struct sockaddr *addr, char text[ADDRESS_TEXT])
{
	unsigned int port = ntohs(((const struct sockaddr_in *)addr)->sin_port);
	char host[ADDRESS_TEXT];

	/* The port is in the same place in both families. */
	format_host(addr, host);
	snprintf(text, ADDRESS_TEXT, addr->sa_family == AF_INET6 ? "[%.48s]:%u" : "%.48s:%u", host,
		 port);
	return text;
}

const char *format_uuid(const uint8_t uuid[16], char text[UUID_TEXT])
{
	char *at = text;
	int i;

	for (i = 0; i < UUID_LEN; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*at++ = '-';
		at += sprintf(at, "%02x", uuid[i]);
	}
	return text;
}
