# SPDX-License-Identifier: GPL-2.0
# TEST: a task that hibernates opens no volume, so that no image goes there; others open it as ever
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# opens - this very task, without a program of its own.
opens() {
	{ exec 8</dev/farmem0; } 2>/dev/null && exec 8<&-
}

[[ -e /dev/snapshot ]] || skip "this kernel cannot be told to hibernate by a program"
serve
load_volume 32M
put_data
swap_on
opens || die "the disk cannot be opened at all"
mark_dmesg

# As s2disk(8) does, and /sys/power/state: a program that opens this tells all modules of the
# hibernation to come, but freezes nobody yet.
exec 7</dev/snapshot
! opens || die "an image could be written to a volume"
expect_log 'volume default: hibernation to a volume is refused: its image could not be read again'
zeros /dev/farmem0 1 || die "another program cannot open the disk meanwhile"
exec 7<&-
opens || die "the disk cannot be opened after the hibernation"

# To freeze all, for a hibernation to elsewhere, is not refused.
echo freezer >/sys/power/pm_test
within 60 sh -c 'echo disk >/sys/power/state' || die "hibernation is refused"
echo none >/sys/power/pm_test
swapoff /dev/farmem0
unload
