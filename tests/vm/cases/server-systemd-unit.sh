# SPDX-License-Identifier: GPL-2.0
# TEST: the units that are shipped, under a systemd of its own: farmem-agent sees farmemd's status and nothing of its pool; farmemd restarted three times under I/O, and killed, costs a pause and no byte; it has no rights, a rejected key file fails the reload, and a typo does not restart it for ever
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

units=/run/units
pool=/dev/shm/farmem.pool
group=/sys/fs/cgroup/systemd

# It has its own processes, mounts and tree of cgroups, and no units but these. A container's
# systemd leaves it to others that mounts of services, as of their credentials, are seen.
manager() {
	echo "$BASHPID" >$group/cgroup.procs
	# shellcheck disable=SC2016 # the inner shell's
	exec unshare --pid --fork --mount --cgroup --mount-proc --kill-child bash -c '
		mount --make-rshared / && umount /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup &&
		mkdir -p /run/systemd/system && mount --bind /run/etc /etc &&
		systemd-sysusers $0/farmem.sysusers $0/farmem-agent.sysusers &&
		container=farmem SYSTEMD_UNIT_PATH=$0 exec /lib/systemd/systemd --system \
			--unit=multi-user.target --log-target=console' $units
}

# From among its processes: it does not answer those that it cannot see.
in_there() { nsenter --target "$(pgrep -P $manager_pid)" --pid --mount --cgroup "$@"; }
systemctl() { in_there systemctl --no-pager "$@"; }
restarted() { (($(systemctl show --property NRestarts --value farmemd) > 0)); }
of() { awk -v key="$2:" '$1 == key { print $2 }' "/proc/$(pgrep -x "$1")/status"; }
of_farmemd() { of farmemd "$1"; }

mkdir -p $units/{farmemd,farmem-agent}.service.d /var/tmp $group /run/etc
cp -a /etc/passwd /etc/group /etc/nsswitch.conf /etc/ld.so.cache /etc/libibverbs.d /run/etc
for target in sysinit basic shutdown multi-user network-online rdma-hw; do
	printf '[Unit]\nDefaultDependencies=no\n' >$units/$target.target
done
# Not below /root, which the unit does not see.
cp "$(command -v farmemd)" "$(command -v farmemctl)" "$FARMEM_TESTS"/../{build/farmem-agent,packaging/farmem*.sysusers} $units
for unit in farmemd farmem-agent; do
	sed "s|/usr/s*bin/|$units/|; s|/etc/farmem|$units|" \
		"$FARMEM_TESTS/../packaging/$unit.service" >$units/$unit.service
done
# There is no journal here. A farmemd that checks itself looks for leaks by ptrace(), which
# the unit forbids, and then says 1 for whatever it ends with.
printf '[Service]\nStandardError=append:/run/farmemd.log\nEnvironment=ASAN_OPTIONS=detect_leaks=0\n' \
	>$units/farmemd.service.d/log.conf
printf '%s\n' 'size = 64M' "listen = $SERVER" "keys = $units/keys" "pool = $pool" \
	"uuid = $SERVER_UUID" "metrics = 9471" "status-socket = /run/farmem-status/farmemd.sock" >$units/farmemd.conf
# Without an etcd: the unit is what is looked at.
printf '[Service]\nStandardError=append:/run/agent.log\n' >$units/farmem-agent.service.d/log.conf
printf '%s\n' 'etcd = https://127.0.0.1:1' 'user = u' "password = $units/etcd-password" \
	'status-socket = /run/farmem-status/farmemd.sock' >$units/agent.conf
install -m 600 /dev/stdin $units/etcd-password <<<secret
put_server_keys $units/keys "worker $KEY_A"
put_keys /tmp/key "worker $KEY_A"

manager >/run/systemd.log 2>&1 &
manager_pid=$!
wait_for 60 systemctl list-units || die "no systemd: $(</run/systemd.log)"
in_there chgrp farmem $units/keys
chmod 640 $units/keys
systemctl start farmemd || die "$(systemctl status farmemd; cat /run/farmemd.log)"
expect_equal 0000000000000000 "$(of_farmemd CapEff)" "capabilities"
[[ $(wget -q -O - http://127.0.0.1:9471/metrics) == *'farmem_server_up 1'* ]] || die "no metrics"
[[ $(of_farmemd Uid) != 0 ]] || die "it is root's"
expect_equal -1000 "$(<"/proc/$(pgrep -x farmemd)/oom_score_adj")" "its OOM score"

# It has its password, asks farmemd, is told what that has, and turns to etcd with it.
systemctl start farmem-agent || die "$(systemctl status farmem-agent; cat /run/agent.log)"
wait_for 60 grep -q "127.0.0.1:1: .*; still trying" /run/agent.log
[[ $(</run/agent.log) != *"forgets this server"* ]] || die "no status: $(</run/agent.log)"
agent=$(pgrep -x farmem-agent)
[[ $(of farmem-agent Uid) != @(0|"$(of_farmemd Uid)") ]] || die "its user is root or farmemd's"
[[ -e $pool && ! -e /proc/$agent/root$pool && ! -e /proc/$agent/root/run/farmem/farmemd.sock ]] || die "it sees the pool"
in_time 60 systemctl stop farmem-agent

load_volume 32M io_deadline=-1 client=worker key=/tmp/key
verify_start
for _ in {1..3}; do
	in_time 180 systemctl restart farmemd
	wait_for 60 live
	verify_more
done
in_time 90 systemctl reload farmemd
echo 'worker 0' >>$units/keys
! systemctl reload farmemd || die "a file of keys with an error is taken"
expect_text "keys: the former keys stay in force" "$(</run/farmemd.log)" "farmemd's log"
sed -i '$d' $units/keys
systemctl kill --signal KILL farmemd
wait_for 60 restarted
wait_for 60 live
verify_more
verify_end
expect_idle
unload
in_time 180 systemctl stop farmemd
[[ -s $pool ]] || die "the pool went with the unit"

echo 'sise = 64M' >>$units/farmemd.conf
! systemctl start farmemd || die "it starts with a typo"
expect_equal failed "$(systemctl show --property ActiveState --value farmemd)" "state after a typo"

kill -KILL $manager_pid
wait_for 30 find $group -depth -type d -exec rmdir {} +
# A program that asks whether systemd runs looks there.
rm -r $pool $units /run/systemd /run/etc /run/farmem /run/farmem-status /run/agent.log
