# SPDX-License-Identifier: GPL-2.0
# TEST: rmmod is refused while the disk is swap, and works after swapoff
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
mkswap /dev/farmem0 >/dev/null
swapon /dev/farmem0
expect_text 'is in use' "$(expect_fail rmmod farmem 2>&1)" "what rmmod says"
expect_text farmem0 "$(</proc/swaps)" "swap areas"
swapoff /dev/farmem0
unload
