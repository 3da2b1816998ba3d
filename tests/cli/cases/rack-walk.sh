# From one server to six: the commands of docs/rack.md's table, in turn.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make

commands() {
	awk -F'|' '
		/^## / { here = /From one server to six/ }
		here && match($3, /`[^`]+`/) { print substr($3, RSTART + 1, RLENGTH - 2) }' "$repo/docs/rack.md"
}

# shows - where its chunks are
shows() {
	echo "$1: $(tool group chunks "$1" -n --output server | sort | uniq -c | awk '{ print $2 " " $1 }' | paste -sd ,)"
}

while read -ra words; do
	patience=120 ctl "${words[@]}"
	for group in one far; do
		[ ! -e "$box/root/var/lib/farmem/groups/$group.json" ] || shows "$group"
	done
done < <(commands)
quiet group move one --from 192.0.2.1 --server 192.0.2.2
shows one
