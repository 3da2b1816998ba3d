# SPDX-License-Identifier: GPL-2.0
# TEST: the packages on two Debian machines with systemd: what they install serves swap, with keys; none goes while data would be lost with it; and a purge leaves nothing but the files of keys, which it names
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

on_memory() { on-memory-node bash -c "$1"; }
apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" 2>&1; }
apt_get_on_memory() { on_memory "DEBIAN_FRONTEND=noninteractive apt-get -q -y $* 2>&1"; }

# left_over - what is there and was not before the packages came, but for what a machine
# writes as it runs; of AppArmor's cache only what Debian's own profiles have there.
left_over() {
	cd / && find . -xdev ! -path './srv/*' | sort | comm -13 srv/files - |
		grep -Ev '^[.]/(lost.found|results|host|farmem|root|tmp|run)(/|$)|^[.]/var/(cache/(apt|debconf)|lib/(apt|dbus|systemd)|log|tmp)/' |
		grep -Ev '^[.]/var/cache/apparmor/[^/]+(/([.]features|lsb_release|nvidia_modprobe|usr[.]bin[.]man))?$'
}

put_keys /tmp/key "worker $KEY_A"
cp /tmp/key /etc/farmem/key
put_server_keys /tmp/keys "worker $KEY_A"
on_memory "cat >/etc/farmem/keys <<<'$(</tmp/keys)' && chgrp farmem /etc/farmem/keys && chmod 640 /etc/farmem/keys"
on_memory "printf '%s\n' 'size = 256M' 'listen = $SERVER' 'keys = /etc/farmem/keys' 'uuid = $SERVER_UUID' >/etc/farmem/farmemd.conf"

# As the README has it: no path of this tree.
on-memory-node systemctl start farmemd || die "$(on-memory-node journalctl -u farmemd)"
modprobe farmem
farmemctl volume create far0 --size 128M --server "$FARMEM_SERVER" --client worker --key /etc/farmem/key
swap_on
systemd-run --quiet --scope -p MemoryHigh=32M farmem-memory 96 fill sequential
expect_at_least 100 "$(counter writes farmem0)" "pages written"

# None goes that data would go with.
said=$(apt_get remove farmem-dkms) && die "farmem-dkms goes under a swap area: $said"
expect_text "not removed: farmem.ko is in use" "$said" "what farmem-dkms says"
said=$(apt_get_on_memory remove farmem-server) && die "farmem-server goes under a volume: $said"
expect_text "not removed: farmemd lends memory" "$said" "what farmem-server says"
live "$SERVER" || die "the session is not live any more"
systemd-run --quiet --scope -p MemoryHigh=32M farmem-memory 96 fill random

swapoff /dev/farmem0
farmemctl volume delete far0
apt_get purge farmem-dkms farmem-tools
said=$(apt_get_on_memory purge farmem-server farmem-tools)
expect_text "left for you: /etc/farmem/keys" "$said" "what a purge says"
expect_fail test -e /sys/module/farmem
expect_equal $'./etc/farmem\n./etc/farmem/key' "$(left_over)" "left on the compute node"
expect_equal $'./etc/farmem\n./etc/farmem/keys' "$(on_memory "$(declare -f left_over); left_over")" "left on the memory node"
