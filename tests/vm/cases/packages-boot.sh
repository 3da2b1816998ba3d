# SPDX-License-Identifier: GPL-2.0
# TEST: a file in volumes.d is swap at each boot: the server late, there, dead at shutdown, and away at boot, which it does not hold; the key is a credential; pages in swap and a file system live through what they should
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 1200
. "$FARMEM_TESTS/vm/cases.sh"

# The case begins anew at each boot: what it knows of the boots before is in $RESULTS.
stage=$RESULTS/packages-boot.stage
swap='dev-farmem-by\x2dname-far0.swap'

swap_is_on() { [[ $(</proc/swaps) == */dev/farmem* ]]; }
show() { systemctl show -P "$2" "$1"; }
retried() { (($(show farmem@far0 NRestarts) >= 2)); }

# again STAGE - the machine boots, and this case goes on at that stage.
again() {
	echo "$1" >"$stage"
	sync
	systemctl --no-block reboot
	sleep infinity
}

# What shutdown has to bring back.
swap_something() {
	systemd-run --quiet --unit=swapped -p MemoryHigh=32M \
		sh -c 'head -c 64M /dev/urandom >/dev/shm/swapped; exec sleep infinity'
	wait_for 120 writes_at_least 1000
}
writes_at_least() { (($(counter writes "$(basename "$(readlink /dev/farmem/by-name/far0)")") >= $1)); }

# No unit waits for another in a circle, and none has a line that systemd does not know.
units_are_right() {
	local said

	said=$(systemd-analyze verify --man=no farmem@far0.service "/run/systemd/generator/$swap" 2>&1) || true
	expect_equal "" "$said" "what systemd-analyze says"
	said=$(journalctl -b -o cat _PID=1 | grep -i 'ordering cycle\|farmem.*ignoring') || true
	expect_equal "" "$said" "what systemd says"
}

boot_1() {
	put_keys /tmp/key "worker $KEY_A"
	mkdir -p /etc/credstore
	install -m 600 /tmp/key /etc/credstore/farmem.key
	put_server_keys /tmp/keys "worker $KEY_A"
	on-memory-node bash -c "cat >/etc/farmem/keys <<<'$(</tmp/keys)' && chgrp farmem /etc/farmem/keys && chmod 640 /etc/farmem/keys
		printf '%s\n' 'size = 512M' 'listen = $SERVER' 'keys = /etc/farmem/keys' 'uuid = $SERVER_UUID' >/etc/farmem/farmemd.conf"
	printf '%s\n' '[volume]' "server = $FARMEM_SERVER" 'size = 128M' 'client = worker' 'io-deadline = 5' \
		'[swap]' 'priority = 10' >/etc/farmem/volumes.d/far0.conf
	printf '%s\n' "server = $FARMEM_SERVER" 'size = 32M' 'client = worker' >/etc/farmem/volumes.d/data.conf
	echo '/dev/farmem/by-name/data /mnt ext4 _netdev,nofail,x-systemd.requires=farmem@data.service 0 0' >>/etc/fstab
	systemctl daemon-reload
	units_are_right
	# Late: it is tried again until the server comes.
	systemctl --no-block start farmem@far0 farmem@data
	wait_for 120 retried
	on-memory-node systemctl enable --now farmemd || die "$(on-memory-node journalctl -u farmemd)"
	wait_for 120 swap_is_on
	expect_equal active "$(show farmem@far0 ActiveState)" "farmem@far0"
	wait_for 120 test -b /dev/farmem/by-name/data
	mkfs.ext4 -q /dev/farmem/by-name/data
	mount /mnt
	echo kept >/mnt/file
	swap_something
	again boot_2
}

boot_2() {
	wait_for 300 swap_is_on
	wait_for 120 mountpoint -q /mnt
	expect_equal kept "$(</mnt/file)" "what was on the file system"
	expect_equal 10 "$(awk '/farmem/ { print $5 }' /proc/swaps)" "priority"
	units_are_right
	swap_something
	# Dead: farmemd is gone and stays so, and the shutdown ends all the same.
	on-memory-node systemctl disable --now farmemd
	again boot_3
}

boot_3() {
	# The server is away, and the boot is over without it.
	wait_for 300 booted
	expect_fail swap_is_on
	on-memory-node systemctl start farmemd
	wait_for 120 swap_is_on
	systemctl stop farmem@far0
	expect_fail swap_is_on
	expect_fail test -e /dev/farmem/by-name/far0
	systemctl start farmem@far0
	wait_for 120 swap_is_on
	systemctl stop farmem@far0 farmem@data
}
booted() { systemctl is-active --quiet multi-user.target; }

"$(cat "$stage" 2>/dev/null || echo boot_1)"
