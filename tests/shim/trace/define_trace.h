/* SPDX-License-Identifier: GPL-2.0 */
/* define_trace.h - nothing is traced */
