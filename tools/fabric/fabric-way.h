/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric-way.h - the way to a server as far as this node alone knows it.
 */
#ifndef FARMEM_FABRIC_WAY_H
#define FARMEM_FABRIC_WAY_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "fabric-link.h"

/**
 * struct fabric_way - the way
 * @link: the connection
 * @address: of the server
 * @source: ours, family 0 if it is the kernel's to choose
 * @host: the server's, for people
 */
struct fabric_way {
	struct fabric_link link;
	struct sockaddr_storage address;
	struct sockaddr_storage source;
	char host[INET6_ADDRSTRLEN + 8];
};

int way_address(struct fabric_way *way, const char *server, const char *source);
int way_route(struct fabric_way *way);
int way_resolve(struct fabric_way *way);

#endif
