# zsh offers what bash does.  Its completion works in a terminal alone: another zsh gives one.
export HOME=$box ZDOTDIR=$box
# A program of this name is asked for names.
export -f tool
printf '#!/bin/bash\ntool "$@"\n' >farmemctl
chmod +x farmemctl

# What the inner zsh begins with: Tab writes what is offered to a file, and then another.
cat >init <<END
PATH=$box:\$PATH
fpath=($build/completion \$fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' completer _complete
compadd() {
	local -a hits
	# With -A, -D or -O nothing is offered yet.
	if [[ \${@[1,(i)(-|--)]} != *-[ADO]* ]]; then
		builtin compadd -A hits "\$@"
		(( ! \$#hits )) || print -rl -- \$hits >>offered
	fi
	builtin compadd "\$@"
}
offer() {
	_main_complete
	compstate[insert]= compstate[list]=
	: >told
}
zle -C offer complete-word offer
bindkey '^I' offer
: >told
END

cat >outer <<'END'
zmodload zsh/zpty
# A generous limit, for busy machines.
await() { repeat 600; do [[ ! -e told ]] || { rm told; return }; sleep 0.05; done; print "NOTHING OFFERED"; }
zpty inner zsh -f -i
zpty -w inner ' . ./init'
await
for line; do
	print -r -- "$line ->"
	: >offered
	zpty -w -n inner $'\C-u'"$line"$'\t'
	await
	sort -u offered
done
zpty -d inner
END

scene_volume
touch key.file key.other
zsh -f outer 'farmemctl ' 'farmemctl vol' 'farmemctl volume ' 'farmemctl volume create data --s' \
	'farmemctl volume create data --session ' 'farmemctl volume create data --size ' \
	'farmemctl volume show d' 'farmemctl wait d' 'farmemctl wait data --state ' \
	'farmemctl wait data --state=l' 'farmemctl volume list --output S' \
	'farmemctl doctor --key key' 'farmemctl doctor --key=key' \
	'farmem-verbs client ADDR --op ' 'farmem-verbs explain ' 'farmemd --max' 'farmemd --hugepages '
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
quiet group create far --size 64M --server 10.0.0.2
zsh -f outer 'farmemctl group stop f' 'farmemctl top f'
