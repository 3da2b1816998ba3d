/* SPDX-License-Identifier: GPL-2.0 */
/* random.h - the test says what is drawn */
