# SPDX-License-Identifier: GPL-2.0
# TEST: a discard or a write to zeros that failed may have got there all the same: what is read afterwards is read after a reload as well
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve --listen "$FARMEM_SERVER:7472"
load_volume 32M io_deadline=0
farmem-pages /dev/farmem0 write=0,16,1
blkdiscard -f -o 32k -l 16k /dev/farmem0
# What fails has been done; the session goes down with it.
set_fault fail_completion 1
! blkdiscard -f -o 16k -l 4k /dev/farmem0 || die "the discard succeeded"
set_fault fail_completion 0
wait_for 60 live
set_fault fail_completion 1
! farmem-pages /dev/farmem0 write=8,1,2 || die "the write succeeded"
set_fault fail_completion 0
wait_for 60 live
farmem-pages /dev/farmem0 check=0,8,1 zeros=8,4 check=12,4,1
# Its client ends without a word: nothing can be put right then.
uuid=$(value volumes/default uuid)
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=compute takeover=1
make_volume its session=second size=32M "uuid=$uuid"
power_on sessions/second
power_on volumes/its
farmem-pages "/dev/$(value volumes/its device)" check=0,8,1 zeros=8,4 check=12,4,1
power_off volumes/its
power_off sessions/second
rmdir "$CONFIG/volumes/its" "$CONFIG/sessions/second"
unload
