/* SPDX-License-Identifier: GPL-2.0 */
/* agent-config.h - /etc/farmem/agent.conf: where etcd is, and what this node does in the cluster */
#ifndef AGENT_CONFIG_H
#define AGENT_CONFIG_H

#include <stddef.h>
#include <sys/socket.h>

#include "etcd.h"

#define AGENT_CONFIG "/etc/farmem/agent.conf"

/**
 * struct agent_config - what the file says; texts are NULL unless said
 * @etcd: URLs of etcd's members
 * @ca: file in PEM
 * @cert: file in PEM
 * @key: file in PEM
 * @user: of etcd
 * @password: file with it
 * @status_socket: of farmemd; NULL: this node lends nothing
 * @addresses: where clients reach farmemd, with blanks between; NULL: where it listens
 * @domain: what fails together with this node; NULL: nothing else
 * @node: name of this node in the directory, whose groups are to be known there; NULL: they are not
 * @page: at which it shows the directory to browsers; AF_UNSPEC: it does not
 * @sets: seconds after which a server that is gone loses its place in the sets that this node
 *	keeps; 0: it keeps none
 * @ttl: seconds after which etcd forgets a node that is gone; 0: 30 to 45
 */
struct agent_config {
	char *etcd;
	char *ca;
	char *cert;
	char *key;
	char *user;
	char *password;
	char *status_socket;
	char *addresses;
	char *domain;
	char *node;
	struct sockaddr_storage page;
	unsigned int sets;
	unsigned int ttl;
};

/**
 * agent_config_read() - read such a file
 * @config: filled in, for agent_config_free(), also after an error
 * @path: of the file
 * @error: room for a message, which names file and line
 * @size: of @error
 *
 * Return: 0, -EINVAL, or what opening the file gave.
 */
int agent_config_read(struct agent_config *config, const char *path, char *error, size_t size);
void agent_config_free(struct agent_config *config);

/**
 * agent_config_etcd() - a client of that etcd
 * @config: what the file says
 * @event: the loop that it works in
 * @seconds: that an endpoint has for its answer
 * @error: room for a message
 * @size: of @error
 *
 * Of a service with credentials, the key and the password are the credentials of their names,
 * if there are such.
 *
 * Return: the client; NULL with a message.
 */
struct etcd *agent_config_etcd(const struct agent_config *config, sd_event *event, unsigned int seconds,
			       char *error, size_t size);

#endif /* AGENT_CONFIG_H */
