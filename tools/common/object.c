// SPDX-License-Identifier: GPL-2.0
#include "object.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "explain.h"
#include "farmem-proto.h"
#include "progress.h"
#include "size.h"
#include "table.h"

/* "sessions" -> "session": the object's word on the command line. */
static const char *kind_word(const char *kind)
{
	return strcmp(kind, SESSIONS) ? "volume" : "session";
}

/** module_is_coming() - does insmod or modprobe still wait?  configfs gets its directories last */
bool module_is_coming(void)
{
	CLEANUP_FREE char *state = attr_read("%s/module/farmem/initstate", sysfs_root());

	return state && !strcmp(state, "coming");
}

/** module_is_loaded() - is it there, whether configfs is or not? */
bool module_is_loaded(void)
{
	return !file_missing("%s/module/farmem", sysfs_root()) || !access(configfs_root(), F_OK);
}

/** module_check() - can the module be configured?  RC_OK, or RC_FAILURE after saying what to do */
int module_check(void)
{
	CLEANUP_FREE char *module = text_format("%s/module/farmem", sysfs_root());

	if (!access(configfs_root(), X_OK))
		return RC_OK;
	if (errno == EACCES) {
		fail("%s: permission denied", configfs_root());
		return next_step("run farmemctl as root");
	}
	if (access(module, F_OK)) {
		fail("the farmem module is not loaded");
		return next_step("modprobe farmem    (from a build tree: modprobe rdma_cm; insmod build/$(uname -r)/farmem.ko)");
	}
	if (module_is_coming()) {
		fail("the farmem module is being loaded: modprobe waits for its server");
		return next_step("dmesg | tail    (after modprobe has failed; Ctrl-C ends modprobe)");
	}
	fail("the farmem module is loaded, but %s is not there: configfs is not mounted",
	     configfs_root());
	return next_step("mount -t configfs none /sys/kernel/config");
}

/** name_check() - refuse a name that can't be a directory of configfs: RC_OK or RC_USAGE */
int name_check(const char *command, const char *kind, const char *name)
{
	size_t max = strcmp(kind, VOLUMES) ? FARMEM_NAME_LEN : FARMEM_VOLUME_NAME_LEN;

	if (!text_visible(name))
		return misuse(command, "that is not a name for a %s: give visible ASCII characters without blanks",
			      kind_word(kind));
	if (!*name || *name == '.' || strchr(name, '/'))
		return misuse(command, "\"%s\" is not a name for a %s: a name must not be empty, start with a dot or hold a slash",
			      name, kind_word(kind));
	if (strlen(name) >= max)
		return misuse(command, "\"%s\" is too long for a %s: at most %zu bytes",
			      name, kind_word(kind), max - 1);
	return RC_OK;
}

/** object_path() - the directory of an object, to free */
char *object_path(const char *kind, const char *name)
{
	return text_format("%s/%s/%s", configfs_root(), kind, name);
}

/** object_states() - every state that an object of a kind may have, then NULL */
const char *const *object_states(const char *kind)
{
	static const char *const volume[] = {
		"off", "live", "recovering", "failed", "lost", NULL
	};
	static const char *const session[] = {
		"down", "connecting", "live", "recovering", "failed", "closing", NULL
	};

	return strcmp(kind, VOLUMES) ? session : volume;
}

/** object_exists() - does configfs have it? */
bool object_exists(const char *kind, const char *name)
{
	CLEANUP_FREE char *path = object_path(kind, name);

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	return *name && !strchr(name, '/') && !access(path, F_OK);
}

/**
 * volume_named() - the name, to free, of the volume that the user means
 * @given: its name, or the device that volumes are shown with: farmem0, /dev/farmem0, or a
 *	link to that; returned as it is if there is no such device
 */
char *volume_named(const char *given)
{
	CLEANUP_FREE char *path = *given == '/' ? realpath(given, NULL) : NULL;
	const char *base = strrchr(path ? path : given, '/');
	char *volume = NULL;

	/* The disk's own file: those in configfs wait while some volume is switched on or off. */
	if (!object_exists(VOLUMES, given))
		volume = disk_attr(base ? base + 1 : given, "farmem/volume");
	return volume ? volume : text_copy(given);
}

/**
 * volume_wanted() - what the command line names, to free, or the only volume if it names none
 *
 * Return: NULL after saying that there is none, or which there are.
 */
char *volume_wanted(const struct cli_args *args)
{
	CLEANUP_FREE char *only = NULL;
	CLEANUP_FREE char *all = NULL;
	size_t count = 0;

	if (args->name)
		return text_copy(args->name);
	EACH_NAME(volume, object_names(VOLUMES)) {
		CLEANUP_FREE char *name = text_clean(text_copy(*volume.at));

		text_add(&all, ", ", name);
		if (!count++)
			only = text_copy(*volume.at);
	}
	if (count == 1)
		return text_copy(only);
	misuse(args->title, "NAME is missing%s%s", all ? "; give one of " : "", all ? all : "");
	return NULL;
}

/** object_powered() - is it switched on? */
bool object_powered(const char *kind, const char *name)
{
	CLEANUP_FREE char *power = object_get(kind, name, "power");

	return power && !strcmp(power, "1");
}

/** object_require() - RC_OK, or RC_FAILURE after saying that the object does not exist */
int object_require(const char *kind, const char *name)
{
	if (object_exists(kind, name))
		return RC_OK;
	fail("there is no %s \"%s\"", kind_word(kind), name);
	return next_step("farmemctl %s list", kind_word(kind));
}

/** object_names() - all objects of a kind, as name_list() */
char **object_names(const char *kind)
{
	return name_list("%s/%s", configfs_root(), kind);
}

/** object_get() - the value of an attribute, to free, or NULL */
char *object_get(const char *kind, const char *name, const char *attr)
{
	return attr_read("%s/%s/%s/%s", configfs_root(), kind, name, attr);
}

static void explain(int error, const char *kind, const char *name)
{
	switch (error) {
	case EACCES:
	case EPERM:
		next_step("run farmemctl as root");
		break;
	case EBUSY:
		next_step("farmemctl %s delete %s%s    (attributes change only while it is off)",
			  kind_word(kind), name, strcmp(kind, VOLUMES) ? "" : " --keep");
		break;
	case EINVAL:
	case ERANGE:
		next_step("man 4 farmem    (lists the values that are allowed)");
		break;
	case ENOENT:
		next_step("modinfo farmem; farmemctl --version    (both must be of one release)");
		break;
	default:
		next_step("dmesg | grep farmem");
	}
}

/** object_set() - set an attribute: RC_OK, or RC_FAILURE after saying what the kernel refused */
int object_set(const char *kind, const char *name, const char *attr, const char *value)
{
	CLEANUP_FREE char *path = text_format("%s/%s/%s/%s", configfs_root(), kind, name, attr);
	int rc = attr_write(path, value);

	if (!rc)
		return RC_OK;
	/* Another process may have removed it meanwhile. */
	if (rc == -ENOENT && object_require(kind, name))
		return RC_FAILURE;
	fail("%s %s: the kernel refused %s=%s: %s", kind_word(kind), name, attr,
	     value, strerror(-rc));
	explain(-rc, kind, name);
	return RC_FAILURE;
}

/** object_complaint() - the module's last error, with options for parameters, to free, or NULL */
char *object_complaint(const char *kind, const char *name)
{
	CLEANUP_FREE char *reason = object_get(kind, name, "reason");

	return reason && *reason ? cli_words(reason) : NULL;
}

/** object_reason() - the same; NULL of a live object, which keeps the reason of an old failure */
char *object_reason(const char *kind, const char *name)
{
	CLEANUP_FREE char *state = object_get(kind, name, "state");

	return state && !strcmp(state, "live") ? NULL : object_complaint(kind, name);
}

/** object_advise() - say what to check, if a reason, or NULL, names a code of explain.h */
void object_advise(const char *reason)
{
	const struct explain *entry = reason ? explain_said(reason) : NULL;

	if (entry && !explain_is_well(entry))
		next_step("check %s", entry->check);
}

/** object_list() - print all objects of a kind; @next: the command that makes one */
int object_list(const struct cli_args *args, const char *kind, const char *next)
{
	CLEANUP_FREE char *none = text_format("there are no %s", kind);
	size_t count = 0;
	char **names;
	int rc;

	if (module_check())
		return RC_FAILURE;
	names = object_names(kind);
	while (names && names[count])
		count++;
	rc = table_print(args, (const void *const *)names, count);
	if (!count && table_empty(args, none))
		next_step("%s", next);
	name_list_free(names);
	return rc;
}

/** object_show() - print all about an object, and what to check */
int object_show(const struct cli_args *args, const char *kind, const char *name)
{
	CLEANUP_FREE char *reason = NULL;
	const void *row = name;
	int rc;

	if (object_require(kind, name))
		return RC_FAILURE;
	rc = table_print(args, &row, 1);
	if (rc || args->value[OPT_JSON] || args->value[OPT_NOHEADINGS])
		return rc;
	reason = object_reason(kind, name);
	object_advise(reason);
	return RC_OK;
}

/**
 * object_progress() - show what a switch of an object waits for, until progress_end()
 * @doing: "on", "off" or "release"
 */
void object_progress(const char *kind, const char *name, const char *doing)
{
	bool session = !strcmp(kind, SESSIONS);
	CLEANUP_FREE char *own = !progress_wanted() ? NULL : session ? text_copy(name) : object_get(kind, name, "session");
	CLEANUP_FREE char *server = object_get(SESSIONS, own ? own : "", "server");
	CLEANUP_FREE char *limit = object_get(SESSIONS, own ? own : "", "connect_timeout");
	CLEANUP_FREE char *bytes = session ? NULL : object_get(kind, name, "size");
	CLEANUP_FREE char *size = size_format(bytes ? strtoull(bytes, NULL, 10) : 0);

	if (!server || !limit)
		return;
	if (session)
		progress_begin("%s %s, %s s at most", strcmp(doing, "on") ? "disconnecting from" :
			       "connecting to", server, limit);
	else if (!strcmp(doing, "on"))
		progress_begin("%s reserves %s for volume %s, silent for %s s at most", server,
			       size, name, limit);
	else if (!strcmp(doing, "off"))
		progress_begin("volume %s ends its I/O and closes, %s s at most for each", name, limit);
	else
		progress_begin("%s takes back the %s of volume %s, silent for %s s at most",
			       server, size, name, limit);
}

/**
 * object_power() - switch an object on or off
 *
 * The kernel bounds the time that this takes (connect_timeout).  When a server says that it
 * still works on the request, only a signal ends it.
 * Return: RC_OK, or RC_FAILURE after giving the kernel's reason.
 */
int object_power(const char *kind, const char *name, bool on)
{
	CLEANUP_FREE char *path = text_format("%s/%s/%s/power", configfs_root(), kind, name);
	CLEANUP_FREE char *reason = NULL;
	int rc;

	object_progress(kind, name, on ? "on" : "off");
	rc = attr_write(path, on ? "1" : "0");
	progress_end();
	if (!rc)
		return RC_OK;
	/* Only a start leaves a reason: an old one would explain a stop wrongly. */
	if (on)
		reason = object_complaint(kind, name);
	fail("%s %s could not be powered %s: %s", kind_word(kind), name,
	     on ? "on" : "off", reason ? reason : strerror(-rc));
	if (rc == -EACCES || rc == -EPERM)
		return next_step("run farmemctl as root");
	object_advise(reason);
	return next_step("dmesg | grep farmem");
}

/** object_make() - make an object, switched off: RC_OK, or RC_FAILURE after saying what to do */
int object_make(const char *kind, const char *name)
{
	CLEANUP_FREE char *path = object_path(kind, name);

	if (!mkdir(path, 0755))
		return RC_OK;
	fail("%s %s can't be made: %s", kind_word(kind), name, strerror(errno));
	if (errno == EEXIST)
		return next_step("farmemctl %s show %s", kind_word(kind), name);
	if (errno == EACCES || errno == EPERM)
		return next_step("run farmemctl as root");
	return next_step("dmesg | grep farmem");
}

/**
 * object_remove() - remove an object that is switched off
 *
 * Silent: one that module parameters made stays, and only the caller knows if that matters.
 * Return: 0 or a negative errno.
 */
int object_remove(const char *kind, const char *name)
{
	CLEANUP_FREE char *path = object_path(kind, name);

	return rmdir(path) ? -errno : 0;
}
