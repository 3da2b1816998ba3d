# farmem-verbs: every option of --help is in the man page, and the other way round.
page=$repo/docs/man/farmem-verbs.1
sed 's/\\//g' "$page" >"$box/source"
for command in "" server client sweep explain; do
	# shellcheck disable=SC2086
	"$build/farmem-verbs" $command --help
done >"$box/help"
man -l "$page" 2>/dev/null | col -bx | tr -s ' \n' ' ' >"$box/page"
sed -n 's/^ \(farmem-verbs [a-z].*\) \[options\]$/\1/p' "$box/help" | while read -r usage; do
	grep -qF " $usage " "$box/page" || echo "not in the synopsis: $usage"
done
grep -o -- '^  *--[a-z-]*\|, --[a-z-]*' "$box/help" | grep -o -- '--[a-z-]*' | sort -u >"$box/options"
echo "options: $(wc -l <"$box/options")"
while read -r option; do
	grep -q -- "^\.B[IR]* .*$option\b" "$box/source" || echo "not in the man page: $option"
done <"$box/options"
grep -o -- '--[a-z][a-z-]*' "$box/source" | sort -u | grep -vxFf "$box/options" | sed 's/^/in no help: /'
# Every fault that can be shown, and every exit code.
for fault in rkey lkey bounds rnr length retry rejected window; do
	grep -qw "$fault" "$box/source" || echo "not in the man page: --show $fault"
	grep -qw -- "--show $fault" "$repo/docs/verbs.md" || echo "not in verbs.md: --show $fault"
done
