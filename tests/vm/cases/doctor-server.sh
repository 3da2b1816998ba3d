# SPDX-License-Identifier: GPL-2.0
# TEST: the doctor's way to a server ends where it is broken, with the reason: nobody listens, no route, another version, no farmemd, silence, the wrong key, no memory
# LONG: yes
# CPUS: 1
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

# visit [ADDR [CLIENT [KEYFILE [SOURCE]]]] - as the doctor has it done, without all else that it
# looks at.
visit() {
	within 60 farmem-fabric visit "${1-$SERVER}" "${2-}" "${3-}" "${4-}" >/tmp/visit
}

# ends STEP TEXT - there, and nothing was tried after it
ends() {
	expect_text $'step\t'"$1"$'\tfail\t' "$(tail -n 1 /tmp/visit)" "the last step of the visit"
	expect_text "$2" "$(tail -n 1 /tmp/visit)" "why the visit ended"
	expect_equal 1 "$(grep -c $'\tfail\t' /tmp/visit)" "steps that failed"
}

examine --node compute --server "$SERVER"
expect_code 1
finds fail server.connect 'no program listens at that port'
finds skipped server.auth 'not reached'
visit 192.0.2.1
ends server.route 'Network is unreachable'
visit "$SERVER" '' '' 192.0.2.7
ends server.route 'Cannot assign requested address'
visit "$SERVER" '' '' nonsense
ends server.address '--source nonsense is not an address'
ip link add dummy7 type dummy
ip address add 192.0.2.1/24 dev dummy7
ip link set dummy7 up
visit 192.0.2.2
ends server.resolve 'the route to 192.0.2.2 uses no RDMA device'
ip link delete dummy7
visit no.such.host.invalid
ends server.address 'no such host'

fake_server reject=1 rej.version=7 , reject=6 rej.detail='no queue pair' , reject=plain , rep.version=9 , \
	hangup=hello , welcome.msg.type=99 , welcome.reason=9 welcome.detail='the client used no key' , \
	welcome.reason=13 welcome.detail='the server has 256 clients' , rep.magic=1 , silent=hello
visit; ends server.version 'the server speaks protocol 7, this farmemctl 1'
visit; ends server.connect 'out of queue pairs or memory; lower queues= or see its log (no queue pair)'
visit; ends server.connect 'the program that listens there is not farmemd'
visit; ends server.version 'the server speaks protocol 9'
visit; ends server.auth 'HELLO: '
visit; ends server.auth 'does not make sense'
visit; ends server.auth 'the server wants a key from this client, or another one'
visit; ends server.auth "the server's limit of clients or volumes is reached"
visit; ends server.version 'the program that accepts there is not farmemd'
visit; ends server.auth 'nothing came back within 10 s'
end_process "$fake_pid"

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/wrong.keys "alpha $KEY_B" "beta $KEY_B"
serve --keys /tmp/server.keys
visit "$SERVER" alpha /tmp/wrong.keys; ends server.auth '(the server does not accept the key that the client used)'
visit "$SERVER" alpha; ends server.auth '(the client used no key)'
expect_text "farmemctl key derive alpha --key FILE --uuid $SERVER_UUID" "$(tail -n 1 /tmp/visit)" "what to do"
visit "$SERVER" gamma /tmp/wrong.keys; ends server.auth '/tmp/wrong.keys has no key of gamma'
chmod 644 /tmp/wrong.keys
visit "$SERVER" alpha /tmp/wrong.keys; ends server.auth 'others can read or change these keys'
stop_farmemd

# It has no key of this client, and lets everybody in: so might anybody's server.
serve
chmod 600 /tmp/wrong.keys
visit "$SERVER" beta /tmp/wrong.keys; ends server.auth 'the server does not prove that it has a key of beta'
load_volume 64M
examine --node compute --server "$SERVER"
expect_code 3
finds warn server.memory 'the server has lent all of its 64M'
unload
