# SPDX-License-Identifier: GPL-2.0
# TEST: the commands of docs/rack.md on two Debian machines that have the packages, four servers on one of them: a group as swap that grows, is drained, scrubbed and deleted; all by hand, a server that comes back and one that does not, a move, a growth; swap without LVM and md
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 2400
# MEMORY: 3G
. "$FARMEM_TESTS/vm/cases.sh"

page=$FARMEM_TESTS/../docs/rack.md

# less - sizes of these machines.
less() { sed 's/12G/256M/g; s/8G/192M/g; s/4G/64M/g; s/2G/64M/g'; }

# block HEADING N - what the page has there between fences.
block() {
	local text

	text=$(awk -v heading="## $1" -v number="$2" '
		/^## / { here = $0 == heading }
		!here { next }
		/^```/ { inside = !inside; count += inside; next }
		inside && count == number' "$page" | less)
	[[ -n $text ]] || die "docs/rack.md has no block $2 below $1"
	echo "$text"
}

# type_block HEADING N - an administrator types it, without its prompts.
type_block() {
	local commands

	commands=$(block "$@" | sed 's/^# //; s/\([^ ]\)   .*/\1/')
	echo "$commands"
	bash -e -c "$commands"
}

# type_row WHAT - the command of the table's row of that, for farmemctl.
type_row() {
	local command

	# shellcheck disable=SC2016 # what stands between marks of code
	command=$(awk -F'|' -v what="$1" '$2 ~ "^ " what " *$" { print $3; exit }' "$page" | grep -o '`[^`]*`' | head -n 1 | tr -d '`' | less)
	[[ -n $command ]] || die "docs/rack.md's table has no row '$1'"
	echo "farmemctl $command"
	# shellcheck disable=SC2086 # words
	farmemctl $command
}

# serve N - at 192.0.2.N
serve() {
	on-memory-node systemd-run --quiet --collect --unit="lender$1" farmemd --insecure --size 320M --slab-size 4M \
		--pool "/dev/shm/pool$1" --listen "192.0.2.$1" --control "/run/lender$1.sock"
	wait_for 60 on-memory-node farmemctl server show --control "/run/lender$1.sock"
}

# lose N - its memory stays there
lose() {
	on-memory-node systemctl kill --signal=KILL "lender$1"
}

state() { farmemctl group list --noheadings --output state; }
is() { [[ $(state) == "$1" ]]; }
swap_is_on() { [[ $(swapon --show=NAME --noheadings) == /dev/@(dm-|mapper/|far/)* ]]; }
degraded() { mdadm --detail "$1" | grep 'State :.*degraded' >/dev/null; }
whole() { ! degraded "$1" && ! grep -q recovery /proc/mdstat; }
# written - what the device has is what was written
write_it() { dd if=/tmp/bytes of=/dev/far/volume bs=1M oflag=direct status=none; }
is_right() { cmp -n "$(stat -c %s /tmp/bytes)" /tmp/bytes /dev/far/volume || die "other bytes $1"; }

nic=$(ip -o -4 address show to 10.0.0.0/24 | awk '{ print $2; exit }')
ip address add 192.0.2.9/24 dev "$nic"
# shellcheck disable=SC2016 # expanded there
on-memory-node bash -c 'nic=$(ip -o -4 address show to 10.0.0.0/24 | awk "{ print \$2; exit }")
	for n in 1 2 3 4; do ip address add 192.0.2.$n/24 dev $nic; done'
for n in 1 2 3 4; do
	serve $n
done

modprobe farmem

echo "== a group"
type_block "A group" 1
swap_is_on || die "the group is no swap: $(</proc/swaps)"
type_block "A group" 2
type_row "a larger device"
type_row "a server empty"
! farmemctl group chunks far --noheadings --output server | grep -F 192.0.2.2: || die "server 2 is not empty"
type_row "the copies compared"
swapoff -a
type_row "it off, for a reboot"
is off || die "the group is $(state)"
type_row "it on again"
is live || die "the group is $(state)"
type_row "it gone"

echo "== a file"
block "A group" 3 >/etc/farmem/volumes.d/far.conf
systemctl daemon-reload
systemctl start farmem@far
wait_for 120 swap_is_on
swapoff -a
systemctl stop farmem@far
rm /etc/farmem/volumes.d/far.conf
farmemctl group start far
farmemctl group delete far

echo "== by hand"
head -c 100M /dev/urandom >/tmp/bytes
type_block "By hand: make it" 1
type_block "By hand: make it" 2
swapoff -a
write_it
is_right "at first"

lose 2
write_it
wait_for 120 degraded /dev/md/p1
is_right "with one server less"
serve 2
volume_live() { [[ $(farmemctl volume show "$1" --noheadings --output state) == live ]]; }
wait_for 120 volume_live c2
type_block "By hand: a server is lost" 1
whole /dev/md/p1 || die "$(mdadm --detail /dev/md/p1)"
is_right "after a server came back"

lose 2
write_it
wait_for 120 degraded /dev/md/p1
type_block "By hand: a server is lost" 2
whole /dev/md/p1 || die "$(mdadm --detail /dev/md/p1)"
is_right "on another server"

type_block "By hand: move a chunk, grow the device" 1
whole /dev/md/p2 || die "$(mdadm --detail /dev/md/p2)"
is_right "after a move"
for n in 3 4; do
	farmemctl volume create "g$n" --size 64M --server "192.0.2.$((n - 2))" --io-deadline 5 2>/dev/null ||
		farmemctl volume create "g$n" --size 64M --server 192.0.2.1 --io-deadline 5
	farmemctl volume create "h$n" --size 64M --server "192.0.2.$n" --io-deadline 5
	mdadm --create "/dev/md/p$n" --level=1 --raid-devices=2 --assume-clean --metadata=1.2 \
		--bitmap=internal "/dev/farmem/by-name/g$n" "/dev/farmem/by-name/h$n"
done
before=$(blockdev --getsize64 /dev/far/volume)
type_block "By hand: move a chunk, grow the device" 2
expect_at_least $((before + 1)) "$(blockdev --getsize64 /dev/far/volume)" "bytes of the device"
is_right "after it grew"
vgremove --yes far
mdadm --stop /dev/md/p1 /dev/md/p2 /dev/md/p3 /dev/md/p4
for name in /sys/kernel/config/farmem/volumes/*; do
	farmemctl volume delete "${name##*/}"
done

echo "== swap without LVM and md"
serve 2
type_block "Swap without LVM and md" 1
expect_equal 2 "$(grep -c farmem /proc/swaps)" "swap devices"
swapoff -a
farmemctl volume delete s1
farmemctl volume delete s2
