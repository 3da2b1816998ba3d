# SPDX-License-Identifier: GPL-2.0
# TEST: the unit that is shipped, under a systemd of its own: farmemd restarted three times under I/O, and killed, costs a pause and no byte
# LONG: yes
# TIMEOUT: 300
. "$FARMEM_TESTS/vm/cases.sh"

units=/run/units
pool=/dev/shm/farmem.pool
group=/sys/fs/cgroup/systemd

# It has its own processes, mounts and tree of cgroups, and no units but these.
manager() {
	echo "$BASHPID" >$group/cgroup.procs
	# shellcheck disable=SC2016 # the inner shell's
	exec unshare --pid --fork --mount --cgroup --mount-proc --kill-child bash -c '
		umount /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup &&
		mkdir -p /run/systemd/system &&
		container=farmem SYSTEMD_UNIT_PATH=$0 exec /lib/systemd/systemd --system \
			--unit=multi-user.target --log-target=console' $units
}

# From among its processes: it does not answer those that it cannot see.
systemctl() { nsenter --target "$(pgrep -P $manager_pid)" --pid --mount --cgroup systemctl --no-pager "$@"; }
restarted() { (($(systemctl show --property NRestarts --value farmemd) > 0)); }

mkdir -p $units/farmemd.service.d /var/tmp $group
for target in sysinit basic shutdown multi-user network-online rdma-hw; do
	printf '[Unit]\nDefaultDependencies=no\n' >$units/$target.target
done
# Not below /root, which the unit does not see.
cp "$(command -v farmemd)" $units
sed "s|/usr/sbin/farmemd|$units/farmemd|; s|/etc/farmem|$units|" \
	"$FARMEM_TESTS/../packaging/farmemd.service" >$units/farmemd.service
# There is no journal here.
printf '[Service]\nStandardError=append:/run/farmemd.log\n' >$units/farmemd.service.d/log.conf
printf '%s\n' 'size = 64M' "listen = $SERVER" 'insecure = yes' "pool = $pool" >$units/farmemd.conf

manager >/run/systemd.log 2>&1 &
manager_pid=$!
wait_for 60 systemctl list-units || die "no systemd: $(</run/systemd.log)"
systemctl start farmemd || die "$(systemctl status farmemd; cat /run/farmemd.log)"
load_volume 32M io_deadline=-1
verify_start
for _ in {1..3}; do
	in_time 60 systemctl restart farmemd
	wait_for 60 live
	verify_more
done
in_time 30 systemctl reload farmemd
systemctl kill --signal KILL farmemd
wait_for 60 restarted
wait_for 60 live
verify_more
verify_end
expect_idle
unload
in_time 60 systemctl stop farmemd
kill -KILL $manager_pid
wait_for 30 find $group -depth -type d -exec rmdir {} +
# Whoever asks whether systemd runs looks there.
rm -r $pool $units /run/systemd
