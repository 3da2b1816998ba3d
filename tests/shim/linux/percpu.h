/* SPDX-License-Identifier: GPL-2.0 */
/* percpu.h - of one CPU */
#ifndef SHIM_PERCPU_H
#define SHIM_PERCPU_H

#include <linux/types.h>

#define per_cpu_ptr(pointer, cpu) ((void)(cpu), (pointer))
#define this_cpu_inc(variable) ((void)(variable)++)
#define this_cpu_add(variable, n) ((void)((variable) += (n)))
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)

#endif /* SHIM_PERCPU_H */
