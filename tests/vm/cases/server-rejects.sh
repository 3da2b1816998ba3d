# SPDX-License-Identifier: GPL-2.0
# TEST: each reason of a refusal reaches the user as a sentence with its errno, unknown ones too
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# refused ERRNO TEXT - what the next connection ends in
refused() {
	mark_dmesg
	expect_refusal "$2" sessions/s
	expect_log "session s: $2"
	expect_log "($1)"
}

fake_server reject=1 rej.version=7 , reject=2 , reject=3 rej.detail='it is connected from there' , \
	reject=4 , reject=5 , reject=6 , reject=9 , reject=12 , reject=13 , reject=4711 , \
	welcome.reason=9 welcome.detail='ask the administrator'
load
make_session s
refused -93 "$SERVER refuses: protocol versions do not match; install the same farmem release on both nodes (the server speaks version 7, this module 1)"
refused -71 "$SERVER refuses: the peer did not understand a message; install the same farmem release on both nodes"
refused -16 "$SERVER refuses: another live client uses this name; give this one its own name (client=), or fence the other with takeover=1 (it is connected from there)"
refused -107 "$SERVER refuses: the server knows no such session; connect again"
refused -87 "$SERVER refuses: more queues than the server granted; lower queues="
refused -105 "$SERVER refuses: the server is out of queue pairs or memory; lower queues= or see its log"
refused -13 "$SERVER refuses: the server wants a key from this client, or another one; give the client its own key (key=), and put the line that 'farmemctl key derive' makes from it for this server into the server's file (--keys)"
refused -112 "$SERVER refuses: the server is shutting down; try again when it is back"
refused -87 "$SERVER refuses: the server's limit of clients or volumes is reached; see farmemctl server list"
refused -121 "$SERVER refuses: unknown reason"
# The same in the answer to HELLO.
refused -13 "the server refuses: the server wants a key from this client, or another one; give the client its own key (key=), and put the line that 'farmemctl key derive' makes from it for this server into the server's file (--keys) (ask the administrator)"
rmdir $CONFIG/sessions/s
unload
