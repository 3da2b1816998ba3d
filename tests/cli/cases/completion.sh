# Completion knows the commands, options and values that the tables of options have.
# shellcheck source=/dev/null
for name in farmemctl farmem-verbs farmemd; do
	. "$build/completion/$name"
done
# Programs that completion asks for names.
farmemctl() { tool "$@"; }

# offers WORD... - what may stand where the last one is
offers() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	"_${1//-/_}"
	echo "$* -> ${COMPREPLY[*]}"
}

scene_volume
offers farmemctl ''
offers farmemctl vol
offers farmemctl volume ''
offers farmemctl volume create data --s
offers farmemctl volume create data --session ''
offers farmemctl volume create data --size ''
offers farmemctl volume delete ''
offers farmemctl volume show d
offers farmemctl save d
offers farmemctl volume list --output S
offers farmemctl stats d
offers farmemctl wait d
offers farmemctl wait data --state ''
offers farmemctl doctor --node ''
offers farmemctl nothing ''
touch key.file key.other
offers farmemctl doctor --key key
offers farmem-verbs client ADDR --op ''
offers farmem-verbs client ADDR --show rn
offers farmem-verbs explain ''
offers farmemd --max
offers farmemd --hugepages ''
offers farmemd --config key.f

# Every option of every command is there.
for name in farmemctl farmem-verbs farmemd; do
	declare -n words="_${name//-/_}_words"
	for command in "${!words[@]}"; do
		# shellcheck disable=SC2086
		"$build/$name" ${command#.} --help | grep -oE '^ +(-[A-Za-z], )?--[a-z-]+' | grep -oE -- '--.*' |
			grep -vxFf <(printf '%s\n' "${words[$command]}" | sed 's/=.*//') | sed "s/^/not offered: $name $command /"
	done
done
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
quiet group create far --size 64M --server 10.0.0.2
offers farmemctl group show ''
offers farmemctl group create f
offers farmemctl group stop f
offers farmemctl group drain f
offers farmemctl top f
offers farmemctl save f
