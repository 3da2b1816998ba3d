# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What a guest boots from: a run's folder in the cache, read over 9p, and an
# initramfs that gets as far as mounting it. To be sourced by run.

# Loaded from the initramfs; everything else comes over 9p.
image_boot_modules=(virtio_pci virtio_console 9pnet_virtio 9p)

# From the host's /etc, which is too slow to read whole over 9p.
image_etc=(
	passwd group nsswitch.conf protocols services ld.so.cache ld.so.conf
	ld.so.conf.d alternatives mke2fs.conf
)

# image_run_folder - makes run_dir: modules with farmem among them, programs.
# Beside the kernels, so that hard links do for the modules.
image_run_folder() {
	local kernel_dir program making
	kernel_dir=$(kernel_dir "$kernel")

	mkdir -p "$FARMEM_CACHE/run"
	# A folder whose lock is made, and not taken yet, would look stale to another run.
	exec {making}>"$FARMEM_CACHE/run/lock"
	flock "$making"
	image_remove_stale
	run_dir=$(mktemp -d "$FARMEM_CACHE/run/XXXXXX")
	exec {run_lock}>"$run_dir/lock"
	flock "$run_lock"
	exec {making}>&-
	mkdir "$run_dir/bin"
	cp -al "$kernel_dir/lib" "$run_dir/lib"
	if [[ -e $module ]]; then
		install -D -m 644 "$module" "$run_dir/lib/modules/$release/updates/farmem.ko"
		depmod -b "$run_dir" "$release"
	fi
	cp "$repo/build/vm/node-exec" "$run_dir/bin"
	[[ -z $system ]] || cp "$repo/build/farmem-memory" "$run_dir/bin"
	cp -r "$here/guest" "$run_dir/guest"
	ln -s ../guest/on-memory-node "$run_dir/bin/on-memory-node"
	[[ -z $system ]] || return 0
	for program in "$repo"/build/*; do
		[[ ! -f $program || ! -x $program ]] || cp "$program" "$run_dir/bin"
	done
	[[ -z $sanitize ]] || cp "$repo/build/sanitized/farmemd" "$run_dir/bin"
}

# Folders of runs that were killed: nobody holds their lock.
image_remove_stale() {
	local folder

	for folder in "$FARMEM_CACHE"/run/*/; do
		[[ ! -e $folder/lock ]] || ! flock -n "$folder/lock" true || rm -rf "$folder"
	done
}

# image_initramfs NODE - writes run_dir/NODE.cpio
image_initramfs() {
	local root=$run_dir/$1.root name number=10 path

	mkdir -p "$root"/{dev,proc,sys,run,tmp,var,usr,etc,host,results,farmem/{applets,modules}}
	for name in bin sbin lib lib32 lib64 libx32; do
		ln -s "usr/$name" "$root/$name"
	done
	cp "$(command -v busybox)" "$root/farmem/busybox"
	cp "$here/guest/init" "$root/init"
	cp "$run_dir"/{command,environment} "$root/farmem"
	image_config "$1" >"$root/farmem/config"
	while read -r _ path; do
		cp "$path" "$root/farmem/modules/$((number++))-${path##*/}"
	done < <(modprobe -d "$(kernel_dir "$kernel")" -S "$release" \
		--show-depends -a "${image_boot_modules[@]}" | grep ^insmod | awk '!seen[$0]++')
	image_etc "$root/etc"
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$run_dir/$1.cpio"
	rm -rf "$root"
}

image_etc() {
	local name

	for name in "${image_etc[@]}"; do
		[[ ! -e /etc/$name ]] || cp -r "/etc/$name" "$1/"
	done
	printf '%s\n' '127.0.0.1 localhost' '10.0.0.1 compute' '10.0.0.2 memory' >"$1/hosts"
	mkdir -p "$1/nvme" "$1/modprobe.d" "$1/libibverbs.d"
	# Else libibverbs loads its driver for every adapter that was ever made.
	echo 'driver rxe' >"$1/libibverbs.d/rxe.driver"
	echo nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-000000000001 >"$1/nvme/hostnqn"
	echo 00000000-0000-4000-8000-000000000001 >"$1/nvme/hostid"
	ln -sf /proc/self/mounts "$1/mtab"
}

# image_config NODE - prints what init and session need to know.
image_config() {
	printf '%s=%q\n' NODE "$1" SYSTEM "$system" REPO "$repo" NODES "$nodes" RUN_DIR "$run_dir" TIMEOUT "$timeout" \
		HUNG_SECONDS "$hung_seconds" WATCHDOG_SECONDS "$watchdog_seconds" ICOUNT "$icount"
}
