/* SPDX-License-Identifier: GPL-2.0 */
/* page.h - the directory as a page for browsers, to look at and no more */
#ifndef AGENT_PAGE_H
#define AGENT_PAGE_H

#include <sys/socket.h>
#include <systemd/sd-event.h>

#include "etcd.h"

struct page;

/**
 * page_open() - begin to answer browsers, at / and /cluster.json
 * @event: the loop
 * @etcd: where the directory is; it is read when somebody looks, and at most every two seconds
 * @addr: with a port; is kept.  If that is taken, or not there yet, it is tried again later
 *
 * Return: the page; NULL without memory.
 */
struct page *page_open(sd_event *event, struct etcd *etcd, const struct sockaddr *addr);

/* page_close() - end it; NULL is fine */
void page_close(struct page *page);

#endif /* AGENT_PAGE_H */
