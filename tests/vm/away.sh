# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases of a volume that no longer fits:  . "$FARMEM_TESTS/vm/away.sh"  (brings cases.sh along)
#
#   begin_with_two     session s at a first server, with the volumes big and small; their
#                      disks are $big and $small
#   small_server       start the second one, whose memory another client has already, but
#                      for what the small volume needs
#   away               the big volume waits for room
#   give_room          the other client's memory is taken back
#   back               the big volume is live again
#   end_with_two       everything off, and the pool of the second server gone

# shellcheck source=tests/vm/cases.sh
. "$FARMEM_TESTS/vm/cases.sh"

SMALL_POOL=/dev/shm/small.pool

small_server() {
	start_farmemd --size 48M --pool "$SMALL_POOL" --listen "$SERVER"
}

# The second server's pool is filled before: its other client keeps 32 of 48 MiB. The first
# server has no --pool, so its memory is gone with it.
begin_with_two() {
	small_server
	load
	make_session other client=other
	make_volume hoard session=other size=32M
	power_on sessions/other
	power_on volumes/hoard
	power_off volumes/hoard
	power_off sessions/other
	rmdir $CONFIG/volumes/hoard $CONFIG/sessions/other
	stop_farmemd
	serve
	make_session s client=tester
	make_volume big session=s size=32M io_deadline=-1
	make_volume small session=s size=16M io_deadline=-1
	power_on sessions/s
	power_on volumes/big
	power_on volumes/small
	# shellcheck disable=SC2034 # for the cases
	big=$(value volumes/big device) small=$(value volumes/small device)
}

away() {
	[[ $(value volumes/big reason) == *"the server's pool has too little free memory"* ]]
}

give_room() {
	within 60 farmemctl server release --client other
}

back() {
	[[ $(value volumes/big state) == live ]]
}

end_with_two() {
	all_off
	stop_farmemd
	rm "$SMALL_POOL"
}
