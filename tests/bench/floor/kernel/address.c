// SPDX-License-Identifier: GPL-2.0
/*
 * address.c - ADDR:PORT as the module parameters have it.
 */
#include <linux/inet.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <net/net_namespace.h>

#include "address.h"

int floor_address_parse(const char *text, struct sockaddr_storage *addr)
{
	char buf[64];
	char *host = buf, *port;
	size_t len;

	if (strscpy(buf, text, sizeof(buf)) < 0)
		return -EINVAL;
	port = strrchr(buf, ':');
	if (!port)
		return -EINVAL;
	*port++ = '\0';
	len = strlen(host);
	if (*host == '[' && host[len - 1] == ']') {
		host[len - 1] = '\0';
		host++;
	}
	return inet_pton_with_scope(current->nsproxy->net_ns, AF_UNSPEC, host,
				    port, addr) ? -EINVAL : 0;
}
