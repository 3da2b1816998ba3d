# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rack.sh - for cases of farmemctl group: a tree with fake mdadm and LVM, and what is left in it.

# An empty one.
rack_make() {
	local name

	rm -rf "${box:?}"/{config,sys,proc,root,rack,bin}
	tree_make
	export FARMEM_ROOT=$box/root FAKE_RACK=$box/rack
	unset FAKE_STEP FAKE_HOW
	mkdir -p "$box/bin" "$FAKE_RACK" "$FARMEM_ROOT/var/lib" "$FARMEM_ROOT/dev" "$box/proc/sys/kernel/random"
	echo 01234567-89ab-cdef-0123-456789abcdef >"$box/proc/sys/kernel/random/uuid"
	for name in mdadm super vgchange vgcreate vgextend vgreduce vgremove vgs pvs lvs lvchange pvmove lvcreate lvextend lvremove wipefs; do
		ln -s "$here/fake-rack" "$box/bin/$name"
	done
	[[ $PATH == "$box/bin:"* ]] || export PATH=$box/bin:$PATH
}

# From now on the commands for volumes and sessions are counted, fail and end as well.
rack_count_all() {
	mkdir "$box/counted"
	cp "$build/farmemctl" "$box/counted/farmemctl-real"
	ln -s "$here/fake-rack" "$box/counted/farmemctl"
	farmemctl=$box/counted/uncounted
	# shellcheck disable=SC2016
	printf '#!/bin/bash\nexec -a farmemctl "${0%%/*}/farmemctl-real" "$@"\n' >"$farmemctl"
	chmod +x "$farmemctl"
}

# rack_scene NAME ARGUMENT... - group far of such arguments, as it was when it was made
rack_scene() {
	rack_make
	if [ ! -d "$box/scene-$1" ]; then
		quiet group create far "${@:2}"
		rack_asked >/dev/null
		mkdir "$box/scene-$1"
		cp -a "${box:?}"/{config,sys,root,rack} "$box/scene-$1"
	fi
	rm -rf "${box:?}"/{config,sys,root,rack}
	cp -a "$box/scene-$1"/* "$box"
}

# What mdadm and LVM were told since the last call.
rack_asked() {
	[ ! -f "$FAKE_RACK/log" ] || sed 's/^/  /' "$FAKE_RACK/log"
	rm -f "$FAKE_RACK/log" "$FAKE_RACK/steps"
}

# One line: volumes, arrays, groups of LVM, records.
rack_left() {
	(cd "$box" && shopt -s nullglob && echo "left:" config/volumes/* config/sessions/* root/dev/md/* \
		rack/groups/* root/var/lib/farmem/groups/*)
}

# rack_step N HOW ARGUMENT... - farmemctl, whose Nth command of others fails, or is its last;
# false if there are not so many.
rack_step() {
	rm -f "$FAKE_RACK/steps" "$FAKE_RACK/log"
	FAKE_STEP=$1 FAKE_HOW=$2 tool "${@:3}" >"$box/stdout" 2>"$box/stderr"
	[ -f "$FAKE_RACK/steps" ] && [ "$(wc -l <"$FAKE_RACK/steps")" -ge "$1" ]
}

# rack_full N ARGUMENT... - farmemctl, for whose Nth record the disk has no room; false if there
# are not so many
rack_full() {
	rm -f "$box/log"
	FAKE_FULL=$1 tool "${@:2}" >"$box/stdout" 2>"$box/stderr"
	grep -q '^full ' "$box/log"
}

# rack_lose VOLUME - its server is away, and its array has thrown it out
rack_lose() {
	local disk md

	disk=$(cat "$box/config/volumes/$1/device")
	for md in "$box"/sys/block/"$disk"/holders/md*; do
		md=${md##*/}
		echo faulty >"$box/sys/block/$md/md/dev-$disk/state"
		rm -f "$box/sys/block/$md/md/dev-$disk/slot"
		super "$md"
		echo 1 >"$box/sys/block/$md/md/degraded"
	done
	echo "${2:-recovering}" >"$box/config/volumes/$1/state"
}

# This node has crashed: what it had made is gone; servers keep what they lend, and LVM's and
# md's metadata lies there.
rack_crash() {
	rm -rf "${box:?}"/config/{volumes,sessions}/* "$box"/sys/block/* "$box"/root/dev/*
}

# rack_empty VOLUME - its server has lost its memory
rack_empty() {
	dd if=/dev/zero of="$FAKE_RACK/memory-$1" bs=8K count=1 status=none
}

# rack_current - the record's word on each chunk
rack_current() {
	echo "current: $(jq -r '"\(if .clean then "clean " else "" end)" + ([.chunks[] | select(.current) | .volume] | join(" "))' \
		"$box/root/var/lib/farmem/groups/far.json")"
}

# scene --copies N [ARGUMENT...] - group far, of $servers
scene() { rack_scene "$2" --size 64M --chunk 32M "$@" "${servers[@]}"; }

# told STEP HOW - what the command said at it, in one line, if it came to say something
told() {
	if [ "$2" != fail ]; then
		echo "$1: ended by a $2"
	else
		echo "$1: $(tail -n 1 "$box/stderr")"
	fi
}

# volumes - those that are there
volumes() { find "$box/config/volumes" -mindepth 1 -maxdepth 1 -printf "%f\n" | sort; }

# whole COPIES - the group is live, each pair is of two chunks apart from each other, and
# nothing is there that it does not have
whole() {
	local pairs

	[ "$(tool group list -n -o state)" = live ] || echo "NOT LIVE: $(tool group list -n)"
	pairs=$(tool group chunks far -n -o array,server | sort | uniq -c | awk '$1 > 1')
	[ -z "$pairs" ] || [ "$1" = 1 ] || echo "NOT APART: $pairs"
	[ "$(tool group chunks far -n -o volume | sort)" = "$(volumes)" ] ||
		echo "LEFT BEHIND: $(volumes)"
	[ "$1" = 1 ] || [ "$(tool group chunks far -n | wc -l)" = $((2 * $(find "$box/root/dev/md" -type l | wc -l))) ] ||
		echo "COPIES MISS: $(tool group chunks far -n)"
}
