/* SPDX-License-Identifier: GPL-2.0 */
/*
 * message.h - what the server's messages say, believed only after checking.
 *
 * Pure functions over bytes: no locks, no allocation, any context.
 */
#ifndef FARMEM_MESSAGE_H
#define FARMEM_MESSAGE_H

#include "farmem-proto.h"

struct farmem_rej_info {
	u16 reason;
	char detail[121];
};

struct farmem_welcome_info {
	u16 reason;
	u32 lease;		/* seconds, 0 = until released */
	u64 generation;
	u64 slab_size;		/* bytes */
	u64 capacity;		/* bytes */
	u64 free;		/* bytes */
	u64 status_addr;	/* 0: none */
	u64 beat_addr;		/* 0: none */
	u32 status_rkey;
	u32 beat_rkey;
	char detail[121];
};

struct farmem_status_info {
	u16 flags;		/* FARMEM_STATUS_* */
	u64 generation;
	u64 free;		/* bytes */
	u32 pressure;		/* hundredths of a percent */
	u32 barrier;		/* a token to be said on each queue, or 0 */
	u32 within;		/* seconds until @wanted is urgent */
	u64 wanted;		/* bytes, or 0 */
};

struct farmem_grant_info {
	u16 reason;
	u16 part;
	u16 parts;
	u16 region_count;
	u32 slabs;
	u32 flags;
	u64 generation;
	u64 capacity;		/* bytes */
	u64 slab_size;		/* bytes */
	const struct farmem_region *region;	/* in the message */
	char detail[121];
};

/**
 * struct farmem_grant_regions - what all parts of a GRANT tell
 * @flags: FARMEM_GRANT_NEW and the like
 * @slab_size: bytes
 * @slabs: the volume's; @regions cover each of them once, in order
 * @regions: as the server sent them; kvfree() gives them back
 * @count: of @regions
 * @room: how many @regions has room for
 * @part: parts so far
 * @parts: of the GRANT
 * @covered: slabs so far
 */
struct farmem_grant_regions {
	u32 flags;
	u64 slab_size;
	u32 slabs;
	struct farmem_region *regions;
	unsigned int count;
	unsigned int room;
	unsigned int part;
	unsigned int parts;
	s64 covered;
};

/**
 * farmem_message_check() - is this a control message of ours at all?
 * @buf: what was received
 * @len: its length in bytes
 *
 * Return: its type (enum farmem_msg_type), or -EPROTO for a wrong magic,
 * version or length.
 */
int farmem_message_check(const void *buf, u32 len);

/**
 * farmem_message_parse_rej() - read a rejection's private data
 * @buf: the data
 * @len: its length in bytes
 * @info: filled in
 *
 * Return: 0, or -EPROTO when it is not a farmemd's.
 */
int farmem_message_parse_rej(const void *buf, u32 len, struct farmem_rej_info *info);

/**
 * farmem_message_parse_rep() - check an accept's private data
 * @rep: the data, zero-padded
 * @most: queues that were asked for
 *
 * Return: queues granted, 1..@most, or -EPROTO.
 */
int farmem_message_parse_rep(const struct farmem_cm_rep *rep, unsigned int most);

/**
 * farmem_message_parse_welcome() - read a WELCOME that farmem_message_check() has passed
 * @buf: the message
 * @len: its length in bytes
 * @info: filled in
 *
 * Return: 0, or -EPROTO when a field is out of its range.  A refusal is not an
 * error here: see @info->reason.
 */
int farmem_message_parse_welcome(const void *buf, u32 len,
				 struct farmem_welcome_info *info);

/**
 * farmem_message_parse_status() - read the server's status page
 * @status: as it was read
 * @info: filled in
 *
 * Return: 0, or -EPROTO if that is no status page of this version.
 */
int farmem_message_parse_status(const struct farmem_status *status,
				struct farmem_status_info *info);

/**
 * farmem_message_parse_grant() - read one GRANT part that farmem_message_check() has passed
 * @buf: the message
 * @len: its length in bytes
 * @uuid: the volume that was asked for
 * @info: filled in; points into @buf
 *
 * Checks every field and every region by itself (sizes, overflow);
 * that the parts fit together is farmem_message_grant_covers()'s to say.
 *
 * Return: 0, or -EPROTO.
 */
int farmem_message_parse_grant(const void *buf, u32 len, const u8 *uuid,
			       struct farmem_grant_info *info);

/**
 * farmem_message_grant_covers() - do a part's regions continue where the last ended?
 * @info: a parsed part
 * @next_slab: slabs that earlier parts covered
 *
 * Return: slabs covered with this part, or -EPROTO for a gap, an overlap or
 * more slabs than the volume has.
 */
s64 farmem_message_grant_covers(const struct farmem_grant_info *info, u32 next_slab);

/**
 * farmem_message_parse_done() - read the answer to CLOSE or RELEASE
 * @buf: the message
 * @len: its length in bytes
 * @uuid: the volume that was named
 *
 * Return: the enum farmem_reason in it, or -EPROTO.
 */
int farmem_message_parse_done(const void *buf, u32 len, const u8 *uuid);

enum farmem_open_fate {
	FARMEM_OPEN_GRANTED,
	FARMEM_OPEN_LOST,	/* its bytes are not there, and will not come */
	FARMEM_OPEN_AWAY,	/* this volume cannot be had now; others can */
	FARMEM_OPEN_UNHEARD,	/* it is the connection that does not work */
};

/**
 * farmem_message_open_fate() - what the end of an OPEN concerns, of a volume that was open before
 * @err: 0 or the negative errno that asking for it ended with
 * @abort_error: of its session: not 0: the connection has ended meanwhile
 */
enum farmem_open_fate farmem_message_open_fate(int err, int abort_error);

/**
 * farmem_message_reason_errno() - the errno that a refusal becomes
 * @reason: enum farmem_reason
 *
 * Return: 0 or a negative errno; -EREMOTEIO for what this version doesn't know.
 */
int farmem_message_reason_errno(unsigned int reason);

#endif /* FARMEM_MESSAGE_H */
