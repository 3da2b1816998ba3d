/* SPDX-License-Identifier: GPL-2.0 */
/* module.h - the module is the test */
