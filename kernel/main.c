// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the module: its parameters, and the order of coming and going.
 *
 * With server= and size= it makes one session and one volume, both called
 * name=; insmod then returns 0 only when the disk is there.  Everything else
 * is done at run time through configfs.
 */
#include <linux/module.h>

#include "announce.h"
#include "block.h"
#include "configfs.h"
#include "device.h"
#include "farmem-release.h"
#include "fault.h"
#include "frontswap.h"
#include "hibernate.h"
#include "poll.h"
#include "queue.h"
#include "recovery.h"
#include "request.h"
#include "retry.h"
#include "session-power.h"
#include "session.h"
#include "text.h"
#include "volume.h"
#include "wq.h"

static char *server = "";
module_param(server, charp, 0444);
MODULE_PARM_DESC(server, "memory server: ADDR:PORT, [V6ADDR]:PORT, or local for this machine's own memory");

static char *size = "";
module_param(size, charp, 0444);
MODULE_PARM_DESC(size, "size of the volume, e.g. 4G");

static char *name = "default";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "name of the session and the volume made by these parameters");

static char *client = "";
module_param(client, charp, 0444);
MODULE_PARM_DESC(client, "name of this client on the server (default: the host's name)");

static char *key = "";
module_param(key, charp, 0444);
MODULE_PARM_DESC(key, "where this client's key is: the path of a key file, or keyring:DESCRIPTION");

static char *source = "";
module_param(source, charp, 0444);
MODULE_PARM_DESC(source, "local address to connect from");

static char *uuid = "";
module_param(uuid, charp, 0444);
MODULE_PARM_DESC(uuid, "UUID of the volume (default: from client and name)");

static unsigned int queues;
module_param(queues, uint, 0444);
MODULE_PARM_DESC(queues, "most queue pairs to use (default: three per CPU)");

static bool takeover;
module_param(takeover, bool, 0444);
MODULE_PARM_DESC(takeover, "fence a live client of the same name");

static unsigned int connect_timeout = 20;
module_param(connect_timeout, uint, 0444);
MODULE_PARM_DESC(connect_timeout, "seconds after which connecting fails, 1 to 300");

static unsigned int reconnect_delay = FARMEM_RECONNECT_DELAY_DEFAULT;
module_param(reconnect_delay, uint, 0444);
MODULE_PARM_DESC(reconnect_delay, "seconds between the first two attempts to reconnect, then twice as long each time; 0: never reconnect");

static unsigned int reconnect_max = FARMEM_RECONNECT_MAX_DEFAULT;
module_param(reconnect_max, uint, 0444);
MODULE_PARM_DESC(reconnect_max, "most seconds between two attempts");

static unsigned int heartbeat = FARMEM_HEARTBEAT_DEFAULT;
module_param(heartbeat, uint, 0444);
MODULE_PARM_DESC(heartbeat, "seconds between two heartbeats; 0: none");

static char *peer_timeout = "7";
module_param(peer_timeout, charp, 0444);
MODULE_PARM_DESC(peer_timeout, "seconds without an acknowledgment after which the server is gone");

static char *io_deadline = "30";
module_param(io_deadline, charp, 0444);
MODULE_PARM_DESC(io_deadline, "most seconds that I/O waits for a lost server; 0: not at all, -1: for ever");

static bool sync;
module_param(sync, bool, 0444);
MODULE_PARM_DESC(sync, "make the volume synchronous: lower latency (Linux 6.11 and newer)");

static char *checksum = "none";
module_param(checksum, charp, 0444);
MODULE_PARM_DESC(checksum, "crc32c: check that each page reads as it was written; none");

static bool frontswap;
module_param(frontswap, bool, 0444);
MODULE_PARM_DESC(frontswap, "hook into frontswap (Linux 5.10; the module then stays loaded)");

module_param_named(poll_budget_us, farmem_poll_budget_us, uint, 0644);
MODULE_PARM_DESC(poll_budget_us, "microseconds to poll for a read before the process that waits for it sleeps");

static struct farmem_session *boot_session;
static struct farmem_volume *boot_volume;
static bool shown;

static int main_check_parameters(u64 *bytes)
{
	if (frontswap && !farmem_frontswap_available) {
		pr_err("frontswap=1: only Linux 5.10 offers frontswap to modules; leave it 0 and use swapon on the disk\n");
		return -EOPNOTSUPP;
	}
	if (!*server && *size) {
		pr_err("size= needs server=ADDR:PORT (or server=local)\n");
		return -EINVAL;
	}
	if (!*server)
		return 0;
	if (farmem_text_parse_size(size, bytes)) {
		pr_err("size=%s is not a size; write for example size=4G\n", size);
		return -EINVAL;
	}
	if (!farmem_text_name_valid(name) || strlen(name) >= FARMEM_VOLUME_NAME_LEN) {
		pr_err("name=%*pE: give 1 to %d visible ASCII characters without a slash, not starting with a dot\n",
		       (int)strlen(name), name, FARMEM_VOLUME_NAME_LEN - 1);
		return -EINVAL;
	}
	if (!farmem_key_ref_valid(key)) {
		pr_err("key=: give the path of a key file, or keyring:DESCRIPTION\n");
		return -EINVAL;
	}
	if (connect_timeout < 1 || connect_timeout > 300) {
		pr_err("connect_timeout=%u: give 1 to 300 seconds\n",
		       connect_timeout);
		return -EINVAL;
	}
	if (queues > FARMEM_QUEUES_MAX) {
		pr_err("queues=%u: give at most %d\n", queues,
		       FARMEM_QUEUES_MAX);
		return -EINVAL;
	}
	if (reconnect_delay > FARMEM_RECONNECT_MOST || !reconnect_max ||
	    reconnect_max > FARMEM_RECONNECT_MOST) {
		pr_err("reconnect_delay=%u reconnect_max=%u: give at most %d seconds, and not 0 for reconnect_max\n",
		       reconnect_delay, reconnect_max, FARMEM_RECONNECT_MOST);
		return -EINVAL;
	}
	if (heartbeat > FARMEM_HEARTBEAT_MAX) {
		pr_err("heartbeat=%u: give at most %d seconds\n", heartbeat,
		       FARMEM_HEARTBEAT_MAX);
		return -EINVAL;
	}
	return 0;
}

static int main_copy_parameter(char *to, size_t room, const char *from,
			       const char *what)
{
	if (from != key && !farmem_text_valid(from)) {
		pr_err("%s=: give visible ASCII without blanks\n", what);
		return -EINVAL;
	}
	if (strscpy(to, from, room) >= 0)
		return 0;
	pr_err("%s= is longer than %zu characters\n", what, room - 1);
	return -EINVAL;
}

static int main_configure(u64 bytes)
{
	struct farmem_session *s = boot_session;
	struct farmem_volume *v = boot_volume;
	int err;

	err = main_copy_parameter(s->config.server, sizeof(s->config.server), server, "server");
	if (!err)
		err = main_copy_parameter(s->config.source, sizeof(s->config.source), source,
				     "source");
	if (!err)
		err = main_copy_parameter(s->config.client, sizeof(s->config.client), client,
				     "client");
	if (!err)
		err = main_copy_parameter(s->config.key, sizeof(s->config.key), key, "key");
	if (err)
		return err;
	s->config.queues_max = queues;
	s->config.takeover = takeover;
	s->config.connect_timeout = connect_timeout;
	s->config.reconnect_delay = reconnect_delay;
	s->config.reconnect_max = reconnect_max;
	s->config.heartbeat = heartbeat;
	if (farmem_retry_parse_timeout(peer_timeout, &s->config.peer_timeout)) {
		pr_err("peer_timeout=%s: give 0.25 to 60 seconds, such as 7 or 0.5\n", peer_timeout);
		return -EINVAL;
	}

	if (*uuid && uuid_parse(uuid, &v->memory.uuid)) {
		pr_err("uuid=%s is not a UUID\n", uuid);
		return -EINVAL;
	}
	if (farmem_text_parse_checksum(checksum, &v->memory.want_checksums)) {
		pr_err("checksum=%s: give crc32c or none\n", checksum);
		return -EINVAL;
	}
	strscpy(v->session_name, s->name, sizeof(v->session_name));
	v->memory.wanted_size = bytes;
	v->want_sync = sync;
	if (farmem_verdict_parse_deadline(io_deadline, &v->memory.policy.io_deadline)) {
		pr_err("io_deadline=%s: give 0 to 86400 seconds, such as 30 or 0.5, or -1\n",
		       io_deadline);
		return -EINVAL;
	}
	return 0;
}

static void main_free_boot_objects(void)
{
	if (!IS_ERR_OR_NULL(boot_volume)) {
		farmem_volume_power_off(boot_volume, false);
		farmem_volume_free(boot_volume);
	}
	if (!IS_ERR_OR_NULL(boot_session)) {
		farmem_session_power_off(boot_session);
		farmem_session_delist(boot_session);
		farmem_session_put(boot_session);
	}
}

static int main_make_boot_objects(u64 bytes)
{
	int err;

	boot_session = farmem_session_create(name);
	boot_volume = farmem_volume_create(name, &farmem_block_ops);
	err = PTR_ERR_OR_ZERO(boot_session) ?: PTR_ERR_OR_ZERO(boot_volume);
	if (!err)
		err = main_configure(bytes);
	if (!err)
		err = farmem_session_power_on(boot_session);
	/* Last: once the disk is there somebody may open it. */
	if (!err)
		err = farmem_volume_power_on(boot_volume);
	if (err)
		main_free_boot_objects();
	return err;
}

/*
 * After all that may fail: a load that fails frees the module, though a process has made a
 * directory here or has a file open.  The disk may be open by now, and works.
 */
static int main_show_objects(void)
{
	int err;

	err = farmem_configfs_init(boot_session, boot_volume);
	shown = !err;
	if (!err || !*server)
		return err;
	pr_err("no memory for /sys/kernel/config/farmem (%d): the volume of the parameters works until rmmod, but cannot be changed; to change it, free some memory and load the module again\n",
	       err);
	return 0;
}

static int __init farmem_init(void)
{
	u64 bytes;
	int err;

	err = main_check_parameters(&bytes);
	if (err)
		return err;
	farmem_latency_init();
	err = farmem_request_init();
	if (err)
		return err;
	err = farmem_wq_init();
	if (err)
		goto exit_request;
	err = farmem_announce_start();
	if (err)
		goto exit_wq;
	err = farmem_hibernate_init();
	if (err)
		goto exit_announce;
	err = farmem_device_init();
	if (err)
		goto exit_hibernate;
	if (*server)
		err = main_make_boot_objects(bytes);
	if (err)
		goto exit_device;
	err = main_show_objects();
	if (err)
		goto exit_device;
	farmem_fault_init();
	if (frontswap)
		farmem_frontswap_init();
	return 0;

exit_device:
	farmem_device_exit();
exit_hibernate:
	farmem_hibernate_exit();
exit_announce:
	farmem_announce_end();
exit_wq:
	farmem_wq_exit();
exit_request:
	farmem_request_exit();
	return err;
}

static void __exit farmem_exit(void)
{
	farmem_fault_exit();
	if (shown)
		farmem_configfs_exit();
	if (*server)
		main_free_boot_objects();
	/* A task preempted on its way out of unplug() (batch.c). */
	synchronize_rcu_tasks();
	farmem_device_exit();
	farmem_hibernate_exit();
	farmem_announce_end();
	farmem_wq_exit();
	farmem_request_exit();
}

module_init(farmem_init);
module_exit(farmem_exit);

MODULE_DESCRIPTION("Far memory: swap and block device in another machine's memory, by one-sided RDMA");
MODULE_AUTHOR("The farmem developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(FARMEM_RELEASE);
/* For tools that build an initramfs: nothing else names what proofs of a key need. */
MODULE_SOFTDEP("pre: hmac sha256");
