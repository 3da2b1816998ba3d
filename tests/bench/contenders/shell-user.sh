# SPDX-License-Identifier: GPL-2.0
# The bare bio shell as in shell.sh, but its memory belongs to a user program, as farmem's:
# soft-RoCE takes longer for such memory.

start() {
	floor_user_start disk=1
	echo /dev/floor0
}

stop() {
	floor_user_stop
}
