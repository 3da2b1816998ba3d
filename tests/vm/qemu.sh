# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How a guest is started: QEMU, accelerator and command line. To be sourced
# by run.

# Kernel parameters: die at once and for good, keep a long log, and watch
# farmem's own caches for overruns and use after free. Programs lie where they lay
# before: QEMU translates code again that it meets at another address, and to start
# a program took it three times as long.
qemu_append=(
	console=ttyS0 loglevel=5 log_buf_len=4M panic=-1 oops=panic hung_task_panic=1
	rcupdate.rcu_cpu_stall_timeout=60 cgroup_no_v1=all mitigations=off nokaslr norandmaps
	random.trust_cpu=on no_timer_check tsc=reliable cryptomgr.notests=1
)
# 6.1 forgets for a moment at boot which features its CPU has; KASAN, asked by an
# interrupt just then, takes every address of five-level paging for a wild one.
qemu_append_debug=(no5lvl)
qemu_append_checks=(kfence.sample_interval=100 'slub_debug=FZP,farmem*')

# qemu_kvm_boots - does KVM boot this kernel here? /dev/kvm alone proves
# nothing: where the machine is virtual itself, a guest may hang. Tried once
# for a kernel and a machine.
qemu_kvm_boots() {
	local answer

	[[ -r /dev/kvm && -w /dev/kvm ]] || return 1
	answer=$FARMEM_CACHE/kvm/$release-$(qemu_machine)
	if [[ ! -e $answer ]]; then
		mkdir -p "${answer%/*}"
		(qemu_try_kvm && echo yes || echo no) >"$answer.$$" 2>/dev/null
		mv "$answer.$$" "$answer"
	fi
	[[ $(<"$answer") == yes ]]
}

qemu_machine() {
	{ uname -rv; grep -m 1 '^model name' /proc/cpuinfo; } | sha256sum | cut -c 1-12
}

# A guest that powers off as soon as it has a PID 1, given 10 seconds.
qemu_try_kvm() {
	local root status=0

	root=$(mktemp -d "$FARMEM_CACHE/kvm/probe.XXXXXX")
	mkdir "$root/farmem"
	cp "$(command -v busybox)" "$root/farmem/busybox"
	printf '#!/farmem/busybox sh\n/farmem/busybox poweroff -f\n' >"$root/init"
	chmod +x "$root/init"
	(cd "$root" && find init farmem | cpio --quiet -o -H newc) >"$root/cpio"
	timeout -k 1 10 qemu-system-x86_64 -accel kvm -cpu host -nodefaults -no-user-config \
		-display none -no-reboot -m 512M -kernel "$(kernel_dir "$kernel")/vmlinuz" \
		-initrd "$root/cpio" -append 'panic=-1 quiet' >/dev/null 2>&1 </dev/null || status=1
	rm -rf "$root"
	return "$status"
}

# qemu_choose - sets qemu, the program, and qemu_cpu. Of several CPUs only a newer
# one than Debian 12's counts the instructions: see fetch-qemu.
qemu_choose() {
	local newer=$FARMEM_CACHE/qemu/usr

	qemu=(qemu-system-x86_64) qemu_cpu=max
	[[ -n $icount ]] || return 0
	if ! qemu_is_new; then
		((cpus > 1)) || return 0
		[[ -e $newer ]] || "$here/fetch-qemu" >&2 ||
			refuse "no QEMU counts $cpus CPUs here: see above"
		qemu=("$newer/bin/qemu-system-x86_64" -L "$newer/share/qemu" -L "$newer/share/seabios")
	fi
	# As Debian 12's: with these the kernel copies and fills by string instructions,
	# which count once for each byte.
	qemu_cpu=max,fsrm=off,fsrs=off,fzrm=off
}

# 8.1 or newer.
qemu_is_new() {
	[[ $(qemu-system-x86_64 --version) =~ version\ ([0-9]+)[.]([0-9]+) ]] &&
		((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] >= 801))
}

# qemu_accelerate - sets qemu_accel, and the watchdogs' patience with it:
# emulation alone can hold a task for minutes.
qemu_accelerate() {
	hung_seconds=300 watchdog_seconds=30
	if [[ -n $icount ]]; then
		# Virtual time leaps whenever the guest is idle: no watchdog can use it.
		hung_seconds=1000000 watchdog_seconds=60
		qemu_accel=(-accel 'tcg,thread=single' -icount 'shift=0,sleep=off'
			-rtc clock=vm -cpu "$qemu_cpu")
	elif qemu_kvm_boots; then
		qemu_accel=(-accel kvm -cpu host)
		hung_seconds=120 watchdog_seconds=10
	else
		# QEMU 7.2 was seen to mix flags and an operand of cmpxchg16b, which the kernel's
		# allocator uses where it can.
		qemu_accel=(-accel "tcg,thread=${turns:-multi}" -cpu 'max,cx16=off')
		# On a busy machine the guest would get it wrong, and its clock with it.
		qemu_append+=("tsc_early_khz=$("$repo/build/vm/tsc-khz")")
	fi
	if [[ -z $icount ]]; then
		hung_seconds=$((hung_seconds * slowness))
		# 60 is the most that the kernel takes.
		watchdog_seconds=$((watchdog_seconds * slowness > 60 ? 60 : watchdog_seconds * slowness))
	fi
	[[ $kernel != "$DEBUG_KERNEL" ]] || qemu_append+=("${qemu_append_debug[@]}")
	[[ -n $icount$bare ]] || qemu_append+=("${qemu_append_checks[@]}")
}

# qemu_port NAME FILE - a virtio-serial port that ends in a file or fifo.
qemu_port() {
	printf '%s\n' -chardev "file,id=$1,path=$2" -device "virtserialport,chardev=$1,name=$1"
}

# qemu_link ID NODE MAC MTU - a network card wired to the other guest.
#
# Without event_idx: having found the socket full, QEMU 7.2 sends on from
# virtio_net_tx_complete(), which moves the index at which the guest is to kick
# but does not look again with a barrier. A kick lost there is lost for good, and
# the node with it.
qemu_link() {
	local other=compute

	[[ $2 == memory ]] || other=memory
	printf '%s\n' -netdev "dgram,id=$1,local.type=unix,local.path=$run_dir/$1.$2,remote.type=unix,remote.path=$run_dir/$1.$other" \
		-device "virtio-net-pci,netdev=$1,mac=$3,event_idx=off${4:+,host_mtu=$4}"
}

# qemu_start NODE - starts the guest, its process id is in qemu_pid after.
qemu_start() {
	local node=$1 number=1 arguments=() boot
	[[ $node == compute ]] || number=2

	mapfile -t arguments < <(
		qemu_port verdict "$run_dir/$node.verdict"
		if [[ $node == compute ]]; then
			qemu_port stdout "$run_dir/stdout"
			qemu_port stderr "$run_dir/stderr"
		fi
		if ((nodes == 2)); then
			qemu_link fabric "$node" "52:54:00:fa:00:0$number" 4500
			qemu_link management "$node" "52:54:00:fb:00:0$number"
		fi
	)
	if [[ -n $monitor && $node == compute ]]; then
		arguments+=(-chardev "pipe,id=monitor,path=$monitor" -mon chardev=monitor)
	fi
	boot=(-no-reboot -kernel "$(kernel_dir "$kernel")/vmlinuz" -initrd "$run_dir/$node.cpio")
	[[ -z $system ]] || system_boot "$node"
	"${qemu[@]}" -name "farmem-$node" -machine q35 "${qemu_accel[@]}" \
		-nodefaults -no-user-config -display none \
		-smp "$cpus" -m "$memory" "${boot[@]}" \
		-append "${qemu_append[*]}" \
		-chardev "file,id=console,path=$run_dir/$node.log" -serial chardev:console \
		-device virtio-serial-pci \
		-virtfs 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap' \
		-virtfs "local,path=$results,mount_tag=results,security_model=none,multidevs=remap" \
		"${arguments[@]}" </dev/null >"$run_dir/$node.qemu" 2>&1 {run_lock}>&- &
	qemu_pid=$!
}
