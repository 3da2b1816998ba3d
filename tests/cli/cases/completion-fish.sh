# fish offers what bash does, with the text of each option.
export HOME=$box XDG_CONFIG_HOME=$box
# A program of this name is asked for names.
export -f tool
printf '#!/bin/bash\ntool "$@"\n' >farmemctl
chmod +x farmemctl

# offers LINE - what may stand where it ends
offers() {
	echo "$1 ->"
	# shellcheck disable=SC2016 # fish's own variables
	PATH=$box:$PATH fish --no-config -c '
		for each in $argv[2..-1]; source $each; end
		complete -C $argv[1]
	' "$1" "$build"/completion/*.fish | tr '\t' '|'
}

scene_volume
offers 'farmemctl '
offers 'farmemctl vol'
offers 'farmemctl volume '
offers 'farmemctl volume create data --s'
offers 'farmemctl volume create data --session '
offers 'farmemctl volume create data --size '
offers 'farmemctl volume show d'
offers 'farmemctl wait d'
offers 'farmemctl wait data --state '
offers 'farmemctl wait data --state=l'
offers 'farmemctl volume list --output S'
touch key.file key.other
offers 'farmemctl doctor --key key'
offers 'farmemctl doctor --key=key'
offers 'farmem-verbs client ADDR --op '
offers 'farmem-verbs explain '
offers 'farmemd --max'
offers 'farmemd --hugepages '
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
quiet group create far --size 64M --server 10.0.0.2
offers 'farmemctl group stop f'
offers 'farmemctl top f'
