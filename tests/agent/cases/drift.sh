# SPDX-License-Identifier: GPL-2.0
# What --help says, what the file takes and what farmem-agent(8) says are one.
page=$here/../../docs/man/farmem-agent.8

"$build/farmem-agent" --help | grep -oE '^  (-., |    )--[a-z]+' | grep -oE '[a-z]+$' >"$box/options"
sed -n '/^The options are/,/^\.El/s/^\.It Fl .*\\-\([a-z]*\).*/\1/p' "$page" | diff "$box/options" - ||
	die "^ the options, and those of farmem-agent(8)"
(($(wc -l <"$box/options") >= 5)) || die "few options: $(<"$box/options")"

echo "none = 1" >"$box/c"
"$build/farmem-agent" --config "$box/c" --check 2>&1 | sed 's/.*there are //; s/, /\n/g' | sort >"$box/keys" || true
sed -n '/^\.Ss The configuration/,/^\.El/s/^\.It Cm //p' "$page" | sort | diff "$box/keys" - ||
	die "^ the keys, and those of farmem-agent(8)"
(($(wc -l <"$box/keys") >= 10)) || die "few keys: $(<"$box/keys")"
