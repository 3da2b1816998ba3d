#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# profile-guest.sh CONTENDER WORK - the guest's half of profile: brings the
# contender up and does the work again and again, until the guest is stopped.

shopt -s inherit_errexit
here=$FARMEM_TESTS/bench
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"

CONTENDER=$1 WORK=$2
FAST=$(sed -n 's/^# FAST: *//p' "$here/contenders/$1.sh")
folio_size 0
# shellcheck source=/dev/null
. "$here/contenders/$1.sh"
# shellcheck source=/dev/null
. "$here/works/$2.sh"
DISK=$(start)
[[ -n $DISK ]] || die "$1 has no disk to do a work on"
prefill "$DISK"
cp /proc/kallsyms "$RESULTS/kallsyms"
while :; do
	work "$DISK"
done
