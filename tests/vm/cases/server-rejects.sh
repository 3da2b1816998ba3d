# SPDX-License-Identifier: GPL-2.0
# TEST: each reason of a refusal reaches the user as a sentence with its errno, unknown ones too
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

load
make_session s
reject() {
	fake_server reject="$1" "${@:3}"
	mark_dmesg
	expect_refusal "$SERVER refuses: $2" sessions/s
	expect_log "session s: $SERVER refuses: $2"
}

reject 1 'protocol versions do not match; install the same farmem release on both nodes (the server speaks version 7, this module 1)' rej.version=7
expect_log '(-93)'
reject 2 'the peer did not understand a message; install the same farmem release on both nodes'
expect_log '(-71)'
reject 3 'another live client uses this name; give this one its own name (client=), or fence the other with takeover=1 (it is connected from there)' rej.detail='it is connected from there'
expect_log '(-16)'
reject 4 'the server knows no such session; connect again'
reject 5 'more queues than the server granted; lower queues='
reject 6 'the server is out of queue pairs or memory; lower queues= or see its log'
reject 9 'the server wants a key from this client; configure one, or start farmemd with --insecure'
expect_log '(-13)'
reject 12 'the server is shutting down; try again when it is back'
expect_log '(-112)'
reject 13 "the server's limit of clients or volumes is reached; see farmemctl server list"
reject 4711 'unknown reason'
expect_log '(-121)'
# The same in the answer to HELLO.
fake_server welcome.reason=9 welcome.detail='ask the administrator'
expect_refusal 'the server refuses: the server wants a key from this client; configure one, or start farmemd with --insecure (ask the administrator)' sessions/s
rmdir $CONFIG/sessions/s
unload
