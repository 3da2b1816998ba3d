# SPDX-License-Identifier: GPL-2.0
# What the kernel that the module is built for has: each line looks for a pattern in its
# headers, and compat.h gets FARMEM_HAVE_NAME as 1 or 0. The version would not tell:
# distributions carry changes back.

probe = -DFARMEM_HAVE_$(strip $(1))=$(if $(shell grep -hsEm 1 -e '$(strip $(2))' \
	$(addprefix $(srctree)/include/,$(3))),1,0)

# A parenthesis that make does not count.
close := )

disk := linux/blkdev.h linux/genhd.h

probes := \
	$(call probe, GENHD_H,		.,				linux/genhd.h) \
	$(call probe, SHA2_H,		.,				crypto/sha2.h) \
	$(call probe, HEX_H,		.,				linux/hex.h) \
	$(call probe, KMAP_LOCAL,	kmap_local_page,		linux/highmem.h linux/highmem-internal.h) \
	$(call probe, FOLIO,		folio_test_uptodate,		linux/page-flags.h) \
	$(call probe, TIMER_DELETE,	timer_delete_sync,		linux/timer.h) \
	$(call probe, WAIT_FREEZABLE,	TASK_FREEZABLE_UNSAFE,		linux/sched.h) \
	$(call probe, BIO_MAX_VECS,	define BIO_MAX_VECS,		linux/bio.h) \
	$(call probe, BIO_BDEV,		[ *]bi_bdev;,			linux/blk_types.h) \
	$(call probe, SPLIT_TO_LIMITS,	bio_split_to_limits,		$(disk)) \
	$(call probe, SUBMIT_VOID,	void .\*submit_bio\b,		$(disk)) \
	$(call probe, OPF,		__bitwise blk_opf_t,		linux/blk_types.h) \
	$(call probe, OPEN_DISK,	int .\*open..struct gendisk,	$(disk)) \
	$(call probe, RW_PAGE,		\*rw_page\b.*enum req_op,	$(disk)) \
	$(call probe, ALLOC_DISK,	define blk_alloc_disk,	$(disk)) \
	$(call probe, DISK_FEATURES,	BLK_FEAT_NOWAIT,		$(disk)) \
	$(call probe, SYNC,		BLK_FEAT_SYNCHRONOUS,		$(disk)) \
	$(call probe, ADD_DISK_FAILS,	int .*device_add_disk\b,	$(disk)) \
	$(call probe, ASSIGN_STR_ONE,	define __assign_str.dst[$(close)],	trace/trace_events.h \
		trace/stages/stage6_event_callback.h)

ccflags-y += $(probes)
have-rw-page := $(filter -DFARMEM_HAVE_RW_PAGE=1,$(probes))
