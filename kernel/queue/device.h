/* SPDX-License-Identifier: GPL-2.0 */
/*
 * device.h - RDMA devices as farmem sees them: protection domain and limits.
 */
#ifndef FARMEM_DEVICE_H
#define FARMEM_DEVICE_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/refcount.h>
#include <rdma/ib_verbs.h>

/* SGEs of a request: 128 KiB of scattered 4 KiB pages. */
#define FARMEM_MAX_SGE 32

/**
 * struct farmem_device - one RDMA device that can carry sessions
 * @dev: the verbs device
 * @pd: protection domain of all our queue pairs there.  farmem exposes no
 *	memory of the compute node, so sessions may share it.
 * @max_sge: SGEs that a READ and a WRITE may have, at most FARMEM_MAX_SGE
 * @max_segment: bytes that an SGE may have
 * @max_wr: work requests a send queue may hold
 * @software: CPUs do its work, perhaps the very CPU that polls
 * @read_depth: READs that a queue pair may have outstanding
 * @consts: two pages of FARMEM_PAGE_ZERO and FARMEM_PAGE_DATA bytes, the
 *	source of page state writes
 * @zero_dma: DMA address of the first
 * @data_dma: DMA address of the second
 * @disconnect_lock: held while a peer is sent a DREQ, see farmem_connect_disconnect()
 */
struct farmem_device {
	struct ib_device *dev;
	struct ib_pd *pd;
	unsigned int max_sge;
	unsigned int max_segment;
	unsigned int max_wr;
	unsigned int read_depth;
	bool software;
	void *consts;
	u64 zero_dma;
	u64 data_dma;
	struct mutex disconnect_lock;

	/* private: device.c has the list of devices, and counts their users */
	struct list_head entry;
	struct blocking_notifier_head users;
	unsigned int user_count;
	bool removing;
	struct completion idle;
};

/**
 * farmem_device_get() - use a device
 * @dev: as rdma_cm chose it
 * @user: called when the device is removed (may sleep); must make the caller call
 *	farmem_device_put() soon, on which the removal waits
 *
 * Context: may sleep.
 * Return: the device, or ERR_PTR(-ENODEV) when it is being removed or cannot
 * carry sessions (its limits are too small; the log of its arrival says why).
 */
struct farmem_device *farmem_device_get(struct ib_device *dev,
					struct notifier_block *user);

/**
 * farmem_device_speaks_iwarp() - it cannot carry sessions for that reason
 * @dev: any
 *
 * There the local key of a protection domain is no target of a READ, and a WRITE is
 * complete when it has left: what was acknowledged may be absent for a READ on
 * another connection.
 */
bool farmem_device_speaks_iwarp(struct ib_device *dev);

/**
 * farmem_device_goes() - is it being removed?
 * @device: of a user of it
 *
 * For a user that was told before it could do anything about it.  Context: may sleep.
 */
bool farmem_device_goes(struct farmem_device *device);

/**
 * farmem_device_put() - every QP, CQ and mapping of @user there is gone
 * @device: from farmem_device_get()
 * @user: the same as there
 *
 * Context: may sleep.
 */
void farmem_device_put(struct farmem_device *device,
		       struct notifier_block *user);

int farmem_device_init(void);
void farmem_device_exit(void);

#endif /* FARMEM_DEVICE_H */
