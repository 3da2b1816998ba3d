/* SPDX-License-Identifier: GPL-2.0 */
/* ib_verbs.h - in place of the kernel's: the numbers of completions are the same in user space */
#ifndef SHIM_IB_VERBS_H
#define SHIM_IB_VERBS_H

#include <infiniband/verbs.h>

#define IB_WC_LOC_LEN_ERR	IBV_WC_LOC_LEN_ERR
#define IB_WC_LOC_QP_OP_ERR	IBV_WC_LOC_QP_OP_ERR
#define IB_WC_BAD_RESP_ERR	IBV_WC_BAD_RESP_ERR
#define IB_WC_REM_INV_REQ_ERR	IBV_WC_REM_INV_REQ_ERR
#define IB_WC_REM_OP_ERR	IBV_WC_REM_OP_ERR
#define IB_WC_RETRY_EXC_ERR	IBV_WC_RETRY_EXC_ERR
#define IB_WC_RNR_RETRY_EXC_ERR	IBV_WC_RNR_RETRY_EXC_ERR
#define IB_WC_REM_ABORT_ERR	IBV_WC_REM_ABORT_ERR

#endif
