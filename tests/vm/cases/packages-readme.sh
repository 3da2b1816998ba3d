# SPDX-License-Identifier: GPL-2.0
# TEST: the commands of README.md but for fio, on two Debian machines that have the packages: a trial, then a key, a service and a file, and it is swap
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 900
. "$FARMEM_TESTS/vm/cases.sh"

# block HEADING N - what README.md has there between fences, for these nodes and their memory.
block() {
	local text

	text=$(awk -v heading="## $1" -v number="$2" '
		/^## / { here = $0 == heading }
		!here { next }
		/^```/ { inside = !inside; count += inside; next }
		inside && count == number' "$FARMEM_TESTS/../README.md" |
		sed 's/192[.]0[.]2[.]2/10.0.0.2/g; s/4G/256M/g')
	[[ -n $text ]] || die "README.md has no block $2 below $1"
	echo "$text"
}

# here HEADING N, there HEADING N - an administrator runs that on the compute or the memory node.
here() {
	local commands

	commands=$(block "$@")
	commands=${commands/ UUID / $uuid }
	echo "$commands"
	bash -e -o pipefail -c "$(declare -f ssh); $commands"
}

there() {
	local commands

	commands=$(block "$@")
	echo "$commands"
	on-memory-node bash -e -c "$(declare -f editor); $commands"
}

# What these machines have otherwise.
ssh() {
	local text

	text=$(cat)
	on-memory-node bash -c "bash -c ${2@Q} <<<${text@Q}"
}

editor() {
	# The second size is another way to say it.
	sed -i '0,/^#* *size *=.*/s//size = 256M/; s/^#* *listen *=.*/listen = 10.0.0.2/' "$1"
	cat "$1"
}

trial_is_over() { [[ $(on-memory-node systemctl show -P ActiveState trial) == @(inactive|failed) ]]; }
swap_is_on() { [[ $(</proc/swaps) == */dev/farmem0* ]]; }
program_swaps() {
	local before

	before=$(counter writes farmem0)
	systemd-run --quiet --scope -p MemoryHigh=32M farmem-memory 64 fill sequential
	expect_at_least $((before + 100)) "$(counter writes farmem0)" "pages written"
}

uuid='' try='Lend and borrow' keep='With keys, as a service'
here "$try" 1
there "$try" 1
commands=$(block "$try" 2)
on-memory-node bash -e -c "${commands%%$'\n'*}"
on-memory-node systemd-run --quiet --unit=trial bash -c "exec ${commands#*$'\n'}"
wait_for 60 on-memory-node farmemctl server show
here "$try" 3
here "$try" 4
swap_is_on || die "the trial is no swap"
program_swaps
swapoff /dev/farmem0
rmmod farmem
on-memory-node systemctl kill --signal=INT trial
wait_for 60 trial_is_over

uuid=$(there "$keep" 1)
uuid=${uuid##* }
here "$keep" 2
there "$keep" 3
block "$keep" 4 >/etc/farmem/volumes.d/far0.conf
here "$keep" 5
wait_for 60 swap_is_on
expect_equal 100 "$(awk '/farmem0/ { print $5 }' /proc/swaps)" "its priority"
program_swaps

systemctl stop farmem@far0
expect_fail swap_is_on
on-memory-node systemctl disable --now farmemd
