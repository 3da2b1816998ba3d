# SPDX-License-Identifier: GPL-2.0
# TEST: under the verifier chunks move from server to server, with copies and without; a move that is killed at any step is gone on with by repair; a drained server gets no chunk
# LONG: yes
# TIMEOUT: 900
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

# lies_on NAME SERVER - has the group a chunk there?
lies_on() { farmemctl group chunks "$1" --noheadings --output server | grep -x "$(rack_address "$2")" >/dev/null; }

# killed SECONDS... - a move from server 1 that is killed after so long.
killed() {
	local status=0

	timeout --signal KILL "$1" farmemctl group move far --from "$(rack_address 1)" || status=$?
	((status == 0 || status == 137)) || die "farmemctl group move ended with $status"
}

# What a chunk gave back is lent again only after its session.
RACK_SIZE=256M
modprobe -a raid1 dm-mod dm-mirror
load
for n in 1 2 3 4; do
	rack_serve "$n"
done
# LVM's pvmove lets a discard pass what it copies: sectors without a copy may hold old bytes.
mix=([2]='45,45,10' [1]='50,50,0')
for copies in 2 1; do
	group_make far 64M --chunk 32M --copies "$copies"
	VERIFY_DISK=/dev/far/volume
	verify_start -m "${mix[copies]}"
	lies_on far 1 || die "server 1 has no chunk"
	farmemctl group move far --from "$(rack_address 1)"
	! lies_on far 1 || die "server 1 still has a chunk"
	group_is far live || die "the group is $(group_state far)"
	verify_more
	farmemctl group drain "$(rack_address 2)"
	! lies_on far 2 || die "server 2 still has a chunk"
	((copies == 1)) || group_apart far
	verify_more

	for seconds in 0.3 1 2 4; do
		farmemctl group move far --from "$(rack_address 3)" --to "$(rack_address 1)" || true
		killed "$seconds"
		farmemctl group repair far
		group_is far live || die "the group is $(group_state far)"
		((copies == 1)) || group_apart far
		verify_more
	done
	verify_end
	farmemctl group delete far
	rack_gone
done
unload
pkill -KILL -f "/run/rack"
