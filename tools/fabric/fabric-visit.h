/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric-visit.h - a visit to a server.
 */
#ifndef FARMEM_FABRIC_VISIT_H
#define FARMEM_FABRIC_VISIT_H

int fabric_visit(const char *server, const char *client, const char *key, const char *source);

#endif
