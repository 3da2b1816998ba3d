/* SPDX-License-Identifier: GPL-2.0 */
/*
 * farmem-proto.h - what farmem.ko and farmemd say to each other.
 *
 * Shared by the kernel and by user space; the byte layout below is the
 * protocol.  docs/protocol.md tells the story, this header is the reference.
 *
 * A session is a set of RC queue pairs made by rdma_cm (RDMA_PS_TCP).  Queue 0
 * is connected first and also carries the control messages (SEND/RECV); all
 * other traffic is one-sided.  In order:
 *
 *	client					server
 *	REQ, queue 0 (farmem_cm_req)	 ->
 *				<-	REP (farmem_cm_rep) or REJ (farmem_cm_rej)
 *	HELLO, with the client's proof	 ->
 *				<-	WELCOME, with the server's
 *	REQ, queues 1..n-1, a token each ->
 *				<-	REP or REJ, each
 *	OPEN volume			 ->
 *				<-	WORKING, every few seconds if it takes that long
 *				<-	GRANT, one or more parts
 *	... RDMA READ and WRITE, no message at all ...
 *	CLOSE or RELEASE volume		 ->
 *				<-	DONE
 *	DREQ				<->	DREP
 *
 * One control request is outstanding at a time.  All integers are
 * little-endian, all structs have a fixed size and no implicit padding.
 */
#ifndef FARMEM_PROTO_H
#define FARMEM_PROTO_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/types.h>
#define FARMEM_STATIC_ASSERT(cond, msg) static_assert(cond, msg)
#else
#include <assert.h>
#include <linux/types.h>
#include <string.h>
#define FARMEM_STATIC_ASSERT(cond, msg) static_assert(cond, msg)
#endif

#define FARMEM_MAGIC		0x4d4d5246	/* "FRMM" on the wire */
#define FARMEM_VERSION		1
#define FARMEM_DEFAULT_PORT	7471

#define FARMEM_ID_LEN		16	/* identities, UUIDs and tokens */
#define FARMEM_NAME_LEN		64	/* client names, NUL-padded */
#define FARMEM_VOLUME_NAME_LEN	32	/* volume names, NUL-padded */
#define FARMEM_AUTH_LEN		32	/* nonces and MACs (HMAC-SHA-256) */

/**
 * farmem_host_name_flaw() - why a host name must not become a client's name unasked
 * @name: of the host, as uname(2) has it, whole
 *
 * A client's data is its name's.  Nodes that no administrator named share a name, and names
 * that are cut may begin alike.
 *
 * Return: the rest of a sentence that begins with "the host name"; NULL: it may.
 */
static inline const char *farmem_host_name_flaw(const char *name)
{
	static const char domain[] = "localhost.";

	if (strlen(name) >= FARMEM_NAME_LEN)
		return "is longer than 63 bytes";
	if (!*name || !strcmp(name, "(none)") || !strcmp(name, "localhost") ||
	    !strncmp(name, domain, sizeof(domain) - 1))
		return "is not set, so other nodes may have the same";
	return NULL;
}

/* The unit of a volume's I/O and of its metadata: one state byte a page. */
#define FARMEM_PAGE_SHIFT	12
#define FARMEM_PAGE_SIZE	(1u << FARMEM_PAGE_SHIFT)

/* Bounds that both sides check before they believe a number. */
#define FARMEM_SLAB_MIN		(1u << 20)
#define FARMEM_SLAB_MAX		(1u << 30)
#define FARMEM_CAPACITY_MAX	(1ull << 46)	/* 64 TiB */
#define FARMEM_QUEUES_MAX	1024

/**
 * enum farmem_reason - why a server refuses, on the wire as a le16
 * @FARMEM_OK: it does not refuse
 * @FARMEM_ERR_VERSION: no common protocol version
 * @FARMEM_ERR_MALFORMED: a field out of its range
 * @FARMEM_ERR_BUSY_IDENTITY: another live client has this name
 * @FARMEM_ERR_NO_SESSION: queue for an unknown or dead session
 * @FARMEM_ERR_QUEUE_LIMIT: more queues than were granted
 * @FARMEM_ERR_RESOURCES: the server is out of QPs or memory
 * @FARMEM_ERR_NO_SPACE: the pool has too few free slabs
 * @FARMEM_ERR_QUOTA: more than this client may have
 * @FARMEM_ERR_AUTH: a key is required, or it is wrong
 * @FARMEM_ERR_NO_VOLUME: no such volume, and no FARMEM_OPEN_CREATE
 * @FARMEM_ERR_VOLUME_BUSY: open already, by this very session
 * @FARMEM_ERR_SHUTTING_DOWN: the server ends
 * @FARMEM_ERR_TOO_MANY: clients or volumes beyond the limit
 * @FARMEM_ERR_STALE: the memory asked for is gone, or was another client's since
 * @FARMEM_ERR_MTU: packets larger than the server's port carries
 * @FARMEM_ERR_LAST: above all of them; never sent
 *
 * The client turns it into a sentence with the fix; farmem_reason_text() below
 * is that table.  A value that the receiver does not know reads as "unknown".
 */
enum farmem_reason {
	FARMEM_OK		= 0,
	FARMEM_ERR_VERSION	= 1,
	FARMEM_ERR_MALFORMED	= 2,
	FARMEM_ERR_BUSY_IDENTITY = 3,
	FARMEM_ERR_NO_SESSION	= 4,
	FARMEM_ERR_QUEUE_LIMIT	= 5,
	FARMEM_ERR_RESOURCES	= 6,
	FARMEM_ERR_NO_SPACE	= 7,
	FARMEM_ERR_QUOTA	= 8,
	FARMEM_ERR_AUTH		= 9,
	FARMEM_ERR_NO_VOLUME	= 10,
	FARMEM_ERR_VOLUME_BUSY	= 11,
	FARMEM_ERR_SHUTTING_DOWN = 12,
	FARMEM_ERR_TOO_MANY	= 13,
	FARMEM_ERR_STALE	= 14,
	FARMEM_ERR_MTU		= 15,
	FARMEM_ERR_LAST
};

/**
 * farmem_reason_text() - the sentence for a reason, with what to do about it
 * @reason: an enum farmem_reason, from the wire
 *
 * Return: a static string, never NULL.  Context: any.
 */
static inline const char *farmem_reason_text(unsigned int reason)
{
	static const char *const text[FARMEM_ERR_LAST] = {
		[FARMEM_OK] = "success",
		[FARMEM_ERR_VERSION] = "protocol versions do not match; install the same farmem release on both nodes",
		[FARMEM_ERR_MALFORMED] = "the peer did not understand a message; install the same farmem release on both nodes",
		[FARMEM_ERR_BUSY_IDENTITY] = "another live client uses this name; give this one its own name (client=), or fence the other with takeover=1",
		[FARMEM_ERR_NO_SESSION] = "the server knows no such session; connect again",
		[FARMEM_ERR_QUEUE_LIMIT] = "more queues than the server granted; lower queues=",
		[FARMEM_ERR_RESOURCES] = "the server is out of queue pairs or memory; lower queues= or see its log",
		[FARMEM_ERR_NO_SPACE] = "the server's pool has too little free memory; lower size=, start farmemd with a larger --size, or release unused volumes (farmemctl server list)",
		[FARMEM_ERR_QUOTA] = "more memory than the server's quota lets this client have; lower size= or raise the quota",
		[FARMEM_ERR_AUTH] = "the server wants a key from this client, or another one; give the client its own key (key=), and put the line that 'farmemctl key derive' makes from it for this server into the server's file (--keys)",
		[FARMEM_ERR_NO_VOLUME] = "the server has no such volume",
		[FARMEM_ERR_VOLUME_BUSY] = "the volume is open already",
		[FARMEM_ERR_SHUTTING_DOWN] = "the server is shutting down; try again when it is back",
		[FARMEM_ERR_TOO_MANY] = "the server's limit of clients or volumes is reached; see farmemctl server list",
		[FARMEM_ERR_STALE] = "the server no longer has this volume's data (it was released there, the server restarted without its pool, or another client of this name has used it since); delete the volume and create it anew",
		[FARMEM_ERR_MTU] = "the server's port carries smaller packets than this node's; give both interfaces, and the switch, one MTU ('ip link show', then ip link set IF mtu N)",
	};

	if (reason >= FARMEM_ERR_LAST || !text[reason])
		return "unknown reason";
	return text[reason];
}

/*
 * Connection management.  rdma_cm leaves 56 bytes of private data in a REQ,
 * 196 in a REP and 148 in a REJ (RDMA_PS_TCP; drivers/infiniband/core/cma.c
 * takes its header from the 92 bytes of IBTA vol. 1, 12.6.5).
 */

#define FARMEM_CM_TAKEOVER	0x0001	/* fence a live client of the same name */
#define FARMEM_CM_VISIT		0x0002	/* look, take nothing: see docs/protocol.md, "Visitors" */

/**
 * struct farmem_cm_req - private data of every connection request
 * @magic: FARMEM_MAGIC
 * @version: the protocol version that the client speaks
 * @flags: FARMEM_CM_*, not both; unknown bits are refused as malformed
 * @identity: of the client: the first 16 bytes of SHA-256 over
 *	"farmem-client:" and the client's name
 * @incarnation: random, one per load of the module (and session): tells a
 *	client that comes back from a second one of the same name
 * @queue_index: 0 opens a session, others join one
 * @queue_count: queues that the client would like; the same in every REQ
 * @depth: send queue depth of this queue pair, in work requests
 * @reserved: 0
 * @token: all zero for queue 0; for the others that of the REP of queue 0 or, in a
 *	session with keys, what struct farmem_queue_token gives for @queue_index
 */
struct farmem_cm_req {
	__le32 magic;
	__le16 version;
	__le16 flags;
	__u8 identity[FARMEM_ID_LEN];
	__le64 incarnation;
	__le16 queue_index;
	__le16 queue_count;
	__le16 depth;
	__le16 reserved;
	__u8 token[FARMEM_ID_LEN];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_cm_req) == 56, "farmem_cm_req");

/**
 * struct farmem_cm_rep - private data of an accept
 * @magic: FARMEM_MAGIC
 * @version: the version that the session speaks, at most the client's
 * @queue_count: queues granted, 1..queue_count of the REQ
 * @token: names the session in the REQs of the other queues, if it has no keys
 * @generation: of the pool's memory; a pool that came back empty has another
 * @challenge: the server's nonce, random for each session
 * @server: the server's UUID, not all zero: the same at each of its starts
 */
struct farmem_cm_rep {
	__le32 magic;
	__le16 version;
	__le16 queue_count;
	__u8 token[FARMEM_ID_LEN];
	__le64 generation;
	__u8 challenge[FARMEM_AUTH_LEN];
	__u8 server[FARMEM_ID_LEN];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_cm_rep) == 80, "farmem_cm_rep");

/**
 * struct farmem_cm_rej - private data of a rejection
 * @magic: FARMEM_MAGIC
 * @version: the newest version that the server speaks
 * @reason: enum farmem_reason
 * @detail: what the server adds for a person to read, NUL-padded UTF-8
 */
struct farmem_cm_rej {
	__le32 magic;
	__le16 version;
	__le16 reason;
	char detail[120];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_cm_rej) == 128, "farmem_cm_rej");

/* Control messages, on queue 0. */

#define FARMEM_MSG_MAX		4096	/* bytes of the largest message */
#define FARMEM_MSG_RECVS	8	/* receives that each side keeps posted */

/**
 * enum farmem_msg_type - control messages, c: from the client, s: from the server
 * @FARMEM_MSG_HELLO: c: struct farmem_hello
 * @FARMEM_MSG_WELCOME: s: struct farmem_welcome
 * @FARMEM_MSG_OPEN: c: struct farmem_open
 * @FARMEM_MSG_GRANT: s: struct farmem_grant, one or more
 * @FARMEM_MSG_CLOSE: c: struct farmem_volume_ref; data kept
 * @FARMEM_MSG_RELEASE: c: struct farmem_volume_ref; data given up
 * @FARMEM_MSG_DONE: s: struct farmem_done, answers CLOSE and RELEASE
 * @FARMEM_MSG_GOODBYE: s: struct farmem_done, unasked: shutting down
 * @FARMEM_MSG_WORKING: s: struct farmem_msg: the answer to OPEN, CLOSE or RELEASE takes longer
 */
enum farmem_msg_type {
	FARMEM_MSG_HELLO	= 1,
	FARMEM_MSG_WELCOME	= 2,
	FARMEM_MSG_OPEN		= 3,
	FARMEM_MSG_GRANT	= 4,
	FARMEM_MSG_CLOSE	= 5,
	FARMEM_MSG_RELEASE	= 6,
	FARMEM_MSG_DONE		= 7,
	FARMEM_MSG_GOODBYE	= 8,
	FARMEM_MSG_WORKING	= 9,
};

/**
 * struct farmem_msg - the header that every control message starts with
 * @magic: FARMEM_MAGIC
 * @version: the session's version
 * @type: enum farmem_msg_type
 * @length: of the whole message in bytes; exactly what was received
 * @id: chosen by the client, repeated in the answer; 0 in unasked messages
 */
struct farmem_msg {
	__le32 magic;
	__le16 version;
	__le16 type;
	__le32 length;
	__le32 id;
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_msg) == 16, "farmem_msg");

/**
 * struct farmem_hello - the client introduces itself
 * @msg: header, FARMEM_MSG_HELLO
 * @name: the client's name; its hash must be the identity of the REQ
 * @incarnation: as in the REQ
 * @nonce: the client's, random for each session; 0 without a key
 * @proof: HMAC of FARMEM_LABEL_CLIENT, see struct farmem_transcript; 0 without
 *	a key
 * @reserved: 0
 */
struct farmem_hello {
	struct farmem_msg msg;
	char name[FARMEM_NAME_LEN];
	__le64 incarnation;
	__u8 nonce[FARMEM_AUTH_LEN];
	__u8 proof[FARMEM_AUTH_LEN];
	__le64 reserved;
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_hello) == 160, "farmem_hello");

/**
 * struct farmem_welcome - the server's answer to HELLO
 * @msg: header, FARMEM_MSG_WELCOME
 * @reason: FARMEM_OK, or why not (the server then closes the session)
 * @reserved0: 0
 * @lease: seconds that the server keeps the slabs of a client it no longer
 *	hears; 0 = until released
 * @generation: as in the REP
 * @slab_size: bytes of a slab, a power of two, FARMEM_SLAB_MIN..MAX
 * @capacity: bytes of the whole pool, for people to read
 * @free: bytes that are free now, for people to read
 * @status_addr: address of the server's struct farmem_status, 0 = none
 * @status_rkey: its rkey, for READs
 * @beat_rkey: rkey of the client's heartbeat counter, for WRITEs
 * @beat_addr: address of that counter, 8 bytes; 0 = none
 * @proof: HMAC of FARMEM_LABEL_SERVER, see struct farmem_transcript; 0 when the
 *	server refuses, or has no key of this client
 * @detail: what the server adds for a person to read, NUL-padded
 */
struct farmem_welcome {
	struct farmem_msg msg;
	__le16 reason;
	__le16 reserved0;
	__le32 lease;
	__le64 generation;
	__le64 slab_size;
	__le64 capacity;
	__le64 free;
	__le64 status_addr;
	__le32 status_rkey;
	__le32 beat_rkey;
	__le64 beat_addr;
	__u8 proof[FARMEM_AUTH_LEN];
	char detail[120];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_welcome) == 232, "farmem_welcome");

#define FARMEM_STATUS_SHUTTING_DOWN 0x0001
/*
 * A page may be READ at the status' address and WRITTEN at that of the heartbeat, with
 * the count at its beginning; what is behind means nothing.  A visitor sees by
 * it whether packets of the full size pass.
 */
#define FARMEM_STATUS_PAGES 0x0002

/**
 * struct farmem_status - what the server says of itself, read by the client
 * @magic: FARMEM_MAGIC
 * @version: FARMEM_VERSION
 * @flags: FARMEM_STATUS_*
 * @generation: as in WELCOME
 * @capacity: bytes of the whole pool
 * @free: bytes of it that are free
 * @pressure: hundredths of a percent of time in which some task of the memory
 *	node waited for memory, over the last 10 s (Linux' pressure stall
 *	information, Documentation/accounting/psi.rst); 0 if that is not known
 * @barrier: a random token that the client is asked to SEND on each of its queues,
 *	once, without bytes and as immediate data; 0: none.  Behind it nothing is under
 *	way to memory that the client had given up before: see docs/protocol.md, "Barrier"
 * @wanted: bytes of its volumes that the client is asked to give up, since the memory
 *	node needs them or is drained; 0: none
 * @within: seconds in which the server would have them; 0: at once; of no meaning if
 *	@wanted is 0.  Nothing happens when they are over: the memory is the client's
 * @reserved: 0
 *
 * In the server's memory, which its CPU writes at any time: each field is whole,
 * but two of them may be of different moments.
 */
struct farmem_status {
	__le32 magic;
	__le16 version;
	__le16 flags;
	__le64 generation;
	__le64 capacity;
	__le64 free;
	__le32 pressure;
	__le32 barrier;
	__le64 wanted;
	__le32 within;
	__le32 reserved[3];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_status) == 64, "farmem_status");

/*
 * Keys.  A client's key is 16 to 64 bytes, written as hexadecimal digits.  The client
 * alone has it; each server has what struct farmem_server_key makes of it.  All HMACs
 * are HMAC-SHA-256 over one of the structs below; the label, NUL-padded, says for
 * which purpose, so that no HMAC can stand in for another.
 */
#define FARMEM_KEY_MIN		16
#define FARMEM_KEY_MAX		64
#define FARMEM_LABEL_LEN	32
#define FARMEM_LABEL_KEY	"farmem server key v1"
#define FARMEM_LABEL_CLIENT	"farmem client proof v1"
#define FARMEM_LABEL_SESSION	"farmem session key v1"
#define FARMEM_LABEL_SERVER	"farmem server proof v1"
#define FARMEM_LABEL_QUEUE	"farmem queue token v1"

/**
 * struct farmem_server_key - what a client's key becomes for one server
 * @label: FARMEM_LABEL_KEY
 * @server: the server's UUID, of its REP
 * @client: the client's name, NUL-padded
 *
 * The server key is the HMAC over this under the client's key.  A server that has
 * its own cannot make another server's of it, nor another client's.
 */
struct farmem_server_key {
	char label[FARMEM_LABEL_LEN];
	__u8 server[FARMEM_ID_LEN];
	char client[FARMEM_NAME_LEN];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_server_key) == 112, "farmem_server_key");

/**
 * struct farmem_transcript - what was said until the session is live
 * @label: what the HMAC is for
 * @req: the private data of queue 0's REQ, as sent
 * @rep: of its REP, as sent
 * @hello: HELLO as sent, but with @proof all zero
 * @welcome: WELCOME as sent, but with @proof all zero
 *
 * The client's proof is the HMAC under the server key, of FARMEM_LABEL_CLIENT, over
 * all but @welcome.  The session key is the same of FARMEM_LABEL_SESSION.  The
 * server's proof is the HMAC under the session key, of FARMEM_LABEL_SERVER, over
 * the whole.  An attacker that changed a bit on the way, or plays back what was
 * said in another session (either nonce is another), has no proof.
 */
struct farmem_transcript {
	char label[FARMEM_LABEL_LEN];
	struct farmem_cm_req req;
	struct farmem_cm_rep rep;
	struct farmem_hello hello;
	struct farmem_welcome welcome;
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_transcript) == 560, "farmem_transcript");

/**
 * struct farmem_queue_token - binds a further queue to the session
 * @label: FARMEM_LABEL_QUEUE
 * @queue_index: of the queue
 * @reserved: 0
 *
 * In a session with keys the token of a further queue's REQ is the first
 * FARMEM_ID_LEN bytes of the HMAC over this under the session key.
 */
struct farmem_queue_token {
	char label[FARMEM_LABEL_LEN];
	__le16 queue_index;
	__u8 reserved[6];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_queue_token) == 40, "farmem_queue_token");

#define FARMEM_OPEN_CREATE	0x0001	/* make the volume if there is none */
#define FARMEM_OPEN_GENERATION	0x0002	/* refuse if the memory is not @generation */
#define FARMEM_OPEN_CONTINUE	0x0004	/* refuse if another incarnation has had it since */

/**
 * struct farmem_open - reserve and grant a volume's whole capacity
 * @msg: header, FARMEM_MSG_OPEN
 * @uuid: the volume
 * @name: its name on the client, for people to read
 * @capacity: bytes, a multiple of FARMEM_PAGE_SIZE.  A volume that exists and
 *	is smaller grows by zeroed slabs; one that is larger stays so.  0 takes
 *	it as it is.
 * @generation: with FARMEM_OPEN_GENERATION: of the memory that the client
 *	wrote to
 * @flags: FARMEM_OPEN_*
 * @reserved: 0
 */
struct farmem_open {
	struct farmem_msg msg;
	__u8 uuid[FARMEM_ID_LEN];
	char name[FARMEM_VOLUME_NAME_LEN];
	__le64 capacity;
	__le64 generation;
	__le32 flags;
	__le32 reserved;
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_open) == 88, "farmem_open");

/**
 * struct farmem_region - a run of slabs in one registration
 * @addr: remote address of the first slab's first byte
 * @meta_addr: remote address of the first slab's page state bytes: one byte a
 *	page, enum farmem_page_state, contiguous over the region
 * @rkey: of the slabs
 * @meta_rkey: of the page state bytes
 * @first_slab: index in the volume
 * @slab_count: slabs, at least 1; length = slab_count * slab_size
 */
struct farmem_region {
	__le64 addr;
	__le64 meta_addr;
	__le32 rkey;
	__le32 meta_rkey;
	__le32 first_slab;
	__le32 slab_count;
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_region) == 32, "farmem_region");

/**
 * enum farmem_page_state - what a page's state byte says
 * @FARMEM_PAGE_DATA: the page is what the slab holds (zeros if never written)
 * @FARMEM_PAGE_ZERO: the page reads as zeros whatever the slab holds
 * @FARMEM_PAGE_LOST: the page was in memory that is gone: it reads as an error
 *
 * Written by the client, with RDMA WRITE, before the discard or write that it
 * belongs to is acknowledged; read by it when a volume is opened.  The server
 * writes them before it grants a new volume: data, or lost if the client goes on
 * with it (FARMEM_OPEN_CONTINUE).
 */
enum farmem_page_state {
	FARMEM_PAGE_DATA	= 0,
	FARMEM_PAGE_ZERO	= 1,
	FARMEM_PAGE_LOST	= 2,
};

#define FARMEM_GRANT_NEW	0x0001	/* the volume was made now */
/*
 * Memory of the volume had an uncorrectable error, now or earlier.  What that cost is in
 * the page state bytes: a client that goes on with the volume reads them again.
 */
#define FARMEM_GRANT_MENDED	0x0002

#define FARMEM_GRANT_REGIONS \
	((FARMEM_MSG_MAX - sizeof(struct farmem_grant)) / sizeof(struct farmem_region))

/**
 * struct farmem_grant - memory lent; one part of the answer to OPEN
 * @msg: header, FARMEM_MSG_GRANT
 * @uuid: the volume
 * @reason: FARMEM_OK, or why nothing is granted (then a single part, 0 regions)
 * @part: 0, 1, ... in order
 * @parts: how many, at least 1
 * @region_count: regions in this part, 1..FARMEM_GRANT_REGIONS
 * @generation: of the memory
 * @capacity: bytes granted: slabs * slab_size, at least what OPEN asked for
 * @slab_size: bytes
 * @slabs: of the whole volume; the regions of all parts cover 0..slabs-1 once,
 *	in ascending order
 * @flags: FARMEM_GRANT_*
 * @detail: what the server adds for a person to read, NUL-padded
 * @region: the regions
 */
struct farmem_grant {
	struct farmem_msg msg;
	__u8 uuid[FARMEM_ID_LEN];
	__le16 reason;
	__le16 part;
	__le16 parts;
	__le16 region_count;
	__le64 generation;
	__le64 capacity;
	__le64 slab_size;
	__le32 slabs;
	__le32 flags;
	char detail[120];
	struct farmem_region region[];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_grant) == 192, "farmem_grant");

/**
 * struct farmem_volume_ref - CLOSE or RELEASE a volume
 * @msg: header
 * @uuid: the volume
 */
struct farmem_volume_ref {
	struct farmem_msg msg;
	__u8 uuid[FARMEM_ID_LEN];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_volume_ref) == 32, "farmem_volume_ref");

/**
 * struct farmem_done - the server's answer to CLOSE and RELEASE; also GOODBYE
 * @msg: header
 * @uuid: the volume, all zero in GOODBYE
 * @reason: enum farmem_reason
 * @reserved: 0
 */
struct farmem_done {
	struct farmem_msg msg;
	__u8 uuid[FARMEM_ID_LEN];
	__le16 reason;
	__u8 reserved[6];
};
FARMEM_STATIC_ASSERT(sizeof(struct farmem_done) == 40, "farmem_done");

#endif /* FARMEM_PROTO_H */
