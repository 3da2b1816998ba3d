# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Debian's packages, of whatever suite, without installing them. To be sourced behind
# lib.sh; the caller of use_suites and apt_unpack sets apt, a folder to work in, and has
# say TEXT... and fail TEXT...
#
# apt works with a state directory of its own, so that the machine's sources
# and package database stay as they are. Debian's keyring verifies everything.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# apt_private TOOL ARG... - apt-get or apt-cache on that state.
apt_private() {
	local tool=$1
	shift
	"$tool" -q -o "Dir::Etc::sourcelist=$apt/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
		-o "Dir::State=$apt/state" -o "Dir::State::lists=$apt/lists" \
		-o Dir::State::status=/dev/null -o "Dir::Cache=$apt/cache" \
		-o "APT::Sandbox::User=$(id -un)" -o APT::Architecture=amd64 \
		-o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# archive_of main|security - where this machine has such Debian packages from.
archive_of() {
	local release

	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	[[ $1 == main ]] || release+=-$1
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^$release main //p" | sed -n '1s|/*$||p'
}

# use_suites - points the private apt at the suites of standard input, and at nothing else:
# a line "main|security SUITE" for each. Of two that have a package the newer one's is taken.
# A suite leaves the archive one day: that one is gone is only said, that all are is an error.
use_suites() {
	local kind suite archive read=0

	mkdir -p "$apt"/{state,lists,cache}
	: >"$apt/sources.list"
	while read -r kind suite; do
		archive=$(archive_of "$kind")
		[[ -n $archive ]] || fail "apt's sources on this machine name no archive of Debian" \
			"($kind packages). Is it Debian, and is /etc/apt whole?"
		echo "deb [signed-by=$keyring] $archive $suite main" >>"$apt/sources.list"
		apt_private apt-get --error-on=any update >"$apt/log" 2>&1 && read=$((read + 1)) && continue
		sed 's/^/  apt: /' "$apt/log" >&2
		say "cannot read $archive $suite" >&2
		sed -i '$d' "$apt/sources.list"
	done
	((read)) || fail "no suite can be read. Is this machine offline, or is a proxy missing" \
		"in its apt configuration? Try: curl -sI $archive/dists/$suite/InRelease"
}

# apt_unpack WORK PACKAGE... - their files, in WORK/root.
apt_unpack() {
	local work=$1 deb
	shift

	say "downloading $# packages"
	mkdir "$work/debs"
	(cd "$work/debs" && apt_private apt-get download "$@") >"$apt/log" 2>&1 || {
		sed 's/^/  apt: /' "$apt/log" >&2
		fail "download failed: see the lines above"
	}
	for deb in "$work"/debs/*.deb; do
		dpkg-deb -x "$deb" "$work/root"
	done
	rm -r "$work/debs"
}

# apt_program NAME SUITE PROGRAM PACKAGE... - the cache's folder NAME with these packages'
# files. PROGRAM --version, of these files and with their libraries, must work.
apt_program() {
	local name=$1 suite=$2 program=$3 target=$FARMEM_CACHE/$1 work

	apt=$FARMEM_CACHE/apt/$name
	say() { printf '[%s] %s\n' "$name" "$*"; }
	fail() { say "$*" >&2; exit 1; }
	[[ -r $keyring ]] || die "$keyring is missing: run tests/setup"
	mkdir -p "$apt"
	exec 9>"$apt/lock"
	flock 9
	[[ ! -e $target ]] || return 0
	rm -rf "$target".*
	work=$(mktemp -d "$target.XXXXXX")
	# shellcheck disable=SC2064 # as it is now
	trap "rm -rf '$work'" EXIT
	use_suites <<<"main $suite"
	apt_unpack "$work" "${@:4}"
	LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu \
		"$work/root/$program" --version >"$apt/log" 2>&1 || {
		sed 's/^/  /' "$apt/log" >&2
		fail "it does not run: see the lines above"
	}
	rm -rf "$apt/cache"
	mv "$work/root" "$target"
	say "$(head -n 1 "$apt/log") is ready"
}
