# SPDX-License-Identifier: GPL-2.0
# TEST: a discard that failed may have got there all the same: what is written there next survives a reload
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M io_deadline=0
farmem-pages /dev/farmem0 write=0,16,1
set_fault fail_completion 1
! blkdiscard -f -o 16k -l 4k /dev/farmem0 || die "the discard succeeded"
set_fault fail_completion 0
wait_for 60 live
farmem-pages /dev/farmem0 write=4,1,2
reload 32M
farmem-pages /dev/farmem0 check=4,1,2 check=5,1,1
unload
