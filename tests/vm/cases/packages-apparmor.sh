# SPDX-License-Identifier: GPL-2.0
# TEST: AppArmor holds the service farmemd to its profile: it serves, reloads its keys and starts again on its pool, also one of huge pages, and the kernel denies nothing of that; it denies a file of keys elsewhere until the site's own rule names it
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

on_memory() { on-memory-node bash -c "$1"; }
denied() { on_memory "dmesg | grep 'apparmor=\"DENIED\"' || true"; }
start() { on-memory-node systemctl start farmemd || die "$(on-memory-node journalctl -u farmemd; denied)"; }
# shellcheck disable=SC2016 # the memory node's process
confined() { expect_equal "farmemd (enforce)" "$(on_memory 'cat /proc/$(pidof farmemd)/attr/current')" "its profile"; }

# What Prometheus would read; there is no curl.
scrape() {
	on_memory 'exec 3<>/dev/tcp/127.0.0.1/9471 && printf "GET /metrics HTTP/1.0\r\n\r\n" >&3 && cat <&3'
}

# configure LINE... - and a client's keys
configure() {
	on_memory "printf '%s\n' 'size = 128M' 'listen = $SERVER' 'keys = /etc/farmem/keys' 'uuid = $SERVER_UUID' $* >/etc/farmem/farmemd.conf"
}

expect_equal Y "$(on_memory 'cat /sys/module/apparmor/parameters/enabled')" "AppArmor"
put_keys /tmp/key "worker $KEY_A"
put_server_keys /tmp/keys "worker $KEY_A"
on_memory "cat >/etc/farmem/keys <<<'$(</tmp/keys)' && chgrp farmem /etc/farmem/keys && chmod 640 /etc/farmem/keys"
configure "'pool = /dev/shm/farmem.pool' 'metrics = 9471'"
start
confined
expect_text 'farmem_server_up 1' "$(scrape)" "what farmemd answers Prometheus"
modprobe farmem
farmemctl volume create far0 --size 64M --server "$FARMEM_SERVER" --client worker --key /tmp/key
head -c 32M /dev/urandom >/tmp/data
dd if=/tmp/data of=/dev/farmem0 bs=1M oflag=direct status=none
on-memory-node systemctl reload farmemd
on-memory-node farmemctl server show
in_time 180 on-memory-node systemctl restart farmemd
wait_for 120 live "$SERVER"
confined
dd if=/dev/farmem0 bs=1M count=32 iflag=direct status=none | cmp - /tmp/data
farmemctl volume delete far0
on-memory-node systemctl stop farmemd
expect_equal "" "$(denied)" "what was denied"

# A pool of huge pages that no path leads to.
on_memory 'echo 90 >/proc/sys/vm/nr_hugepages'
configure "'hugepages = 2M'"
start
confined
farmemctl volume create far0 --size 64M --server "$FARMEM_SERVER" --client worker --key /tmp/key
swap_on
systemd-run --quiet --scope -p MemoryHigh=32M farmem-memory 64 fill sequential
expect_at_least 100 "$(counter writes farmem0)" "pages written"
swapoff /dev/farmem0
farmemctl volume delete far0
on-memory-node systemctl stop farmemd
expect_equal "" "$(denied)" "what was denied with huge pages"

# What the profile does not name, whatever the mode of the file.
on_memory 'cp -p /etc/farmem/keys /srv/keys && sed -i s,/etc/farmem/keys,/srv/keys, /etc/farmem/farmemd.conf'
expect_fail on-memory-node systemctl start farmemd
expect_text 'profile="farmemd" name="/srv/keys"' "$(denied)" "what was denied"
on_memory "echo '/srv/keys r,' >/etc/apparmor.d/local/farmemd && apparmor_parser -r /etc/apparmor.d/farmemd"
start
confined
on-memory-node systemctl stop farmemd
