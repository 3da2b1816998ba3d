/* SPDX-License-Identifier: GPL-2.0 */
/*
 * directory.h - what etcd knows of the servers and groups of a cluster
 *
 *   /farmem/1/servers/UUID   what changes with its configuration: struct directory_server
 *   /farmem/1/load/UUID      what changes with its use: struct directory_load
 *   /farmem/1/copysets       which servers share chunks: sets.h
 *   /farmem/1/status/NODE/NAME  a group that a node has: groups.h
 *
 * All are JSON; servers, loads and groups are written by the node's agent under a lease.  A
 * field that is not known here is passed over.
 */
#ifndef AGENT_DIRECTORY_H
#define AGENT_DIRECTORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define DIRECTORY		"/farmem/1/"
#define DIRECTORY_SERVERS	DIRECTORY "servers/"
#define DIRECTORY_LOAD		DIRECTORY "load/"
#define DIRECTORY_STATUS	DIRECTORY "status/"

/**
 * struct directory_load - what a server has
 * @size: bytes that it may lend
 * @free: bytes of them that it would lend now
 * @lent: bytes of them that clients have
 * @wanted: bytes that it wants back from clients, since its machine needs them
 * @pressure: percent of the last 10 s in which a program of its machine waited for memory
 * @cordoned: it lends nothing more
 */
struct directory_load {
	uint64_t size;
	uint64_t free;
	uint64_t lent;
	uint64_t wanted;
	unsigned int pressure;
	bool cordoned;
};

/**
 * struct directory_server - which server it is
 * @uuid: of farmemd
 * @host: name of its machine
 * @domain: what fails together with it
 * @addresses: ADDR:PORT, with blanks between
 * @slab_size: bytes of its unit of lending
 * @release: of farmemd
 */
struct directory_server {
	char *uuid;
	char *host;
	char *domain;
	char *addresses;
	uint64_t slab_size;
	char *release;
};

/* directory_server_json() - the value for its key, to json_decref() */
json_t *directory_server_json(const struct directory_server *server);

/* directory_server_text() - the same as text, to free */
char *directory_server_text(const struct directory_server *server);

/**
 * directory_server_read() - what a value says
 * @server: filled in, for directory_server_free(), whatever is returned
 * @uuid: the end of its key
 * @text: the value
 *
 * Return: false if it is not one of a server.
 */
bool directory_server_read(struct directory_server *server, const char *uuid, const char *text);
void directory_server_free(struct directory_server *server);

/* directory_load_json() - the value for its key, to json_decref() */
json_t *directory_load_json(const struct directory_load *load);

/* directory_load_text() - the same as text, to free */
char *directory_load_text(const struct directory_load *load);

/* directory_load_read() - what a value says; false if it is not one of a load */
bool directory_load_read(struct directory_load *load, const char *text);

/**
 * directory_of_status() - what farmemd says about itself
 * @server: filled in but for its host and its domain, for directory_server_free()
 * @load: filled in
 * @status: farmemd's answer to the request for its status
 *
 * Return: false if it is none.
 */
bool directory_of_status(struct directory_server *server, struct directory_load *load, const json_t *status);

#endif /* AGENT_DIRECTORY_H */
