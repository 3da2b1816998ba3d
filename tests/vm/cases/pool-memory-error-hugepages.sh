# SPDX-License-Identifier: GPL-2.0
# TEST: a memory error in a pool of huge pages costs the one that has it, and its volume goes on with the rest
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

huge=/tmp/huge

told() { [[ $(dmesg_since) == *"volume default: 512 pages are lost after an uncorrectable memory error"* ]]; }

mkdir -p $huge
echo 64 >/proc/sys/vm/nr_hugepages
expect_at_least 40 "$(</proc/sys/vm/nr_hugepages)" "huge pages that the kernel could give"
mount -t hugetlbfs -o pagesize=2M none $huge
serve --slab-size 4M --pool $huge/pool
load_volume 32M io_deadline=-1
farmem-pages /dev/farmem0 write=0,8192,1
# The second huge page of the second slab.
farmem-poison $huge/pool $((6 << 20))
mark_dmesg
farmemctl server disconnect --client "$(value sessions/default client)"
wait_for 60 told
wait_for 60 live
farmem-pages /dev/farmem0 check=0,1536,1 lost=1536,512 check=2048,6144,1
farmem-pages /dev/farmem0 write=1536,512,2

stop_farmemd KILL
if [[ $FARMEM_KERNEL == 5.10 ]]; then
	# The kernel has taken the page out of the file, and tells nobody which. It was of a slab
	# that does not count any more; when one of those that do goes as well, farmemd is refused.
	# It must not fill the gap: the next one would find no fault.
	serve --slab-size 4M --pool $huge/pool
	wait_for 60 live
	stop_farmemd KILL
	fallocate --punch-hole --offset 0 --length 2M $huge/pool
	for again in first second; do
		! timeout 30 farmemd --insecure --size 64M --listen "$SERVER" --slab-size 4M \
			--pool $huge/pool >/tmp/refused 2>&1 || die "farmemd has started"
		expect_text "farmemd cannot tell whose it was" "$(</tmp/refused)" "the $again farmemd's output"
	done
else
	serve --slab-size 4M --pool $huge/pool
	wait_for 60 live
	farmem-pages /dev/farmem0 check=0,1536,1 check=1536,512,2 check=2048,6144,1
	stop_farmemd
fi
within 60 rmmod farmem
rm $huge/pool
umount $huge
echo 0 >/proc/sys/vm/nr_hugepages
