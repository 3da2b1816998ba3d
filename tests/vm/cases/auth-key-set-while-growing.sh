# SPDX-License-Identifier: GPL-2.0
# TEST: a key that is set while a session still lacks queues is for the next session: the queues come, as parts of this one
# CPUS: 4
. "$FARMEM_TESTS/vm/cases.sh"

all=$((3 * $(nproc)))
queues() { [[ $(value sessions/s queue_count) == "$all" ]]; }
back() { [[ $(dmesg_since) == *"session s: live again"* ]]; }

put_server_keys /tmp/server.keys "alpha $KEY_A" "alpha $KEY_B"
put_keys /tmp/client.keys "alpha $KEY_A"
put_keys /tmp/new.keys "alpha $KEY_B"
serve --keys /tmp/server.keys
load
make_session s client=alpha key=/tmp/client.keys

# The twelfth step of connecting is the fourth queue's last; it is asked for again after a second.
set_fault times 1
set_fault fail_cm 12
power_on sessions/s
set_value sessions/s key /tmp/new.keys || die "the key is not taken"
! queues || die "all queues are there already"
wait_for 30 queues || die "$(value sessions/s queue_count) queues of $all: $(dmesg_since | grep farmem: | tail -n 3)"
expect_no_log 'session s failed'
set_fault fail_cm 0
set_fault times -1

# And the next one has it, whatever becomes of the old one.
put_server_keys /tmp/server.keys "alpha $KEY_B"
# shellcheck disable=SC2016 # expanded on the memory node
on-memory-node sh -c 'kill -HUP "$(cat /run/farmemd.test.pid)"'
mark_dmesg
on-memory-node farmemctl server disconnect --client alpha
wait_for 60 back
wait_for 60 queues || die "$(value sessions/s queue_count) queues of $all after it came back"
power_off sessions/s
all_off
