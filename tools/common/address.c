// SPDX-License-Identifier: GPL-2.0
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "attr.h"
#include "farmem-proto.h"
#include "parse.h"

/**
 * address_canonical() - ADDR:PORT from what the user typed
 * @command: for the message
 * @text: "10.0.0.2", "10.0.0.2:7471", "[fe80::1%eth0]:7471", a host name, "local"
 * @canonical: the numeric address and port that the kernel takes, to free
 *
 * A host name is looked up here, once: the kernel does not resolve names.
 * Return: RC_OK, RC_USAGE or RC_FAILURE.
 */
int address_canonical(const char *command, const char *text, char **canonical)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICSERV };
	CLEANUP_FREE char *copy = text_copy(text);
	char usual[8], address[ADDRESS_TEXT];
	char *host, *port;
	struct addrinfo *info;
	int rc;

	if (!strcmp(text, "local")) {
		*canonical = text_copy(text);
		return RC_OK;
	}
	if (split_address(copy, &host, &port) || !*host || (port && !*port))
		return misuse(command, "--server %s: expected ADDR:PORT, [IPV6]:PORT or local",
			      text);
	snprintf(usual, sizeof(usual), "%d", FARMEM_DEFAULT_PORT);
	rc = getaddrinfo(host, port ? port : usual, &hints, &info);
	if (rc == EAI_SERVICE || rc == EAI_NONAME)
		rc = fail("--server %s: no such host or port", text);
	else if (rc)
		rc = fail("--server %s: %s", text, gai_strerror(rc));
	if (rc)
		return next_step("give the server's numeric address, as in --server 10.0.0.2:%d",
				 FARMEM_DEFAULT_PORT);
	*canonical = text_copy(format_address(info->ai_addr, address));
	freeaddrinfo(info);
	return RC_OK;
}

/** address_normal() - a session's address as address_canonical() has it, without a lookup */
char *address_normal(const char *text)
{
	struct sockaddr_storage address;
	char normal[ADDRESS_TEXT];

	if (!text || parse_address(text, FARMEM_DEFAULT_PORT, &address))
		return text_copy(text ? text : "");
	return text_copy(format_address((struct sockaddr *)&address, normal));
}
