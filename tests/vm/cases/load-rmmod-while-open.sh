# SPDX-License-Identifier: GPL-2.0
# TEST: rmmod is refused by the use count while the disk is open, and works after
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
exec 3</dev/farmem0
expect_text 'is in use' "$(expect_fail rmmod farmem 2>&1)" "what rmmod says"
expect_equal live "$(counter state)" "state after the refusal"
put_data
check_data
exec 3<&-
unload
