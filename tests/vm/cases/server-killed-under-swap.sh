# SPDX-License-Identifier: GPL-2.0
# TEST: the server killed (SIGKILL) under swap: a process that needs a lost page gets SIGBUS, nothing hangs, rmmod works
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

swapped() { (($(counter writes) > 500)); }

serve
load_volume 48M reconnect_delay=0
mkswap /dev/farmem0 >/dev/null
swapon /dev/farmem0
# Fills 32 MiB in a cgroup of 16 and reads it again and again.
# shellcheck disable=SC2016 # Perl's variables
run_in_cgroup 16M perl -e '
	my $m = join "", map { chr($_ % 255 + 1) x 4096 } 1 .. 8192;
	while (1) { for (my $i = 0; $i < length $m; $i += 4096) { substr($m, $i, 1) eq "\0" and exit 3 } }
' &
program=$!
wait_for 60 swapped
stop_farmemd KILL
over() { ! kill -0 "$program" 2>/dev/null; }
wait_for 60 over || die "the program that swaps is still there"
status=0
wait $program || status=$?
killed_for_a_page $status || die "the program ended with $status, not by SIGBUS"
# Nothing is left there that anybody needs; if the kernel disagrees, it says so in time.
within 60 swapoff /dev/farmem0
unload
