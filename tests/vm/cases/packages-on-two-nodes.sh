# SPDX-License-Identifier: GPL-2.0
# TEST: the packages on two Debian machines with systemd: a file and a key on each and a reboot, and programs swap, with metrics that show it; none goes while data would be lost with it; and a purge leaves nothing but the files of keys, which it names
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 1200
. "$FARMEM_TESTS/vm/cases.sh"

# The case begins anew at each boot: what it knows of the boot before is in $RESULTS.
stage=$RESULTS/packages-on-two-nodes.stage metrics=$RESULTS/packages-on-two-nodes.metrics

on_memory() { on-memory-node bash -c "$1"; }
apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" 2>&1; }
apt_get_on_memory() { on_memory "DEBIAN_FRONTEND=noninteractive apt-get -q -y $* 2>&1"; }
swap_is_on() { [[ $(</proc/swaps) == */dev/farmem* ]]; }

# left_over - what is there and was not before the packages came, but for what a machine
# writes as it runs; of AppArmor's cache only what Debian's own profiles have there.
left_over() {
	cd / && find . -xdev ! -path './srv/*' | sort | comm -13 srv/files - |
		grep -Ev '^[.]/(lost.found|results|host|farmem|root|tmp|run)(/|$)|^[.]/var/(cache/(apt|debconf)|lib/(apt|dbus|systemd)|log|tmp)/' |
		grep -Ev '^[.]/var/cache/apparmor/[^/]+(/([.]features|lsb_release|nvidia_modprobe|usr[.]bin[.]man))?$'
}

# record - what Prometheus would read of both nodes, each second or so: tests/console/check
# --metrics draws it.
record() {
	local number=0

	mkdir -p "$metrics"
	while :; do
		{ farmemctl metrics && on-memory-node farmemctl metrics; } >"$metrics/new" &&
			mv "$metrics/new" "$metrics/$((number += 1))"
		sleep 1
	done
}

# As the README has it: no path of this tree.
boot_1() {
	put_keys /etc/farmem/key "worker $KEY_A"
	put_server_keys /tmp/keys "worker $KEY_A"
	on_memory "cat >/etc/farmem/keys <<<'$(</tmp/keys)' && chgrp farmem /etc/farmem/keys && chmod 640 /etc/farmem/keys"
	on_memory "printf '%s\n' 'size = 256M' 'listen = $SERVER' 'keys = /etc/farmem/keys' 'uuid = $SERVER_UUID' >/etc/farmem/farmemd.conf"
	printf '%s\n' '[volume]' "server = $FARMEM_SERVER" 'size = 128M' 'client = worker' 'key = /etc/farmem/key' \
		'[swap]' 'priority = 10' >/etc/farmem/volumes.d/far0.conf
	echo boot_2 >"$stage"
	sync
	on-memory-node systemctl --no-block reboot
	systemctl --no-block reboot
	sleep infinity
}

boot_2() {
	local said recorder

	wait_for 300 swap_is_on
	record &
	recorder=$!
	systemd-run --quiet --scope -p MemoryHigh=32M farmem-memory 96 fill sequential
	expect_at_least 100 "$(counter writes farmem0)" "pages written"

	# None goes that data would go with.
	said=$(apt_get remove farmem-dkms) && die "farmem-dkms goes under a swap area: $said"
	expect_text "not removed: farmem.ko is in use" "$said" "what farmem-dkms says"
	said=$(apt_get_on_memory remove farmem-server) && die "farmem-server goes under a volume: $said"
	expect_text "not removed: farmemd lends memory" "$said" "what farmem-server says"
	live "$SERVER" || die "the session is not live any more"
	systemd-run --quiet --scope -p MemoryHigh=32M farmem-memory 48 fill random
	kill $recorder
	wait $recorder || true
	expect_at_least 4 "$(find "$metrics" -name '[0-9]*' | wc -l)" "times that the metrics were read"

	swapoff /dev/farmem0
	farmemctl volume delete far0
	apt_get purge farmem-dkms farmem-tools
	said=$(apt_get_on_memory purge farmem-server farmem-tools)
	expect_text "left for you: /etc/farmem/keys" "$said" "what a purge says"
	expect_fail test -e /sys/module/farmem
	expect_equal $'./etc/farmem\n./etc/farmem/key' "$(left_over)" "left on the compute node"
	expect_equal $'./etc/farmem\n./etc/farmem/keys' "$(on_memory "$(declare -f left_over); left_over")" "left on the memory node"
}

"$(cat "$stage" 2>/dev/null || echo boot_1)"
