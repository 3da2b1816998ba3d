/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flush.h - whether what a program printed has arrived, asked once, at its end.
 */
#ifndef FARMEM_FLUSH_H
#define FARMEM_FLUSH_H

int flush_output(int status);

#endif
