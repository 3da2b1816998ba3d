// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-rxe.c - no RDMA device: the driver of an adapter that is there, or soft-RoCE,
 * and on which interface.  Called by doctor-rdma.c.
 */
#include <ctype.h>
#include <jansson.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "doctor.h"

#define SECONDS	10
#define DEPTH	8	/* of interfaces that stand on each other */

/* Adapters' drivers of Ethernet, and those that make RDMA devices of the same cards. */
static const struct {
	const char *driver;
	const char *rdma;
} adapters[] = {
	{ "mlx5_core", "mlx5_ib" },
	{ "mlx4_core", "mlx4_ib" },
	{ "ice", "irdma" },
	{ "i40e", "irdma" },
	{ "bnxt_en", "bnxt_re" },
	{ "qede", "qedr" },
	{ "cxgb4", "iw_cxgb4" },
	{ "hns3", "hns_roce_hw_v2" },
};

#define ADAPTERS (sizeof(adapters) / sizeof(adapters[0]))

/* Has the driver a card?  Cards are named by their place, 0000:3b:00.0. */
static bool has_card(const char *driver)
{
	EACH_NAME(card, name_list("%s/bus/pci/drivers/%s", sysfs_root(), driver))
		if (isxdigit((unsigned char)**card.at) && strchr(*card.at, ':'))
			return true;
	return false;
}

/* The name of the interface below if @file names one, "lower_eth0"; or NULL */
static const char *below(const char *file)
{
	return strncmp(file, "lower_", strlen("lower_")) ? NULL : file + strlen("lower_");
}

static bool is_vlan(const char *interface)
{
	CLEANUP_FREE char *path = text_format("%s/class/net/%s/uevent", sysfs_root(), interface);
	CLEANUP_FREE char *type = doctor_line(path, "DEVTYPE=");

	return type && !strcmp(type, "vlan");
}

static bool is_ethernet(const char *interface)
{
	CLEANUP_FREE char *type = attr_read("%s/class/net/%s/type", sysfs_root(), interface);

	return type && !strcmp(type, "1");
}

/* Does it lead to a card?  docker0 and the like do not. */
static bool is_real(const char *interface, int depth)
{
	EACH_NAME(file, name_list("%s/class/net/%s", sysfs_root(), interface))
		if (!strcmp(*file.at, "device") ||
		    (depth && below(*file.at) && is_real(below(*file.at), depth - 1)))
			return true;
	return false;
}

/*
 * Where soft-RoCE can stand for what goes by this interface, to free; NULL: nowhere.  Not
 * on a VLAN, but on what is below it, which has the VLAN's addresses as GIDs too.
 * @used: packets to the server go by it, so it is the one that is meant, a bridge of
 * guests as well: all that it must be is Ethernet.
 */
static char *place_on(const char *interface, bool used, int depth)
{
	if (!is_vlan(interface))
		return is_real(interface, DEPTH) || (used && is_ethernet(interface)) ?
		       text_copy(interface) : NULL;
	EACH_NAME(file, name_list("%s/class/net/%s", sysfs_root(), interface))
		if (depth && below(*file.at))
			return place_on(below(*file.at), used, depth - 1);
	return NULL;
}

/* The Ethernet interface that soft-RoCE would stand on, to free; NULL: none fits. */
static char *likely_interface(void)
{
	EACH_NAME(interface, interface_names("ether", true)) {
		char *place = place_on(*interface.at, false, DEPTH);

		if (place)
			return place;
	}
	return NULL;
}

/* The one for what the kernel sends to the server, to free. */
static char *server_interface(struct doctor *doctor)
{
	const char *server = doctor_fabric_address(doctor);
	CLEANUP_FREE char *output = NULL;
	const char *name = NULL;
	json_t *list = NULL;
	char *found;

	if (server && !command_ask(&output, SECONDS, "ip", "-j", "route", "get", server, NULL))
		list = json_loads(output, 0, NULL);
	name = json_string_value(json_object_get(json_array_get(list, 0), "dev"));
	found = name && strcmp(name, "lo") ? place_on(name, true, DEPTH) : NULL;
	json_decref(list);
	return found ? found : likely_interface();
}

/* An adapter whose RDMA half is missing, or switched off, is not replaced by software. */
static bool offer_adapter(struct doctor *doctor)
{
	bool any = false;
	size_t i;

	for (i = 0; i < ADAPTERS; i++) {
		if (!has_card(adapters[i].driver))
			continue;
		any = true;
		if (!doctor_module_loaded(adapters[i].rdma))
			doctor_advise(doctor, "modprobe %s    (there is an adapter of %s)",
				      adapters[i].rdma, adapters[i].driver);
		else
			doctor_advise(doctor, "devlink dev param show; dmesg | grep -iE '%s|rdma'    (%s is loaded: is RDMA off in the adapter, or does the adapter lack it?)",
				      adapters[i].rdma, adapters[i].rdma);
	}
	return any;
}

/*
 * Older kernels add no soft-RoCE device without a CRC-32 of their own.  Beside an adapter
 * the user decides about soft-RoCE: --fix does not make it.
 */
static void offer_rxe(struct doctor *doctor, const char *interface, bool beside)
{
	bool crc = doctor->series < 7000 && doctor_has_module(doctor, "crc32_generic");

	if (beside) {
		doctor_advise(doctor, "or in software: %smodprobe rdma_rxe; rdma link add rxe0 type rxe netdev %s",
			      crc ? "modprobe crc32_generic; " : "", interface);
		return;
	}
	if (crc)
		doctor_repair(doctor, "modprobe", "crc32_generic", NULL);
	doctor_repair(doctor, "modprobe", "rdma_rxe", NULL);
	doctor_repair(doctor, "rdma", "link", "add", "rxe0", "type", "rxe", "netdev", interface,
		      NULL);
	doctor_advise(doctor, "for good: systemctl enable \"rxe@$(systemd-escape %s)\"    (with the unit in docs/fabric.md, soft-RoCE)",
		      interface);
}

/** doctor_offer_device() - there is no RDMA device: say how to get one */
void doctor_offer_device(struct doctor *doctor)
{
	CLEANUP_FREE char *interface = NULL;
	bool beside = offer_adapter(doctor);

	if (!doctor_has_module(doctor, "rdma_rxe")) {
		doctor_advise(doctor, "without hardware: boot a kernel that has rdma_rxe (Debian's cloud flavour lacks it)");
		doctor_install_kernel(doctor);
		return;
	}
	interface = server_interface(doctor);
	if (interface)
		offer_rxe(doctor, interface, beside);
	else
		doctor_advise(doctor, "without hardware: give an Ethernet interface an address, then modprobe rdma_rxe; rdma link add rxe0 type rxe netdev INTERFACE");
}
