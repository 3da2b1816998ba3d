# SPDX-License-Identifier: GPL-2.0
# TEST: an old farmemd serves a new farmem.ko, and a new one an old farmem.ko: both write, read, and come back
# KERNELS: 6.1 6.12
# CPUS: 1
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

old=$FARMEM_TESTS/../build/old
[[ -e $old/$FARMEM_KERNEL/farmem.ko && -x $old/farmemd ]] ||
	skip "there is no old release: tests/vm/build-old $FARMEM_KERNEL makes it"

farmemd_release() { farmemctl server show --noheadings --output release; }

# Its modules are loaded: modprobe would take the new farmem.ko.
load_old() {
	within 60 insmod "$old/$FARMEM_KERNEL/farmem.ko" server="$SERVER" size=32M \
		connect_timeout="$CONNECT_TIMEOUT" || die "insmod of the old one failed: $(dmesg_since | tail -n 5)"
}

new=$(farmemctl --version | sed -nE 's/farmemctl ([0-9.]+),.*/\1/p')
PATH=$old:$PATH start_farmemd --size 64M --listen "$SERVER"
[[ $(farmemd_release) != "$new" ]] || die "the farmemd is not an old one"
load_volume 32M
put_data
check_data
# The old server's memory outlives the new module.
unload
load_volume 32M
check_data

unload
stop_farmemd
start_farmemd --size 64M --listen "$SERVER"
expect_equal "$new" "$(farmemd_release)" "farmemd's release"
load_old
put_data
check_data
unload
load_old
check_data
unload
