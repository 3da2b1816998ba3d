// SPDX-License-Identifier: GPL-2.0
/*
 * device.c - the ib_client: which RDMA devices there are and what they can do.
 *
 * Owns the list of devices and, of each, a protection domain and two constant
 * pages.  Sessions hold a device through farmem_device_get(); its removal
 * tells them and returns only when the last has let go.  devices_lock guards
 * the list, each device's users and its removing flag.
 */
#include <linux/dma-mapping.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "farmem-proto.h"
#include "device.h"
#include "fault.h"

/* Work requests of a queue: less is not worth a queue. */
#define MIN_WR 16u

static struct ib_client farmem_client;
static LIST_HEAD(devices);
static DEFINE_MUTEX(devices_lock);

bool farmem_device_speaks_iwarp(struct ib_device *dev)
{
	return farmem_fault_said(FARMEM_SAY_IWARP,
				 rdma_protocol_iwarp(dev, rdma_start_port(dev)));
}

/* Bytes that one DMA mapping can have; less where swiotlb bounces. */
static unsigned int device_max_mapping(struct ib_device *dev)
{
	size_t most = UINT_MAX;

	if (!ib_uses_virt_dma(dev))
		most = min(most, dma_max_mapping_size(dev->dma_device));
	most = farmem_fault_said(FARMEM_SAY_MAX_MAPPING, most);
	return round_down(most, PAGE_SIZE);
}

static void device_read_limits(struct farmem_device *device)
{
	const struct ib_device_attr *attrs = &device->dev->attrs;

	/* Drivers that read into one alone leave their number at 0. */
	u32 max_sge_rd = farmem_fault_said(FARMEM_SAY_MAX_SGE_RD,
					   attrs->max_sge_rd) ?: 1;

	device->max_sge = min3((u32)FARMEM_MAX_SGE, (u32)attrs->max_send_sge,
			       max_sge_rd);
	device->max_wr = min(attrs->max_qp_wr, attrs->max_cqe / 2);
	device->read_depth = clamp(attrs->max_qp_init_rd_atom, 1, U8_MAX);
	device->max_segment = device_max_mapping(device->dev);
	device->software = ib_uses_virt_dma(device->dev) &&
			   !farmem_fault_said(FARMEM_SAY_ADAPTER, 0);
}

static int device_map_consts(struct farmem_device *device)
{
	struct ib_device *dev = device->dev;

	device->consts = (void *)__get_free_pages(GFP_KERNEL, 1);
	if (!device->consts)
		return -ENOMEM;
	memset(device->consts, FARMEM_PAGE_ZERO, PAGE_SIZE);
	memset(device->consts + PAGE_SIZE, FARMEM_PAGE_DATA, PAGE_SIZE);

	/* One by one: a mapping may have no more than a page. */
	device->zero_dma = ib_dma_map_single(dev, device->consts, PAGE_SIZE,
					     DMA_TO_DEVICE);
	if (ib_dma_mapping_error(dev, device->zero_dma))
		goto free_consts;
	device->data_dma = ib_dma_map_single(dev, device->consts + PAGE_SIZE,
					     PAGE_SIZE, DMA_TO_DEVICE);
	if (ib_dma_mapping_error(dev, device->data_dma))
		goto unmap_zero;
	return 0;

unmap_zero:
	ib_dma_unmap_single(dev, device->zero_dma, PAGE_SIZE, DMA_TO_DEVICE);
free_consts:
	free_pages((unsigned long)device->consts, 1);
	return -ENOMEM;
}

static void device_unmap_consts(struct farmem_device *device)
{
	ib_dma_unmap_single(device->dev, device->data_dma, PAGE_SIZE, DMA_TO_DEVICE);
	ib_dma_unmap_single(device->dev, device->zero_dma, PAGE_SIZE, DMA_TO_DEVICE);
	free_pages((unsigned long)device->consts, 1);
}

static int device_arrives(struct ib_device *dev)
{
	struct farmem_device *device;
	int err;

	if (farmem_device_speaks_iwarp(dev)) {
		pr_info("%s: not used: it speaks iWARP\n", dev_name(&dev->dev));
		return -EOPNOTSUPP;
	}
	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->dev = dev;
	BLOCKING_INIT_NOTIFIER_HEAD(&device->users);
	mutex_init(&device->disconnect_lock);
	init_completion(&device->idle);
	device_read_limits(device);
	/* A page is one SGE where it has to be (block.c); a write may be two requests. */
	if (!device->max_sge || !device->max_segment || device->max_wr < MIN_WR) {
		pr_info("%s: not used: %u SGEs a request, %u bytes an SGE, %u requests a queue; 1, %lu and %u are needed\n",
			dev_name(&dev->dev), device->max_sge, device->max_segment,
			device->max_wr, PAGE_SIZE, MIN_WR);
		err = -EOPNOTSUPP;
		goto free_device;
	}

	device->pd = ib_alloc_pd(dev, 0);
	if (IS_ERR(device->pd)) {
		err = PTR_ERR(device->pd);
		pr_warn("%s: no protection domain (%d); not used\n",
			dev_name(&dev->dev), err);
		goto free_device;
	}
	err = device_map_consts(device);
	if (err)
		goto dealloc_pd;

	ib_set_client_data(dev, &farmem_client, device);
	mutex_lock(&devices_lock);
	list_add_tail(&device->entry, &devices);
	mutex_unlock(&devices_lock);
	return 0;

dealloc_pd:
	ib_dealloc_pd(device->pd);
free_device:
	kfree(device);
	return err;
}

static void device_leaves(struct ib_device *dev, void *client_data)
{
	struct farmem_device *device = client_data;

	if (!device)
		return;

	mutex_lock(&devices_lock);
	device->removing = true;
	list_del(&device->entry);
	if (!device->user_count)
		complete(&device->idle);
	mutex_unlock(&devices_lock);
	blocking_notifier_call_chain(&device->users, 0, device);

	/* Bounded: each user's teardown is. */
	wait_for_completion(&device->idle);
	device_unmap_consts(device);
	ib_dealloc_pd(device->pd);
	kfree(device);
}

struct farmem_device *farmem_device_get(struct ib_device *dev,
					struct notifier_block *user)
{
	struct farmem_device *device;

	mutex_lock(&devices_lock);
	list_for_each_entry(device, &devices, entry) {
		if (device->dev == dev && !device->removing) {
			blocking_notifier_chain_register(&device->users, user);
			device->user_count++;
			mutex_unlock(&devices_lock);
			return device;
		}
	}
	mutex_unlock(&devices_lock);
	return ERR_PTR(-ENODEV);
}

bool farmem_device_goes(struct farmem_device *device)
{
	bool goes;

	mutex_lock(&devices_lock);
	goes = device->removing;
	mutex_unlock(&devices_lock);
	return goes;
}

void farmem_device_put(struct farmem_device *device,
		       struct notifier_block *user)
{
	mutex_lock(&devices_lock);
	blocking_notifier_chain_unregister(&device->users, user);
	if (!--device->user_count && device->removing)
		complete(&device->idle);
	mutex_unlock(&devices_lock);
}

static struct ib_client farmem_client = {
	.name = "farmem",
	.add = device_arrives,
	.remove = device_leaves,
};

int farmem_device_init(void)
{
	return ib_register_client(&farmem_client);
}

void farmem_device_exit(void)
{
	ib_unregister_client(&farmem_client);
}
