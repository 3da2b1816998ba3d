# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the kernel scripts share: where the cache is, which kernels the matrix
# has and where Debian keeps them. To be sourced.

# The matrix, oldest first: three series that Debian keeps for years, and "newest",
# whatever Debian's newest is on the day that it is fetched. Cases, bounds and records name
# that role; which release it was stands beside them.
# shellcheck disable=SC2034 # read by the scripts that source this file
KERNELS=(5.10 6.1 6.12 newest)

# The kernel that watches: the source of one of them, configured by debug.config
# and built by tests/kernels/debug. Not one of the matrix: a test that wants it names it.
# shellcheck disable=SC2034
DEBUG_KERNEL=6.1-debug

# Debian's sparse 0.6.4 cannot parse the headers of 7.2 and later.
# shellcheck disable=SC2034
SPARSE_KERNELS=(5.10 6.1 6.12)

# The newest one whose packages have scripts/kernel-doc: from 7.2 on they have none.
# shellcheck disable=SC2034
KERNEL_DOC_KERNEL=6.12

FARMEM_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/farmem

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# kernel_sources KERNEL - prints "ARCHIVE SUITE" for each suite, apt.sh's use_suites, that
# may have it: the newest there is in any of them is taken.
kernel_sources() {
	case $1 in
	5.10) printf '%s\n' "security bullseye-security" "main bullseye" ;;
	6.1) printf '%s\n' "security bookworm-security" "main bookworm" ;;
	6.12) printf '%s\n' "main bookworm-backports" "security bookworm-security" ;;
	newest) printf '%s\n' "main sid" "main trixie-backports" ;;
	*)
		die "there is no kernel '$1' in the matrix; choose one of: ${KERNELS[*]} $DEBUG_KERNEL" ;;
	esac
}

# kernel_versions KERNEL - the versions that it may have, as a regular expression.
kernel_versions() {
	if [[ $1 == newest ]]; then echo '[0-9]+[.][0-9]+'; else echo "${1//./[.]}"; fi
}

# Host programs of newer suites' header packages need a newer C library.
kernel_host_libraries() {
	case $1 in
	newest) echo libc6 libelf1t64 zlib1g libzstd1 ;;
	esac
}

# kernel_role KERNEL - the one of the matrix that it stands for: 6.1-debug is a 6.1.
kernel_role() {
	printf '%s\n' "${1%-debug}"
}

# kernel_check KERNEL - dies unless there is such a kernel.
kernel_check() {
	[[ $1 == "$DEBUG_KERNEL" ]] || kernel_sources "$1" >/dev/null
}

# kernel_slowness KERNEL - how many times as long things may take there. The only
# place that says so: every limit of a test is multiplied by it.
kernel_slowness() {
	if [[ $1 == "$DEBUG_KERNEL" ]]; then echo 5; else echo 1; fi
}

# kernel_patches - what the debug kernel's source is patched with.
kernel_patches() {
	sed -s -n '/^--- /,$p' "$(dirname "${BASH_SOURCE[0]}")"/debug-patches/*.patch
}

# kernel_dir KERNEL - the debug kernel's goes by the settings and patches it was
# built with: a checkout with others has one of its own.
kernel_dir() {
	local key here

	if [[ $1 != "$DEBUG_KERNEL" ]]; then
		printf '%s\n' "$FARMEM_CACHE/kernels/$1"
		return
	fi
	here=$(dirname "${BASH_SOURCE[0]}")
	key=$({
		sed -E '/^# CONFIG/!s/#.*//; /^ *$/d' "$here/debug.config" | sort
		kernel_patches
	} | sha256sum)
	printf '%s\n' "$FARMEM_CACHE/debug/${key:0:12}"
}

# kernel_cached KERNEL - is it there, ready to use?
kernel_cached() {
	[[ -e $(kernel_dir "$1")/release ]]
}

# kernel_need KERNEL - fetches or builds the kernel unless the cache has it.
kernel_need() {
	local how=fetch

	kernel_cached "$1" && return
	[[ $1 != "$DEBUG_KERNEL" ]] || how=debug
	"$(dirname "${BASH_SOURCE[0]}")/$how" "$1" >&2
}

kernel_release() {
	cat "$(kernel_dir "$1")/release"
}

# kernel_doc - prints where the kernel's own checker of its comments is; fetched if need be.
kernel_doc() {
	kernel_need "$KERNEL_DOC_KERNEL" &&
		printf '%s\n' "$(kernel_dir "$KERNEL_DOC_KERNEL")"/usr/lib/linux-kbuild-*/scripts/kernel-doc
}
