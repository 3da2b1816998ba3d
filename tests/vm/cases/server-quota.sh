# SPDX-License-Identifier: GPL-2.0
# TEST: a client gets no more than the server's quota, over all its volumes, and another its own
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve --quota 32M
expect_no_load "more memory than the server's quota lets this client have; lower size= or raise the quota" \
	server="$SERVER" size=48M connect_timeout=10
expect_log '(-122)'
load_volume 32M
make_volume more session=default size=16M
expect_refusal "more memory than the server's quota" volumes/more
make_session other client=other
make_volume its session=other size=32M
power_on sessions/other
power_on volumes/its
power_off volumes/its
power_off sessions/other
rmdir $CONFIG/volumes/{more,its} $CONFIG/sessions/other
unload
