# SPDX-License-Identifier: GPL-2.0
# TEST: farmem's packages on a Debian with systemd that lends to itself: two files, a reboot, and swap is on, a program swaps, metrics tell it, events are logged, and a stop of all brings the pages back
# KERNELS: 6.1
# SYSTEM: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

# The case begins anew at each boot.
stage=$RESULTS/packages-on-one-node.stage
state() { systemctl show -P "$2" "$1"; }
# By farmem-events.service and the program of the package's examples.
event_logged() { journalctl -b -t farmem | grep 'far0: live ->'; }
over() { [[ $(state "$1" ActiveState) == @(inactive|failed) ]]; }
swap_is_on() { [[ $(</proc/swaps) == */dev/farmem0* ]]; }

configure() {
	put_keys /etc/farmem/key "worker $KEY_A"
	put_server_keys /etc/farmem/keys "worker $KEY_A"
	chgrp farmem /etc/farmem/keys
	chmod 640 /etc/farmem/keys
	printf '%s\n' 'size = 192M' "listen = $SERVER" 'keys = /etc/farmem/keys' 'metrics = 9471' "uuid = $SERVER_UUID" \
		>/etc/farmem/farmemd.conf
	printf '%s\n' '[volume]' "server = $FARMEM_SERVER" 'size = 128M' 'client = worker' 'key = /etc/farmem/key' \
		'io-deadline = 10' '[swap]' >/etc/farmem/volumes.d/far0.conf
	# farmem@.service knows nothing of a server on the same machine.
	mkdir -p /etc/systemd/system/farmem@far0.service.d
	printf '%s\n' '[Unit]' After=farmemd.service >/etc/systemd/system/farmem@far0.service.d/server.conf
	echo booted >"$stage"
	sync
	systemctl --no-block reboot
	sleep infinity
}

# What a program has in swap is right, and comes back before the server goes.
booted() {
	wait_for 120 swap_is_on || die "$(journalctl -b -u farmemd -u farmem@far0)"
	install -m 755 /usr/share/doc/farmem-tools/examples/events.d/log /etc/farmem/events.d/
	systemctl start farmem-events
	expect_equal "farmem0 farmem" "$(lsblk -d -n -o NAME,MODEL /dev/farmem0 | xargs)" "what lsblk shows"
	systemd-run --quiet --unit=swapped -p MemoryHigh=32M bash -c \
		'head -c 64M /dev/urandom >/dev/shm/data; md5sum </dev/shm/data >/dev/shm/sum.new
		mv /dev/shm/sum.new /dev/shm/sum; exec sleep infinity'
	wait_for 120 test -e /dev/shm/sum
	expect_at_least 100 "$(counter writes farmem0)" "pages written"
	expect_text "farmem_server_up 1" "$(scrape)" "what farmemd answers Prometheus"
	# Both by one job, as a shutdown does it.
	printf '%s\n' '[Unit]' 'Conflicts=farmemd.service farmem@far0.service' >/run/systemd/system/away.target
	systemctl start away.target
	wait_for 180 over farmemd
	wait_for 180 over farmem@far0
	expect_equal "success success" "$(state farmemd Result) $(state farmem@far0 Result)" "how both ended"
	expect_fail swap_is_on
	expect_fail test -e /dev/farmem0
	wait_for 60 event_logged
	expect_equal "$(</dev/shm/sum)" "$(md5sum </dev/shm/data)" "what was in swap"
}

# There is no curl.
scrape() {
	exec 3<>/dev/tcp/127.0.0.1/9471
	printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
	cat <&3
}

"$(cat "$stage" 2>/dev/null || echo configure)"
