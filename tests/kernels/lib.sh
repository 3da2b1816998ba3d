# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the kernel scripts share: where the cache is, which kernels the matrix
# has and where Debian keeps them. To be sourced.

# The matrix, oldest first: every series that farmem supports.
# shellcheck disable=SC2034 # read by the scripts that source this file
KERNELS=(5.10 6.1 6.12 7.2)

# The kernel that watches: the source of one of them, configured by debug.config
# and built by tests/kernels/debug. Not one of the matrix: a test that wants it names it.
# shellcheck disable=SC2034
DEBUG_KERNEL=6.1-debug

# Debian's sparse 0.6.4 cannot parse the headers of 7.2.
# shellcheck disable=SC2034
SPARSE_KERNELS=(5.10 6.1 6.12)

# The newest one whose packages have scripts/kernel-doc: 7.2's have none.
# shellcheck disable=SC2034
KERNEL_DOC_KERNEL=6.12

FARMEM_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/farmem

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# kernel_sources SERIES - prints "ARCHIVE SUITE" lines for apt.sh's use_suite, the
# preferred one first. A series leaves a rolling suite one day, so each has a place to
# fall back to.
kernel_sources() {
	case $1 in
	5.10)
		echo "security bullseye-security"
		echo "main bullseye" ;;
	6.1)
		echo "security bookworm-security"
		echo "main bookworm" ;;
	6.12)
		echo "main bookworm-backports"
		echo "security bookworm-security" ;;
	7.2)
		echo "main sid"
		echo "main forky" ;;
	*)
		die "there is no kernel '$1' in the matrix; choose one of: ${KERNELS[*]} $DEBUG_KERNEL" ;;
	esac
}

# Host programs of newer suites' header packages need a newer C library.
kernel_host_libraries() {
	case $1 in
	7.*) echo libc6 libelf1t64 zlib1g libzstd1 ;;
	esac
}

# kernel_series KERNEL - the series that a kernel is of: 6.1-debug is a 6.1.
kernel_series() {
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
