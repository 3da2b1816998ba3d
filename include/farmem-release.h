/* SPDX-License-Identifier: GPL-2.0 */
/* farmem-release.h - the release that this source is of: module, server and tools. */
#ifndef FARMEM_RELEASE_H
#define FARMEM_RELEASE_H

#define FARMEM_RELEASE	"0.2.0"

#endif /* FARMEM_RELEASE_H */
