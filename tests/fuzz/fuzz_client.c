// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_client.c - the module's parsers (kernel/session/message.c), against any server.
 *
 * The first byte picks REP, REJ (or the status page) or an answer; answers come one after the other
 * as kernel/session/control.c takes them, each with two bytes of length before it.  The
 * source is the kernel's own, only its includes come from tests/shim.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fuzz.h"
#include "message.h"

static const u8 uuid[FARMEM_ID_LEN] = "the volume asked";

/* What the first byte says. */
#define KIND(byte)	((byte) & 3)
#define SEAL(byte)	((byte) & 4)	/* headers are made right, so that fields are met */
#define SLABS(byte)	((byte) >> 3)	/* slab size and size asked for */

static void check_reason(unsigned int reason, const char *detail, size_t size)
{
	REQUIRE(is_printable(detail, size));
	REQUIRE(farmem_reason_text(reason));
	REQUIRE((farmem_message_reason_errno(reason) == 0) == (reason == FARMEM_OK));
	REQUIRE(farmem_message_reason_errno(reason) <= 0);
}

/* What a READ of the status page may bring. */
static void status_page(const void *buf, size_t len)
{
	struct farmem_status_info info;
	struct farmem_status status;

	if (len < sizeof(status))
		return;
	memcpy(&status, buf, sizeof(status));
	if (!farmem_message_parse_status(&status, &info))
		REQUIRE(status.magic == htole32(FARMEM_MAGIC));
}

static void rejection(struct input *in)
{
	size_t len = in->left;
	void *buf = take_copy(in, &len);
	struct farmem_rej_info info;

	status_page(buf, len);

	memset(&info, 0xaa, sizeof(info));
	if (!farmem_message_parse_rej(buf, len, &info)) {
		REQUIRE(len >= sizeof(struct farmem_cm_rej));
		check_reason(info.reason, info.detail, sizeof(info.detail));
	}
	free(buf);
}

/* kernel/session/connect.c pads what is short. */
static void acceptance(struct input *in)
{
	unsigned int most = 1 + take_word(in) % FARMEM_QUEUES_MAX;
	struct farmem_cm_rep *rep = malloc(sizeof(*rep));
	int granted;

	REQUIRE(rep);
	take(in, rep, sizeof(*rep));
	granted = farmem_message_parse_rep(rep, most);
	REQUIRE(granted == -EPROTO || (granted >= 1 && granted <= (int)most));
	/* Keys are for a server: one that is none has none. */
	REQUIRE(granted < 0 || memchr_inv(rep->server, 0, sizeof(rep->server)));
	free(rep);
}

/* struct asked - an OPEN and how much of its answer is here */
struct asked {
	u64 slab_size;
	u64 capacity;
	u32 slabs;
	u32 covered;
	unsigned int part;
	unsigned int parts;
};

/* What no sum of the parser's own can hide: computed in twice the bits. */
static void check_region(const struct asked *asked, const struct farmem_grant_info *info,
			 const struct farmem_region *region, u32 *next)
{
	unsigned __int128 bytes = (unsigned __int128)le32_to_cpu(region->slab_count) *
				  asked->slab_size;
	unsigned __int128 most = ~0ull;

	REQUIRE(le32_to_cpu(region->slab_count));
	REQUIRE(le32_to_cpu(region->first_slab) == *next);
	REQUIRE(le64_to_cpu(region->addr) + bytes <= most);
	REQUIRE(le64_to_cpu(region->meta_addr) + bytes / FARMEM_PAGE_SIZE <= most);
	REQUIRE((u64)*next + le32_to_cpu(region->slab_count) <= info->slabs);
	*next += le32_to_cpu(region->slab_count);
}

static void check_part(struct asked *asked, const struct farmem_grant_info *info,
		       const u8 *buf, size_t len)
{
	const u8 *end = (const u8 *)(info->region + info->region_count);
	u32 next = asked->covered;
	u16 i;

	REQUIRE(info->region_count && info->region_count <= FARMEM_GRANT_REGIONS);
	REQUIRE((const u8 *)info->region == buf + sizeof(struct farmem_grant));
	REQUIRE(end == buf + len);
	REQUIRE((unsigned __int128)info->slabs * info->slab_size == info->capacity);
	REQUIRE(info->capacity <= FARMEM_CAPACITY_MAX);
	REQUIRE(info->part < info->parts);
	for (i = 0; i < info->region_count; i++)
		check_region(asked, info, &info->region[i], &next);
	asked->covered = next;
}

/* As kernel/session/control.c:farmem_control_open().  False: the OPEN has failed. */
static bool grant(struct asked *asked, const void *buf, size_t len)
{
	struct farmem_grant_info info;
	s64 covered;

	memset(&info, 0xaa, sizeof(info));
	if (farmem_message_parse_grant(buf, len, uuid, &info))
		return false;
	check_reason(info.reason, info.detail, sizeof(info.detail));
	if (info.reason != FARMEM_OK || info.part != asked->part ||
	    info.slab_size != asked->slab_size || info.capacity < asked->capacity)
		return false;
	covered = farmem_message_grant_covers(&info, asked->covered);
	if (!asked->part)
		asked->slabs = info.slabs;
	if (covered < 0 || info.slabs != asked->slabs)
		return false;
	check_part(asked, &info, buf, len);
	REQUIRE(covered == asked->covered);
	asked->parts = info.parts;
	if (++asked->part < asked->parts)
		return true;
	/* The whole volume: exactly its slabs, so exactly its bytes. */
	if (asked->covered == asked->slabs)
		REQUIRE((u64)asked->covered * asked->slab_size >= asked->capacity);
	return false;
}

static void welcome(const void *buf, size_t len)
{
	struct farmem_welcome_info info;

	memset(&info, 0xaa, sizeof(info));
	if (farmem_message_parse_welcome(buf, len, &info))
		return;
	check_reason(info.reason, info.detail, sizeof(info.detail));
	if (info.reason == FARMEM_OK)
		REQUIRE(info.slab_size >= FARMEM_SLAB_MIN && info.slab_size <= FARMEM_SLAB_MAX &&
			!(info.slab_size & (info.slab_size - 1)) &&
			info.status_addr <= ~0ull - sizeof(struct farmem_status) &&
			info.beat_addr <= ~0ull - sizeof(u64));
}

static void seal(void *buf, size_t len)
{
	struct farmem_msg *msg = buf;

	if (len < sizeof(*msg))
		return;
	msg->magic = htole32(FARMEM_MAGIC);
	msg->version = htole16(FARMEM_VERSION);
	msg->length = htole32(len);
	if (le16toh(msg->type) == FARMEM_MSG_GRANT && len >= sizeof(struct farmem_grant))
		memcpy(((struct farmem_grant *)buf)->uuid, uuid, sizeof(uuid));
}

static bool answer(struct input *in, struct asked *asked, bool sealed)
{
	size_t len = take_word(in);
	void *buf = take_copy(in, &len);
	bool more = true;
	int type, reason;

	if (sealed)
		seal(buf, len);
	type = farmem_message_check(buf, len);
	REQUIRE(type < 0 || len <= FARMEM_MSG_MAX);
	switch (type) {
	case FARMEM_MSG_WELCOME:
		welcome(buf, len);
		break;
	case FARMEM_MSG_GRANT:
		more = grant(asked, buf, len);
		break;
	case FARMEM_MSG_DONE:
		reason = farmem_message_parse_done(buf, len, uuid);
		REQUIRE(reason == -EPROTO || (reason >= 0 && farmem_reason_text(reason)));
		break;
	}
	free(buf);
	return more;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .left = size };
	uint8_t how = take_byte(&in);
	struct asked asked = {
		.slab_size = (u64)FARMEM_SLAB_MIN << SLABS(how) % 11,
		.capacity = (u64)SLABS(how) << 20,
	};

	switch (KIND(how)) {
	case 0:
		rejection(&in);
		break;
	case 1:
		acceptance(&in);
		break;
	default:
		while (in.left && answer(&in, &asked, SEAL(how)))
			;
	}
	return 0;
}
