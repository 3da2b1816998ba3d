/* SPDX-License-Identifier: GPL-2.0 */
/* cpu.h - what the test has of CPUs that come and go */
