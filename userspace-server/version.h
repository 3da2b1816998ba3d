/* SPDX-License-Identifier: GPL-2.0 */
/* version.h - the release that this source is of */
#ifndef VERSION_H
#define VERSION_H

#define FARMEMD_VERSION	"0.1.0"

#endif /* VERSION_H */
