# SPDX-License-Identifier: GPL-2.0
# TEST: a second volume of a server shares the session that the module's parameters made, and no session of this node takes over from another one
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

own="session default of this node is client $(uname -n) of the server at"

serve --listen "$FARMEM_SERVER:7472"
# As the README has it: no client=, no port.
load server="$FARMEM_SERVER" size=32M connect_timeout="$CONNECT_TIMEOUT"
mkswap /dev/farmem0 >/dev/null
swapon /dev/farmem0
farmemctl volume create second --size 4M --server "$SERVER"
expect_equal default "$(value volumes/second session)" "session of the second volume"
expect_equal default "$(farmemctl session list -n -o name)" "sessions"
! farmemctl volume create third --size 4M --server "$SERVER" --takeover ||
	die "it took over from its own node"
! farmemctl session create third --server "$SERVER" --takeover || die "it took over from its own node"

# Without farmemctl.
make_session mine takeover=1
expect_refusal "$own $SERVER already" sessions/mine
expect_log '(-16)'
# Nor by another address of the server.
echo "$FARMEM_SERVER:7472" >$CONFIG/sessions/mine/server
expect_refusal "$own $FARMEM_SERVER:7472 already; make the volume on that session, or give this one another client= (if these are two servers, give one of them another UUID than $(farmemctl server show -n -o uuid) with farmemd --uuid)" sessions/mine
live || die "the first session is not live: $(value sessions/default reason)"
farmemctl volume delete second
live || die "the first session went with a volume of another"
swapoff /dev/farmem0

# Another client of the same server, and this one once the first has gone.
echo 0 >$CONFIG/sessions/mine/takeover
echo other >$CONFIG/sessions/mine/client
power_on sessions/mine
power_off sessions/mine
power_off volumes/default
power_off sessions/default
uname -n >$CONFIG/sessions/mine/client
power_on sessions/mine
power_off sessions/mine
rmdir $CONFIG/sessions/mine
unload
