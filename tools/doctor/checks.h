/* SPDX-License-Identifier: GPL-2.0 */
/*
 * checks.h - the checks, which doctor.c has in a table.
 */
#ifndef FARMEMCTL_CHECKS_H
#define FARMEMCTL_CHECKS_H

struct doctor;

/* doctor-kernel.c */
void check_kernel_version(struct doctor *doctor);
void check_swap_path(struct doctor *doctor);

/* doctor-module.c */
void check_module_built(struct doctor *doctor);
void check_module_headers(struct doctor *doctor);
void check_module_signing(struct doctor *doctor);
void check_module_loaded(struct doctor *doctor);

/* doctor-rxe.c */
void doctor_offer_device(struct doctor *doctor);

/* doctor-rdma.c, doctor-port.c */
void check_rdma_modules(struct doctor *doctor);
void check_rdma_files(struct doctor *doctor);
void check_rdma_devices(struct doctor *doctor);
void check_rdma_libraries(struct doctor *doctor);
void check_rdma_ports(struct doctor *doctor);
void check_rdma_mtu(struct doctor *doctor);
void check_rdma_gids(struct doctor *doctor);

/* doctor-config.c */
void check_config(struct doctor *doctor);

/* doctor-limits.c */
void check_limits_shell(struct doctor *doctor);
void check_limits_service(struct doctor *doctor);
void check_hugepages(struct doctor *doctor);
void check_farmemd(struct doctor *doctor);

/* doctor-firewall.c */
void check_firewall_roce(struct doctor *doctor);
void check_firewall_port(struct doctor *doctor);

/* doctor-swap.c */
void check_page_cluster(struct doctor *doctor);
void check_zswap(struct doctor *doctor);
void check_swap_priority(struct doctor *doctor);
void check_swap_loop(struct doctor *doctor);

/* doctor-fabric.c */
void check_server_step(struct doctor *doctor);

#endif
