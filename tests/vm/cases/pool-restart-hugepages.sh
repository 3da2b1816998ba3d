# SPDX-License-Identifier: GPL-2.0
# TEST: a pool on hugetlbfs outlives farmemd as one on tmpfs does: every byte is there, and its pages are huge
# LONG: yes
# MEMORY: 2G
. "$FARMEM_TESTS/vm/cases.sh"

huge=/tmp/huge

mkdir -p $huge
echo 64 >/proc/sys/vm/nr_hugepages
expect_at_least 40 "$(</proc/sys/vm/nr_hugepages)" "huge pages that the kernel could give"
mount -t hugetlbfs -o pagesize=2M none $huge
serve --pool $huge/pool
load_volume 32M io_deadline=-1
put_data
expect_at_least 32 "$(($(</sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages) -
	$(</sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages)))" "huge pages in use"
replace_farmemd --pool $huge/pool
check_data
swap_on
swapoff /dev/farmem0
expect_idle
unload
stop_farmemd
rm $huge/pool
umount $huge
echo 0 >/proc/sys/vm/nr_hugepages
