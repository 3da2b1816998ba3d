/* SPDX-License-Identifier: GPL-2.0 */
/* kobject.h - events for user space, which nobody hears */
#ifndef SHIM_KOBJECT_H
#define SHIM_KOBJECT_H

#define kobject_uevent_env(kobj, action, env) ((void)(env))

#endif /* SHIM_KOBJECT_H */
