# SPDX-License-Identifier: GPL-2.0
# TEST: a server that comes back without its pool, under swap: a process that needs a page that is lost is killed, and no other
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

swapped() { (($(counter writes) > 500)); }
over() { ! kill -0 "$1" 2>/dev/null; }

serve
load_volume 48M io_deadline=-1
mkswap -q /dev/farmem0
swapon /dev/farmem0
# 32 MiB in a cgroup of 16, read again and again.
# shellcheck disable=SC2016 # Perl's variables
run_in_cgroup 16M perl -e '
	my $m = join "", map { chr($_ % 255 + 1) x 4096 } 1 .. 8192;
	while (1) { for (my $i = 0; $i < length $m; $i += 4096) { substr($m, $i, 1) eq "\0" and exit 3 } }
' &
program=$!
# One that has all its memory, and works on it.
farmem-memory 4 fill until=/tmp/enough &
other=$!
wait_for 60 swapped
replace_farmemd
wait_for 60 over $program || die "the program that needs lost pages is still there"
status=0
wait $program || status=$?
killed_for_a_page $status || die "the program ended with $status, not by SIGBUS"
touch /tmp/enough
wait $other || die "a program that lost nothing was harmed"
# The volume swaps on: what is written now is there.
run_squeezed 24M farmem-memory 32 fill random
swapoff /dev/farmem0
unload
