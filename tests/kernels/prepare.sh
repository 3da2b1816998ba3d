# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Turns unpacked Debian packages (WORK/root) into what the tests use. To be
# sourced by fetch. Leaves in WORK:
#   release            uname -r of the kernel
#   vmlinuz, config    the kernel and its configuration
#   lib/modules/REL    its modules, decompressed and indexed
#   headers            symlink to the tree that modules build against
#   usr/               that tree: Debian's headers, relocated to the cache

# Module folders that no test will ever load from: most of the bytes.
prepare_unused=(
	sound drivers/gpu drivers/media drivers/staging drivers/iio drivers/usb
	drivers/net/wireless drivers/hwmon drivers/input drivers/platform
	drivers/isdn drivers/comedi drivers/bluetooth drivers/accel drivers/video
)

# prepare_kernel WORK TARGET RELEASE - TARGET is where WORK will be moved to.
prepare_kernel() {
	local work=$1 target=$2 release=$3

	prepare_image
	prepare_modules
	prepare_headers
	echo "$release" >"$work/release"
}

# Up to 6.12 image and config are in /boot, later beside the modules.
prepare_image() {
	local modules=$work/root/usr/lib/modules/$release

	if [[ -e $work/root/boot/vmlinuz-$release ]]; then
		cp "$work/root/boot/vmlinuz-$release" "$work/vmlinuz"
		cp "$work/root/boot/config-$release" "$work/config"
	else
		cp "$modules/vmlinuz" "$modules/config" "$work"
	fi
}

prepare_modules() {
	local from=$work/root/lib/modules/$release to=$work/lib/modules

	[[ -d $from/kernel ]] || from=$work/root/usr/lib/modules/$release
	(cd "$from/kernel" && rm -rf "${prepare_unused[@]}")
	rm -f "$from"/{build,source,vmlinuz*,System.map}
	mkdir -p "$to"
	mv "$from" "$to"
	find "$to" -name '*.ko.xz' -print0 | xargs -0 -r -P "$(nproc)" -n 64 unxz
	depmod -b "$work" "$release"
}

# Debian's header packages name each other by absolute paths.
prepare_headers() {
	local link

	mkdir -p "$work/usr/lib"
	mv "$work/root/usr/src" "$work/usr/src"
	mv "$work"/root/usr/lib/linux-kbuild-* "$work/usr/lib"
	while IFS= read -r -d '' link; do
		ln -sfn "$target$(readlink "$link")" "$link"
	done < <(find "$work/usr" -type l -lname '/usr/*' -print0)
	grep -rlIE '/usr/(src/linux-headers|lib/linux-kbuild)' "$work"/usr/src/*/Makefile \
		"$work/usr/src/linux-headers-$release" |
		xargs -r sed -i -E "s,(^|[^[:alnum:]_.-])/usr/(src/linux-headers|lib/linux-kbuild),\\1$target/usr/\\2,g"
	ln -sfn "usr/src/linux-headers-$release" "$work/headers"
	prepare_for_tools "$work/usr/src/linux-headers-$release/include"
	prepare_host_programs
}

# The headers describe the tools of their own suite; bookworm's know less:
#   MIN_FUNCTION_ALIGNMENT  an option that gcc 12 rejects
#   BTF_MODULES, PAHOLE     pahole is too old or not there
#   COUNTED_BY              an attribute that gcc 12 warns of: an error with -Werror
# The first three for make alone: BTF_MODULES in C shapes struct module.
prepare_for_tools() {
	local make='CONFIG_(CC_HAS_MIN_FUNCTION_ALIGNMENT|DEBUG_INFO_BTF_MODULES)'

	sed -i -E "s/^$make=.*/# & (off: bookworm's tools)/; s/^(CONFIG_PAHOLE_VERSION)=.*/\\1=0/" \
		"$1/config/auto.conf"
	sed -i -E '/^#define CONFIG_CC_HAS_COUNTED_BY(_PTR)? /d' "$1/generated/autoconf.h"
}

# modpost and its like, built against a newer C library than this machine's,
# run with that library's own loader.
prepare_host_programs() {
	local program library loader=/lib64/ld-linux-x86-64.so.2

	library=$(find "$work/root" -name 'libc.so.6' -printf '%h' -quit)
	[[ -n $library ]] || return 0
	mkdir -p "$work/usr/lib/host"
	cp -L "$library"/*.so* "$work/usr/lib/host/"
	if [[ -d $work/root/lib/x86_64-linux-gnu ]]; then
		cp -L "$work"/root/lib/x86_64-linux-gnu/*.so* "$work/usr/lib/host/"
	fi
	while IFS= read -r -d '' program; do
		readelf -l "$program" 2>/dev/null | grep "interpreter: $loader" >/dev/null || continue
		mv "$program" "$program.real"
		cat >"$program" <<-EOF
		#!/bin/sh
		lib=$target/usr/lib/host
		exec "\$lib/${loader##*/}" --library-path "\$lib" --argv0 "\$0" "\$0.real" "\$@"
		EOF
		chmod +x "$program"
	done < <(find "$work/usr/lib"/linux-kbuild-* -type f -perm -u+x -print0)
}
