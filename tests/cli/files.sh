# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# files.sh - for cases of files in /etc/farmem/volumes.d, below $FARMEM_ROOT.

# file NAME LINE... - the file of a volume.
file() {
	local folder=$FARMEM_ROOT/etc/farmem/volumes.d

	mkdir -p "$folder"
	printf '%s\n' "${@:2}" >"$folder/$1.conf"
}

# Programs that apply calls: what they were asked, and what is on the disk.
programs() {
	mkdir -p "$box/bin"
	# shellcheck disable=SC2016 # for the programs themselves
	printf '#!/bin/sh\necho "blkid $*" >>"$box/called"\n[ -s "$box/content" ] || exit 2\ncat "$box/content"\n' >"$box/bin/blkid"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\necho "mkswap $*" >>"$box/called"\nexit "$(cat "$box/mkswap" 2>/dev/null || echo 0)"\n' >"$box/bin/mkswap"
	chmod +x "$box/bin/blkid" "$box/bin/mkswap"
	export PATH=$box/bin:$PATH box
}

called() {
	[ ! -f "$box/called" ] || sed 's/^/called: /' "$box/called"
	rm -f "$box/called"
}

# units - what the generator makes, and what it says.
units() {
	rm -rf "$box/units"
	mkdir "$box/units"
	"$build/farmem-generator" "$box/units" 2>&1 || echo "exit $?"
	(cd "$box/units" && find . ! -type d | sort | while read -r unit; do
		if [ -L "$unit" ]; then
			echo "$unit -> $(readlink "$unit")"
		else
			echo "$unit"
			sed 's/^/  /' "$unit"
		fi
	done)
}
