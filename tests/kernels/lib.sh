# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the kernel scripts share: where the cache is, which kernels the matrix
# has and where Debian keeps them. To be sourced.

# The matrix, oldest first: every series that farmem supports.
# shellcheck disable=SC2034 # read by the scripts that source this file
KERNELS=(5.10 6.1 6.12 7.2)

# Debian's sparse 0.6.4 cannot parse the headers of 7.2.
# shellcheck disable=SC2034
SPARSE_KERNELS=(5.10 6.1 6.12)

FARMEM_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/farmem

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# kernel_sources SERIES - prints "ARCHIVE SUITE" lines, the preferred one first.
# A series leaves a rolling suite one day, so each has a place to fall back to.
kernel_sources() {
	local debian=http://deb.debian.org/debian
	local security=http://deb.debian.org/debian-security

	case $1 in
	5.10)
		echo "$security bullseye-security"
		echo "$debian bullseye" ;;
	6.1)
		echo "$security bookworm-security"
		echo "$debian bookworm" ;;
	6.12)
		echo "$debian bookworm-backports"
		echo "$security bookworm-security" ;;
	7.2)
		echo "$debian sid"
		echo "$debian forky" ;;
	*)
		die "there is no kernel '$1' in the matrix; choose one of: ${KERNELS[*]}" ;;
	esac
}

# Host programs of newer suites' header packages need a newer C library.
kernel_host_libraries() {
	case $1 in
	7.*) echo libc6 libelf1t64 zlib1g libzstd1 ;;
	esac
}

kernel_dir() {
	printf '%s\n' "$FARMEM_CACHE/kernels/$1"
}

# kernel_need SERIES - fetches the kernel unless the cache has it.
kernel_need() {
	[[ -e $(kernel_dir "$1")/release ]] ||
		"$(dirname "${BASH_SOURCE[0]}")/fetch" "$1" >&2
}

kernel_release() {
	cat "$(kernel_dir "$1")/release"
}
