# What is parsed, what --help says and what the pages say must be one.
#
# Every command and option of --help is in the man page, every option of the man
# page is in some --help, every column that is a kernel file is in docs/abi.md,
# and docs/abi.md matches the fake kernel both ways.
page=$repo/docs/man/farmemctl.8
plain() { man -l "$1" 2>/dev/null | col -bx; }
plain "$page" | tr -s ' \n' ' ' >"$box/page"
sed 's/\\//g' "$page" >"$box/source"

tool --help | sed -n '/^Commands:/,/^$/s/^ \([a-z]*\( [a-z]\+\)\?\) .*/\1/p' | sed 's/ *$//' | sort -u >"$box/commands"
echo "commands: $(wc -l <"$box/commands")"
: >"$box/options"
while read -r command; do
	# shellcheck disable=SC2086
	tool $command --help >"$box/help" || echo "no help: $command"
	# With its argument and what it cannot do without.
	usage=$(sed -n 's/^ \(farmemctl .*\) \[options\]$/\1/p' "$box/help")
	grep -qF " $usage " "$box/page" || echo "not in the synopsis: $usage"
	grep -o -- '--[a-z-]*' "$box/help" >>"$box/options"
done <"$box/commands"
tool --help | grep -o -- '--[a-z-]*' >>"$box/options"
sort -u "$box/options" -o "$box/options"
echo "options: $(wc -l <"$box/options")"
while read -r option; do
	grep -q -- "^\.B.* *$option\b" "$box/source" || echo "not in the man page: $option"
done <"$box/options"
grep -o -- '--[a-z][a-z-]*' "$box/source" | sort -u | grep -vxF -e --priority -e --now |
	grep -vxFf "$box/options" | sed 's/^/in no help: /'

# The columns that come from the kernel's files.
for what in volume session stats; do
	verb=list
	[ $what != stats ] || verb=
	# shellcheck disable=SC2086
	tool $what $verb --help | sed -n '/^Columns with/q; s/^ [ *] \([A-Z_][A-Z_]*\) .*/\1/p' | tr '[:upper:]' '[:lower:]' |
		grep -vxF -e name -e use -e volume | while read -r column; do
		grep -q "^| \`$column\`" "$repo/docs/abi.md" || echo "not in abi.md: $what $column"
	done
done

# The module's page names every parameter and file; so does abi.md the fake's.
sed 's/\\//g' "$repo/docs/man/farmem.4" >"$box/module-page"
# shellcheck disable=SC2016
sed -n 's/^| `\([a-z_]*\)`.*/\1/p' "$repo/docs/abi.md" | sort -u | while read -r name; do
	grep -qw "$name" "$box/module-page" || echo "not in farmem.4: $name"
done
scene_volume
mkdir "$box/sys/module/farmem/parameters"
for name in server size name client key source queues uuid sync checksum takeover connect_timeout reconnect_delay reconnect_max heartbeat peer_timeout io_deadline frontswap poll_budget_us; do
	touch "$box/sys/module/farmem/parameters/$name"
done
(cd "$here" && LD_PRELOAD=$helpers/fake-kernel.so ./abi-drift)
rm "$box/sys/block/farmem0/farmem/reads"
touch "$box/sys/module/farmem/parameters/secret"
(cd "$here" && LD_PRELOAD=$helpers/fake-kernel.so ./abi-drift)

# Every reason that the server may give is in docs/troubleshooting.md.
sed -n 's/.*\[FARMEM_ERR_[A-Z_]*\] = "\(.*\)",/\1/p' "$repo/include/farmem-proto.h" >"$box/reasons"
echo "reasons: $(wc -l <"$box/reasons")"
sed -n 's/^| "\([^"]*\)".*/\1/p' "$repo/docs/troubleshooting.md" >"$box/explained"
while read -r reason; do
	found=
	while read -r part; do
		case $reason in *"$part"*) found=1 ;; esac
	done <"$box/explained"
	[ -n "$found" ] || echo "not in troubleshooting.md: $reason"
done <"$box/reasons"
