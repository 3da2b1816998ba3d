// SPDX-License-Identifier: GPL-2.0
/*
 * farmem-stranger.c - connection requests that say they come from where nobody is.
 *
 * For tests in a guest.  Sends COUNT requests of a session's queue 0 to a farmemd on
 * RoCE, as packets made by hand: the address that the server's adapter is to send to,
 * GONE, is a field of the request, and the sender's own is on the packet alone.  Hears
 * no answer.  Each request says that another host has made it, from FIRST on.
 *
 *   farmem-stranger SOURCE SERVER PORT GONE FIRST COUNT
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "farmem-proto.h"

#define ROCE_PORT	4791
#define PS_TCP		0x01060000ull	/* rdma_cm's service IDs, less the port */
#define GSI_QKEY	0x80010000

/* Of the InfiniBand specification: BTH, DETH, MAD, REQ; and rdma_cm's private data. */
struct __attribute__((packed)) request {
	struct iphdr ip;
	struct udphdr udp;
	struct __attribute__((packed)) {
		uint8_t opcode, flags;
		uint16_t pkey;
		uint32_t qpn, psn;
	} bth;
	struct __attribute__((packed)) {
		uint32_t qkey, qpn;
	} deth;
	struct __attribute__((packed)) {
		uint8_t base, class, class_version, method;
		uint16_t status, specific;
		uint64_t tid;
		uint16_t attribute, reserved;
		uint32_t modifier;
	} mad;
	struct __attribute__((packed)) {
		uint32_t comm_id, reserved1;
		uint64_t service, ca;
		uint32_t reserved2, qkey, qpn_resources, eecn_depth, remote_eecn, psn_retries;
		uint16_t pkey;
		uint8_t mtu, retries;
		uint16_t local_lid, remote_lid;
		uint8_t local_gid[16], remote_gid[16];
		uint32_t flow_rate;
		uint8_t class, hops, level, timeout;
		uint8_t alternate[44];
	} req;
	struct __attribute__((packed)) {
		uint8_t version, ip_version;
		uint16_t port;
		uint8_t source[16], destination[16];
	} cma;
	struct farmem_cm_req farmem;
	uint32_t icrc;
};

static void die(const char *what)
{
	fprintf(stderr, "farmem-stranger: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint32_t address(const char *text)
{
	struct in_addr addr;

	if (inet_pton(AF_INET, text, &addr) != 1)
		die(text);
	return addr.s_addr;
}

static void mapped_gid(uint8_t gid[16], uint32_t addr)
{
	memset(gid, 0, 10);
	memset(gid + 10, 0xff, 2);
	memcpy(gid + 12, &addr, sizeof(addr));
}

static uint32_t crc32(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *byte = data;
	int bit;

	while (len--) {
		crc ^= *byte++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

/* Over the packet, with ones for what routers change; eight bytes of ones came before. */
static uint32_t icrc_of(struct request packet)
{
	packet.ip.tos = packet.ip.ttl = 0xff;
	packet.ip.check = 0xffff;
	packet.udp.check = 0xffff;
	packet.bth.qpn |= htonl(0xff000000);
	return htole32(~crc32(0xdebb20e3, &packet, offsetof(struct request, icrc)));
}

/* What all requests have in common. */
static void prepare(struct request *packet, uint32_t source, uint32_t server, uint16_t port)
{
	packet->ip.version = 4;
	packet->ip.ihl = 5;
	packet->ip.tot_len = htons(sizeof(*packet));
	packet->ip.frag_off = htons(IP_DF);
	packet->ip.ttl = 64;
	packet->ip.protocol = IPPROTO_UDP;
	packet->ip.saddr = source;
	packet->ip.daddr = server;
	packet->udp.source = htons(50000);
	packet->udp.dest = htons(ROCE_PORT);
	packet->udp.len = htons(sizeof(*packet) - sizeof(packet->ip));
	packet->bth.opcode = 0x64;	/* UD, SEND only */
	packet->bth.pkey = 0xffff;
	packet->bth.qpn = htonl(1);
	packet->deth.qkey = htonl(GSI_QKEY);
	packet->deth.qpn = htonl(1);
	packet->mad.base = 1;
	packet->mad.class = 7;
	packet->mad.class_version = 2;
	packet->mad.method = 3;
	packet->mad.attribute = htons(0x10);
	packet->req.service = htobe64(PS_TCP + port);
	packet->req.ca = htobe64(0x5772616e676572);
	packet->req.psn_retries = htonl(20 << 3 | 6);
	packet->req.eecn_depth = htonl(1);
	packet->req.remote_eecn = htonl(20 << 3);
	packet->req.pkey = 0xffff;
	packet->req.mtu = 3 << 4 | 6;
	packet->req.retries = 15 << 4;
	mapped_gid(packet->req.remote_gid, server);
	packet->req.hops = 64;
	packet->req.timeout = 16 << 3;
	packet->cma.ip_version = 4 << 4;
	packet->cma.port = htons(40000);
	memcpy(packet->cma.destination + 12, &server, sizeof(server));
	packet->farmem.magic = htole32(FARMEM_MAGIC);
	packet->farmem.version = htole16(FARMEM_VERSION);
	packet->farmem.queue_count = htole16(1);
	packet->farmem.depth = htole16(64);
}

static void send_one(int fd, struct request *packet, uint32_t host, uint32_t n)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = packet->ip.daddr };
	uint32_t id = getpid() << 12 | n;

	packet->ip.id = htons(n + 1);
	packet->mad.tid = htobe64((uint64_t)id << 32 | n);
	packet->req.comm_id = htonl(id);
	packet->req.qpn_resources = htonl((0x100 + n) << 8 | 1);
	memcpy(packet->cma.source + 12, &host, sizeof(host));
	packet->farmem.incarnation = htole64(n + 1);
	memset(packet->farmem.identity, 0xc1, sizeof(packet->farmem.identity));
	memcpy(packet->farmem.identity, &n, sizeof(n));
	packet->icrc = icrc_of(*packet);
	if (sendto(fd, packet, sizeof(*packet), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		die("send");
}

int main(int argc, char **argv)
{
	static struct request packet;
	uint32_t first, count, n;
	int fd, on = 1;

	if (argc != 7) {
		fprintf(stderr, "usage: farmem-stranger SOURCE SERVER PORT GONE FIRST COUNT\n");
		return 2;
	}
	_Static_assert(sizeof(packet.mad) + sizeof(packet.req) + sizeof(packet.cma) +
		       sizeof(packet.farmem) == 256, "a MAD");
	prepare(&packet, address(argv[1]), address(argv[2]), atoi(argv[3]));
	mapped_gid(packet.req.local_gid, address(argv[4]));
	first = ntohl(address(argv[5]));
	count = atoi(argv[6]);
	fd = socket(AF_INET, SOCK_RAW, IPPROTO_RAW);
	if (fd < 0 || setsockopt(fd, IPPROTO_IP, IP_HDRINCL, &on, sizeof(on)))
		die("raw socket");
	for (n = 0; n < count; n++)
		send_one(fd, &packet, htonl(first + n), n);
	return 0;
}
