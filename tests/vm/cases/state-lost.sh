# SPDX-License-Identifier: GPL-2.0
# TEST: a volume that the server gave up ends in bounded time by rmmod, delete or swapoff, and outlives a suspend
# LONG: yes
. "$FARMEM_TESTS/vm/states.sh"

lost() { [[ $(value "volumes/$1" state) == lost ]]; }

enter() {
	local volume=default

	[[ -z ${1-} ]] || volume=v
	farmemctl server release --client "$(value "sessions/${1-default}" client)" --force
	wait_for 60 lost "$volume"
	wait_for 60 live "$@"
}

# What is lost stays so.
serve_again() { :; }

ends_in_every_way io_deadline=-1
