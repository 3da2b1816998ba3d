# SPDX-License-Identifier: GPL-2.0
# TEST: files in volumes.d are groups at each boot, of swap and of a file system, and one made by hand can be started; a server dies before the shutdown, is away at the next boot, comes back, and is repaired without hands; a shutdown ends without any server, too
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 1500
. "$FARMEM_TESTS/vm/cases.sh"

# The case begins anew at each boot: what it knows of the boots before is in $RESULTS.
stage=$RESULTS/packages-boot-group.stage

state_of() { farmemctl group list --noheadings --output name,state | awk -v name="$1" '$1 == name { print $2 }'; }
is() { [[ $(state_of "$1") == "$2" ]]; }
swap_is_on() { [[ $(</proc/swaps) == */dev/dm-* ]]; }
show() { systemctl show -P "$2" "$1"; }

# again STAGE - the machine boots, and this case goes on at that stage.
again() {
	echo "$1" >"$stage"
	sync
	systemctl --no-block reboot
	sleep infinity
}

# serve NUMBER - on the memory node, with what it had
serve_one() {
	on-memory-node systemd-run --quiet --unit="lender$1" farmemd --insecure --size 256M --slab-size 4M \
		--pool "/dev/shm/pool$1" --listen "$FARMEM_SERVER:$((7470 + $1))" --control "/run/lender$1.sock" ||
		die "$(on-memory-node journalctl -u "lender$1")"
}

units_are_right() {
	local said

	said=$(systemd-analyze verify --man=no farmem@swap0.service farmem@data.service farmem-groups.service farmem-shutdown.service \
		/run/systemd/generator/dev-swap0-volume.swap 2>&1) || true
	expect_equal "" "$said" "what systemd-analyze says"
	said=$(journalctl -b -o cat _PID=1 | grep -i 'ordering cycle\|farmem.*ignoring') || true
	expect_equal "" "$said" "what systemd says"
}

# How the last boot ended tells how this one began.
say_units() { journalctl -o short-monotonic -u 'farmem@*' -u farmem-shutdown -u mnt.mount -u blk-availability | tail -n 200; }

both_are_there() {
	wait_for 400 swap_is_on || die "$(say_units)"
	wait_for 400 mountpoint -q /mnt || die "$(say_units)"
	expect_equal 10 "$(awk '/dm-/ { print $5 }' /proc/swaps)" "priority"
	wait_for 60 systemctl is-active --quiet farmem-groups.service
	units_are_right
}

boot_1() {
	local name

	mkdir -p /var/log/journal
	journalctl --flush
	serve_one 1
	serve_one 2
	for name in swap0 data; do
		printf '%s\n' '[group]' "server = $FARMEM_SERVER:7471@a" "server = $FARMEM_SERVER:7472@b" 'size = 64M' 'chunk = 32M' \
			'copies = 2' 'peer-timeout = 1' >"/etc/farmem/volumes.d/$name.conf"
	done
	printf '%s\n' '[swap]' 'priority = 10' >>/etc/farmem/volumes.d/swap0.conf
	echo '/dev/data/volume /mnt ext4 _netdev,nofail,x-systemd.requires=farmem@data.service 0 0' >>/etc/fstab
	systemctl daemon-reload
	systemctl --no-block start farmem@swap0 farmem@data
	wait_for 240 is data live
	mkfs.ext4 -q /dev/data/volume
	mount /mnt
	echo kept >/mnt/file
	both_are_there
	farmemctl group create hand --size 32M --copies 2 --peer-timeout 1 --server "$FARMEM_SERVER:7471@a" --server "$FARMEM_SERVER:7472@b"
	again boot_2
}

boot_2() {
	both_are_there
	expect_equal kept "$(</mnt/file)" "what was on the file system"
	is data live || die "group data is $(state_of data)"
	is swap0 live || die "group swap0 is $(state_of swap0)"
	farmemctl group start hand || die "$(say_units)"
	mkfs.ext4 -q /dev/hand/volume
	mkdir -p /srv/hand
	mount /dev/hand/volume /srv/hand
	echo by hand >/srv/hand/file
	sync
	# The shutdown ends with a dead server as well.
	on-memory-node systemctl kill --signal=KILL lender2
	echo later >/mnt/later
	sync
	wait_for 60 is data degraded
	again boot_3
}

boot_3() {
	both_are_there
	expect_equal "kept later" "$(cat /mnt/file /mnt/later | paste -sd' ')" "what was on the file system"
	is data degraded || die "group data is $(state_of data), with one server"
	farmemctl group start hand --timeout 5 || die "$(say_units)"
	mount /dev/hand/volume /srv/hand
	expect_equal "by hand" "$(</srv/hand/file)" "what was on group hand"
	umount /srv/hand
	on-memory-node systemctl reset-failed lender2 || true
	serve_one 2
	wait_for 600 is data live
	wait_for 600 is hand live
	expect_equal "kept later" "$(cat /mnt/file /mnt/later | paste -sd' ')" "what was on the file system, repaired"
	mount /dev/hand/volume /srv/hand
	# What swap and file systems want to write waits for both.
	on-memory-node systemctl kill --signal=KILL lender1 lender2
	echo lost >/srv/hand/lost
	echo lost >/mnt/lost
	again boot_4
}

boot_4() {
	on-memory-node systemctl reset-failed lender1 lender2 || true
	serve_one 1
	serve_one 2
	both_are_there
	expect_equal "kept later" "$(cat /mnt/file /mnt/later | paste -sd' ')" "what was on the file system"
	wait_for 600 is data live
	farmemctl group start hand || die "$(say_units)"
	mount /dev/hand/volume /srv/hand
	expect_equal "by hand" "$(</srv/hand/file)" "what was on group hand"
	umount /srv/hand
	farmemctl group delete hand
	umount /mnt
	systemctl stop farmem@swap0 farmem@data || die "$(journalctl -b -u 'farmem@*')"
	expect_fail swap_is_on
	expect_equal "off" "$(state_of data)" "group data"
	expect_equal "off" "$(state_of swap0)" "group swap0"
}

"$(cat "$stage" 2>/dev/null || echo boot_1)"
