// SPDX-License-Identifier: GPL-2.0
/*
 * disk-attr.c - a volume's files below /sys/block/farmemN/farmem, one value each.
 */
#include <linux/blkdev.h>
#include <linux/device.h>

#include "disk-attr.h"
#include "latency.h"
#include "stats.h"
#include "volume.h"

static struct farmem_volume *disk_attr_volume(struct device *dev)
{
	return dev_to_disk(dev)->private_data;
}

#define SHOW(name, fmt, value)						\
	static ssize_t name##_show(struct device *dev,			\
				   struct device_attribute *attr, char *buf) \
	{								\
		struct farmem_volume *v = disk_attr_volume(dev);		\
									\
		return sysfs_emit(buf, fmt "\n", value);		\
	}								\
	static DEVICE_ATTR_RO(name)

#define SHOW_STAT(name, stat)						\
	SHOW(name, "%llu", farmem_stat_sum(v->stats, FARMEM_STAT_##stat))

SHOW(volume, "%s", v->name);
SHOW(session, "%s", v->memory.session->name);
SHOW(uuid, "%pUb", &v->memory.uuid);
SHOW(state, "%s", farmem_volume_state(v));
SHOW(generation, "%016llx", v->memory.generation);
SHOW(slab_size, "%llu", 1ull << v->memory.slab_shift);
SHOW(slabs, "%u", v->memory.slab_count);
SHOW(regions, "%u", v->memory.extent_count);
SHOW(sync, "%d", v->memory.policy.sync);
SHOW(checksum, "%s", farmem_checksums_used(&v->memory.checksums) ? "crc32c" : "none");
SHOW(checksum_errors, "%lld", (s64)atomic64_read(&v->memory.checksums.errors));
SHOW(lost_pages, "%llu", farmem_lostmap_count(&v->memory.lostmap, &v->memory.zeromap));
SHOW(zero_pages, "%llu", farmem_zeromap_count(&v->memory.zeromap));
SHOW_STAT(reads, READS);
SHOW_STAT(writes, WRITES);
SHOW_STAT(read_bytes, READ_BYTES);
SHOW_STAT(write_bytes, WRITE_BYTES);
SHOW_STAT(discards, DISCARDS);
SHOW_STAT(zero_reads, ZERO_READS);
SHOW_STAT(zero_writes, ZERO_WRITES);
SHOW_STAT(slot_frees, SLOT_FREES);
SHOW_STAT(polled_reads, POLLED_READS);
SHOW_STAT(irq_reads, IRQ_READS);
SHOW_STAT(shortages, SHORTAGES);
SHOW_STAT(read_errors, READ_ERRORS);
SHOW_STAT(write_errors, WRITE_ERRORS);
SHOW_STAT(lost_reads, LOST_READS);

/* Completed first: a request that completes in between is not negative. */
static u64 disk_attr_inflight(struct farmem_volume *v)
{
	u64 completed = farmem_stat_sum(v->stats, FARMEM_STAT_COMPLETED);

	return farmem_stat_sum(v->stats, FARMEM_STAT_READS) +
	       farmem_stat_sum(v->stats, FARMEM_STAT_WRITES) +
	       farmem_stat_sum(v->stats, FARMEM_STAT_DISCARDS) - completed;
}
SHOW(inflight, "%llu", disk_attr_inflight(v));
SHOW(parked, "%u", READ_ONCE(v->park.count) + READ_ONCE(v->memory.repost.count));

static ssize_t latency_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(disk_attr_volume(dev)->latency));
}

static ssize_t latency_store(struct device *dev, struct device_attribute *attr,
			     const char *buf, size_t count)
{
	bool on;
	int err = kstrtobool(buf, &on);

	if (err)
		return err;
	farmem_latency_switch(&disk_attr_volume(dev)->latency, on);
	return count;
}
static DEVICE_ATTR_RW(latency);

static ssize_t disk_attr_histogram(struct device *dev, char *buf, enum farmem_latency kind)
{
	struct farmem_stats __percpu *stats = disk_attr_volume(dev)->stats;
	unsigned int i;
	ssize_t len = 0;

	for (i = 0; i < FARMEM_LATENCY_BUCKETS; i++)
		len += sysfs_emit_at(buf, len, "%llu%c", farmem_latency_sum(stats, kind, i),
				     i < FARMEM_LATENCY_BUCKETS - 1 ? ' ' : '\n');
	return len;
}

#define SHOW_HISTOGRAM(name, kind)					\
	static ssize_t name##_show(struct device *dev,			\
				   struct device_attribute *attr, char *buf) \
	{								\
		return disk_attr_histogram(dev, buf, FARMEM_LATENCY_##kind); \
	}								\
	static DEVICE_ATTR_RO(name)

SHOW_HISTOGRAM(read_latency, READ);
SHOW_HISTOGRAM(write_latency, WRITE);
SHOW_HISTOGRAM(discard_latency, DISCARD);
SHOW_HISTOGRAM(fault_latency, FAULT);

static struct attribute *disk_attrs[] = {
	&dev_attr_volume.attr,
	&dev_attr_session.attr,
	&dev_attr_uuid.attr,
	&dev_attr_state.attr,
	&dev_attr_generation.attr,
	&dev_attr_slab_size.attr,
	&dev_attr_slabs.attr,
	&dev_attr_regions.attr,
	&dev_attr_sync.attr,
	&dev_attr_checksum.attr,
	&dev_attr_zero_pages.attr,
	&dev_attr_lost_pages.attr,
	&dev_attr_reads.attr,
	&dev_attr_writes.attr,
	&dev_attr_read_bytes.attr,
	&dev_attr_write_bytes.attr,
	&dev_attr_discards.attr,
	&dev_attr_zero_reads.attr,
	&dev_attr_zero_writes.attr,
	&dev_attr_slot_frees.attr,
	&dev_attr_polled_reads.attr,
	&dev_attr_irq_reads.attr,
	&dev_attr_shortages.attr,
	&dev_attr_read_errors.attr,
	&dev_attr_write_errors.attr,
	&dev_attr_lost_reads.attr,
	&dev_attr_checksum_errors.attr,
	&dev_attr_inflight.attr,
	&dev_attr_parked.attr,
	&dev_attr_latency.attr,
	&dev_attr_read_latency.attr,
	&dev_attr_write_latency.attr,
	&dev_attr_discard_latency.attr,
	&dev_attr_fault_latency.attr,
	NULL,
};

static const struct attribute_group disk_group = {
	.name = "farmem",
	.attrs = disk_attrs,
};

const struct attribute_group *farmem_disk_groups[] = { &disk_group, NULL };
