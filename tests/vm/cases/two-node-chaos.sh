# SPDX-License-Identifier: GPL-2.0
# TEST: faults at random under verifiers and swap, two minutes or $FARMEM_CHAOS_MINUTES of them: no byte is wrong, and all of it ends
# LONG: yes
# NODES: 2
# TIMEOUT: 1200
#
# A long one, with another seed:  make chaos MINUTES=60 SEED=7 KERNEL=6.12
export CHAOS_MINUTES=${FARMEM_CHAOS_MINUTES:-2} CHAOS_SEED=1
. "$FARMEM_TESTS/chaos/guest.sh"
