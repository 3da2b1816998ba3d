/* SPDX-License-Identifier: GPL-2.0 */
/* kernel.h - byte order and snprintf, as the kernel's header brings them along */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#include <endian.h>
#include <linux/types.h>
#include <stdio.h>

#define le16_to_cpu(x) le16toh(x)
#define le32_to_cpu(x) le32toh(x)
#define le64_to_cpu(x) le64toh(x)
#define cpu_to_le16(x) ((__le16)htole16(x))
#define cpu_to_le32(x) ((__le32)htole32(x))

#endif /* SHIM_KERNEL_H */
