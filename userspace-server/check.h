/* SPDX-License-Identifier: GPL-2.0 */
/* check.h - is this machine ready for this configuration? */
#ifndef CHECK_H
#define CHECK_H

struct options;

/**
 * check_print() - verify everything, print a list, change nothing
 *
 * Return: 0 if farmemd would start, else 1.
 */
int check_print(const struct options *opt);

/**
 * check_start() - verify what would otherwise fail late or obscurely
 *
 * Failures and warnings are logged.
 * Return: 0 or -1.
 */
int check_start(const struct options *opt);

#endif /* CHECK_H */
