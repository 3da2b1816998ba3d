# SPDX-License-Identifier: GPL-2.0
# TEST: memory of this machine (server=local) that went with its session is refused, not read as zeros
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

load
make_session here server=local
power_on sessions/here
make_volume v session=here size=16M
power_on volumes/v
farmem-pages "/dev/$(value volumes/v device)" write=0,64,1
power_off volumes/v
power_on volumes/v
farmem-pages "/dev/$(value volumes/v device)" check=0,64,1
power_off volumes/v
power_off sessions/here
power_on sessions/here
expect_refusal "no longer has this volume's data" volumes/v
all_off
