# SPDX-License-Identifier: GPL-2.0
# TEST: the test bed offers all that other cases lean on, in one guest
# SHORT: yes
set -euo pipefail
. "$FARMEM_TESTS/vm/lib.sh"

for program in fio ib_read_bw rping nvme mdadm cryptsetup mkfs.ext4 mkswap tc rdma; do
	command -v "$program" >/dev/null || die "$program is missing: run tests/setup"
done
modprobe -a nvme_rdma nvmet_rdma brd null_blk zram nbd raid1 dm_crypt sch_netem ext4
modprobe -r brd null_blk zram nbd sch_netem
for folder in /sys/kernel/config /sys/kernel/debug /sys/kernel/tracing /sys/fs/cgroup; do
	[[ -n $(ls "$folder") ]] || die "$folder is not mounted"
done

[[ $(run_in_cgroup 64M cat /proc/self/cgroup) == 0::/test.* ]] || die "no cgroup"
expect_fail run_in_cgroup 64M false
echo 8 >/proc/sys/vm/nr_hugepages
[[ $(</proc/sys/vm/nr_hugepages) == 8 ]] || die "no huge pages"
echo 0 >/proc/sys/vm/nr_hugepages

rping -s -a "$FARMEM_SERVER" -C 10 >/dev/null 2>&1 &
wait_for 10 rping -c -a "$FARMEM_SERVER" -C 10
mark_dmesg
echo "bed: a line" >/dev/kmsg
dmesg_since | grep 'bed: a line' >/dev/null
