/* SPDX-License-Identifier: GPL-2.0 */
/* check.h - is this machine ready for this configuration? */
#ifndef CHECK_H
#define CHECK_H

struct options;

/**
 * check_print() - verify everything, print a list, change nothing
 * @opt: verified by options_verify()
 *
 * Return: 0 if farmemd would start, else 1.
 */
int check_print(const struct options *opt);

/**
 * check_start() - verify what would otherwise fail late or obscurely
 * @opt: verified by options_verify()
 *
 * Failures and warnings are logged.
 * Return: 0, -EINVAL if it fails at each start, or -EAGAIN.
 */
int check_start(const struct options *opt);

/**
 * check_exit_status() - of a farmemd that cannot start: does it help to start again?
 * @error: -EINVAL of options that this machine or the pool's file does not fit,
 *	-EPROTONOSUPPORT of an address of an iWARP adapter, or another one
 */
int check_exit_status(int error);

#endif /* CHECK_H */
