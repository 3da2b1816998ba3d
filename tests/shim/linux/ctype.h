/* SPDX-License-Identifier: GPL-2.0 */
/* ctype.h - as the C library has it */
#include <ctype.h>
