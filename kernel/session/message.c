// SPDX-License-Identifier: GPL-2.0
/*
 * message.c - checks and reads the server's control messages.
 *
 * Nothing that a server sends is used before it went through here.  Pure
 * functions; see include/farmem-proto.h for the layouts.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "message.h"

int farmem_message_check(const void *buf, u32 len)
{
	const struct farmem_msg *msg = buf;

	if (len < sizeof(*msg) || len > FARMEM_MSG_MAX)
		return -EPROTO;
	if (le32_to_cpu(msg->magic) != FARMEM_MAGIC ||
	    le16_to_cpu(msg->version) != FARMEM_VERSION ||
	    le32_to_cpu(msg->length) != len)
		return -EPROTO;
	return le16_to_cpu(msg->type);
}

/* Bytes from the wire may lack their NUL, or carry what a log should not. */
static void message_copy_detail(char *to, const char *from, size_t len)
{
	size_t i;

	for (i = 0; i < len && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	to[i] = '\0';
}

int farmem_message_parse_rej(const void *buf, u32 len, struct farmem_rej_info *info)
{
	const struct farmem_cm_rej *rej = buf;

	if (len < sizeof(*rej) || le32_to_cpu(rej->magic) != FARMEM_MAGIC)
		return -EPROTO;
	info->reason = le16_to_cpu(rej->reason);
	if (info->reason == FARMEM_ERR_VERSION)
		snprintf(info->detail, sizeof(info->detail),
			 "the server speaks version %u, this module %u",
			 le16_to_cpu(rej->version), FARMEM_VERSION);
	else
		message_copy_detail(info->detail, rej->detail, sizeof(rej->detail));
	return 0;
}

int farmem_message_parse_rep(const struct farmem_cm_rep *rep, unsigned int most)
{
	unsigned int granted = le16_to_cpu(rep->queue_count);

	if (le32_to_cpu(rep->magic) != FARMEM_MAGIC ||
	    le16_to_cpu(rep->version) != FARMEM_VERSION || !granted ||
	    granted > most || !memchr_inv(rep->server, 0, sizeof(rep->server)))
		return -EPROTO;
	return granted;
}

static bool message_slab_size_valid(u64 size)
{
	return is_power_of_2(size) && size >= FARMEM_SLAB_MIN &&
	       size <= FARMEM_SLAB_MAX;
}

int farmem_message_parse_welcome(const void *buf, u32 len,
				 struct farmem_welcome_info *info)
{
	const struct farmem_welcome *w = buf;
	u64 end;

	if (len != sizeof(*w))
		return -EPROTO;

	info->reason = le16_to_cpu(w->reason);
	info->lease = le32_to_cpu(w->lease);
	info->generation = le64_to_cpu(w->generation);
	info->slab_size = le64_to_cpu(w->slab_size);
	info->capacity = le64_to_cpu(w->capacity);
	info->free = le64_to_cpu(w->free);
	info->status_addr = le64_to_cpu(w->status_addr);
	info->status_rkey = le32_to_cpu(w->status_rkey);
	info->beat_addr = le64_to_cpu(w->beat_addr);
	info->beat_rkey = le32_to_cpu(w->beat_rkey);
	message_copy_detail(info->detail, w->detail, sizeof(w->detail));

	if (info->reason != FARMEM_OK)
		return 0;
	if (!message_slab_size_valid(info->slab_size) ||
	    check_add_overflow(info->status_addr,
			       (u64)sizeof(struct farmem_status), &end) ||
	    check_add_overflow(info->beat_addr, (u64)sizeof(__le64), &end))
		return -EPROTO;
	return 0;
}

int farmem_message_parse_status(const struct farmem_status *status,
				struct farmem_status_info *info)
{
	if (status->magic != cpu_to_le32(FARMEM_MAGIC) ||
	    status->version != cpu_to_le16(FARMEM_VERSION))
		return -EPROTO;
	info->flags = le16_to_cpu(status->flags);
	info->generation = le64_to_cpu(status->generation);
	info->free = le64_to_cpu(status->free);
	info->pressure = le32_to_cpu(status->pressure);
	info->barrier = le32_to_cpu(status->barrier);
	info->within = le32_to_cpu(status->within);
	info->wanted = le64_to_cpu(status->wanted);
	return 0;
}

static bool message_region_valid(const struct farmem_region *region,
				 const struct farmem_grant_info *info)
{
	u64 addr = le64_to_cpu(region->addr);
	u64 meta = le64_to_cpu(region->meta_addr);
	u32 first = le32_to_cpu(region->first_slab);
	u32 count = le32_to_cpu(region->slab_count);
	u64 bytes, end;

	if (!count || check_add_overflow(first, count, &first) ||
	    first > info->slabs)
		return false;
	if (check_mul_overflow((u64)count, info->slab_size, &bytes))
		return false;
	return !check_add_overflow(addr, bytes, &end) &&
	       !check_add_overflow(meta, bytes >> FARMEM_PAGE_SHIFT, &end);
}

static bool message_grant_valid(const struct farmem_grant_info *info)
{
	u64 bytes;
	u16 i;

	if (!message_slab_size_valid(info->slab_size) || !info->slabs)
		return false;
	if (check_mul_overflow((u64)info->slabs, info->slab_size, &bytes) ||
	    bytes != info->capacity || bytes > FARMEM_CAPACITY_MAX)
		return false;
	if (!info->parts || info->part >= info->parts || !info->region_count)
		return false;
	for (i = 0; i < info->region_count; i++)
		if (!message_region_valid(&info->region[i], info))
			return false;
	return true;
}

int farmem_message_parse_grant(const void *buf, u32 len, const u8 *uuid,
			       struct farmem_grant_info *info)
{
	const struct farmem_grant *g = buf;

	if (len < sizeof(*g) || memcmp(g->uuid, uuid, FARMEM_ID_LEN))
		return -EPROTO;

	info->reason = le16_to_cpu(g->reason);
	info->part = le16_to_cpu(g->part);
	info->parts = le16_to_cpu(g->parts);
	info->region_count = le16_to_cpu(g->region_count);
	info->generation = le64_to_cpu(g->generation);
	info->capacity = le64_to_cpu(g->capacity);
	info->slab_size = le64_to_cpu(g->slab_size);
	info->slabs = le32_to_cpu(g->slabs);
	info->flags = le32_to_cpu(g->flags);
	info->region = g->region;
	message_copy_detail(info->detail, g->detail, sizeof(g->detail));

	if (info->region_count > FARMEM_GRANT_REGIONS ||
	    len != struct_size(g, region, info->region_count))
		return -EPROTO;
	if (info->reason != FARMEM_OK)
		return 0;
	return message_grant_valid(info) ? 0 : -EPROTO;
}

s64 farmem_message_grant_covers(const struct farmem_grant_info *info, u32 next_slab)
{
	u16 i;

	for (i = 0; i < info->region_count; i++) {
		if (le32_to_cpu(info->region[i].first_slab) != next_slab)
			return -EPROTO;
		next_slab += le32_to_cpu(info->region[i].slab_count);
	}
	return next_slab <= info->slabs ? next_slab : -EPROTO;
}

int farmem_message_parse_done(const void *buf, u32 len, const u8 *uuid)
{
	const struct farmem_done *done = buf;

	if (len != sizeof(*done) || memcmp(done->uuid, uuid, FARMEM_ID_LEN))
		return -EPROTO;
	return le16_to_cpu(done->reason);
}

int farmem_message_reason_errno(unsigned int reason)
{
	switch (reason) {
	case FARMEM_OK:
		return 0;
	case FARMEM_ERR_VERSION:
		return -EPROTONOSUPPORT;
	case FARMEM_ERR_MALFORMED:
		return -EPROTO;
	case FARMEM_ERR_BUSY_IDENTITY:
	case FARMEM_ERR_VOLUME_BUSY:
		return -EBUSY;
	case FARMEM_ERR_NO_SESSION:
		return -ENOTCONN;
	case FARMEM_ERR_QUEUE_LIMIT:
	case FARMEM_ERR_TOO_MANY:
		return -EUSERS;
	case FARMEM_ERR_RESOURCES:
		return -ENOBUFS;
	case FARMEM_ERR_NO_SPACE:
		return -ENOSPC;
	case FARMEM_ERR_QUOTA:
		return -EDQUOT;
	case FARMEM_ERR_AUTH:
		return -EACCES;
	case FARMEM_ERR_NO_VOLUME:
		return -ENOENT;
	case FARMEM_ERR_SHUTTING_DOWN:
		return -EHOSTDOWN;
	case FARMEM_ERR_STALE:
		return -ESTALE;
	case FARMEM_ERR_MTU:
		return -EMSGSIZE;
	default:
		return -EREMOTEIO;
	}
}

enum farmem_open_fate farmem_message_open_fate(int err, int abort_error)
{
	if (abort_error)
		return FARMEM_OPEN_UNHEARD;
	switch (err) {
	case 0:
		return FARMEM_OPEN_GRANTED;
	case -ESTALE:
	case -ENOENT:
	case -EREMCHG:
		return FARMEM_OPEN_LOST;
	/* No answer, one that does not make sense, or one that is about all volumes. */
	case -EINTR:
	case -ETIMEDOUT:
	case -EPROTO:
	case -EPROTONOSUPPORT:
	case -ENOTCONN:
	case -EHOSTDOWN:
	case -EACCES:
		return FARMEM_OPEN_UNHEARD;
	/* No space, no quota, no memory, or what a later server may say. */
	default:
		return FARMEM_OPEN_AWAY;
	}
}
