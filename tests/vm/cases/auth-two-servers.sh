# SPDX-License-Identifier: GPL-2.0
# TEST: one key of a client serves at two servers, which have UUIDs of their own, also after a restart; one server's key, or its file, gets nothing at the other
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472
first_socket=/run/farmem/farmemd.sock second_socket=/run/second.sock

# check ARG... - what farmemd says of a start with these
check() { farmemd --check --size 64M "$@" || true; }
uuid() { check --insecure --control "$1" | sed -n 's/^ok *server UUID: //p'; }
shown() { farmemctl server show --control "$1" -n -o uuid; }

# They are what the machine's ID and the sockets make of them.
second_uuid=$(uuid $second_socket)
SERVER_UUID=$second_uuid
put_server_keys /tmp/second.keys "alpha $KEY_A" "beta $KEY_B"
SERVER_UUID=$(uuid $first_socket)
put_server_keys /tmp/first.keys "alpha $KEY_A" "beta $KEY_B"
[[ $SERVER_UUID != "$second_uuid" ]] || die "both servers are $second_uuid"
put_keys /tmp/client.keys "alpha $KEY_A"

start_farmemd --size 64M --listen "$SERVER" --keys /tmp/first.keys
farmemd --size 64M --listen "$second" --control $second_socket --keys /tmp/second.keys >/tmp/second.log 2>&1 &
wait_for 30 shown $second_socket
expect_equal "$second_uuid" "$(shown $second_socket)" "UUID of the second server"

load
make_session one client=alpha key=/tmp/client.keys
make_session two server="$second" client=alpha key=/tmp/client.keys
power_on sessions/one
power_on sessions/two

# Another start is the same server, or the keys in the file were not its own.
stop_farmemd KILL
wait_for 20 recovering one
start_farmemd --size 64M --listen "$SERVER" --keys /tmp/first.keys
expect_equal "$SERVER_UUID" "$(shown $first_socket)" "UUID after another start"
wait_for 60 live one
expect_equal live "$(value sessions/two state)" "state of the other session"

# knocks PORT REASON ARG... - a peer with these gets that reason
knocks() {
	peer "${@:3}" "$FARMEM_SERVER" "$1" connect hello
	peer_said 30 "welcome reason=$2 "
	wait "$peer_pid" || true
}

# As the administrator of the first server could.
stolen=$(awk '$1 == "beta" { print $3 }' /tmp/first.keys)
knocks 7471 0 -n beta -K "$stolen"
knocks 7472 9 -n beta -K "$stolen"
knocks 7472 0 -n beta -k "$KEY_B"
# By the client's key itself nobody comes in, though it be the right one.
knocks 7471 9 -n alpha -t -K "$KEY_A"
expect_text "this key is for the server $SERVER_UUID, but this server is $second_uuid" \
	"$(check --control $second_socket --keys /tmp/first.keys)" "the second server with the first one's file"
expect_equal "live live" "$(value sessions/one state) $(value sessions/two state)" "states of the client's sessions"
all_off
