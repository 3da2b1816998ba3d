# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# A wait that starts no process. Loops that look ten times a second for something, each
# with a sleep(1), took a quarter of two cores, and more than that in emulated guests. To be
# sourced; a function that is shipped to the other node finds no pipe there.

# Nothing is ever written to this pipe.
exec {pause_pipe}<> <(:)

# pause SECONDS
pause() {
	read -r -t "$1" -u "${pause_pipe:?}" _ || (($? > 128))
}
