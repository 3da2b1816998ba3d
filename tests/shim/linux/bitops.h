/* SPDX-License-Identifier: GPL-2.0 */
/* bitops.h - the last bit that is set, alone */
#ifndef SHIM_BITOPS_H
#define SHIM_BITOPS_H

#define __fls(n) (63ul - __builtin_clzl(n))

#endif /* SHIM_BITOPS_H */
