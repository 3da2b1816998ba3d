/* SPDX-License-Identifier: GPL-2.0 */
/* loss.h - what is lost when servers of a simulated cluster die at once */
#ifndef SIM_LOSS_H
#define SIM_LOSS_H

#include "world.h"

struct loss;

/* Of the chunks as they lie now. */
struct loss *loss_new(const struct world *world);
void loss_free(struct loss *loss);

/* Chunks without a copy when so many random servers, or all of so many random racks, die. */
size_t loss_of_servers(struct loss *loss, unsigned int servers, uint64_t *random);
size_t loss_of_racks(struct loss *loss, unsigned int racks, uint64_t *random);

/* The scatter width: with how many others a server shares a chunk; the mean of all servers. */
double loss_width(const struct loss *loss);

#endif /* SIM_LOSS_H */
