# farmemd: what --help says, from the table of options, is what the man pages say and what
# farmemd.conf takes, option for option.
page=$repo/docs/man/farmemd.8
"$build/farmemd" --help >"$box/help"
man -l "$page" 2>/dev/null | col -bx | tr -s ' \n' ' ' >"$box/page"

# Lines "LETTER NAME ARGUMENT", with "-" for what there is not.
sed -nE 's/^  (-(.),|   ) --([a-z-]+)( ([^ ]+))? .*/\2;\3;\5/p' "$box/help" |
	awk -F ';' '{ print ($1 ? $1 : "-"), $2, ($3 ? $3 : "-") }' >"$box/options"
echo "options: $(wc -l <"$box/options")"

# The synopsis is made of those above --check; the one before that must be there.
synopsis=$(awk '$2 == "check" { exit }
	{ text = "--" $2 ($3 == "-" ? "" : " " $3) }
	$2 == "size" { printf " %s", text; next }
	{ printf " [%s]", text }' "$box/options")
synopsis="farmemd$synopsis [--verbose] farmemd --check | --show-config [option ...] farmemd --version | --help "
sed 's/ | \([0-9]\)/|\1/g' "$box/page" | grep -F " $synopsis" >/dev/null || echo "not the synopsis: $synopsis"

# headings - the options that the man page explains, in its order.
headings() {
	sed -n '/^\.Sh DESCRIPTION/,/^\.Ss/s/^\.It Fl //p' "$page" |
		sed 's/ , Fl / /; s/\\-/-/g; s/ Ns Op : Ns Ar /:/; s/ | /|/; s/\<Ar //; s/\<Cm //' |
		awk '/^-/ { $0 = "- " $0 } { print $1, substr($2, 2), ($3 ? $3 : "-") }'
}
headings | diff "$box/options" - || echo "^ the options, and those of farmemd(8)"

# A default is a value that the page names.
sed -nE 's/.*\(default ([^ :)]+).*/\1/p' "$box/help" | while read -r value; do
	grep -qE "default(, $value,| is $value *[.])" "$box/page" || echo "no default in the man page: $value"
done

# A key is known to the file if farmemd has something else to say than that it is not.
while read -r _ name _; do
	echo "$name = no" >"$box/conf"
	said=$("$build/farmemd" --config "$box/conf" 2>&1)
	case $said in *"unknown key"* | *"for the command line only"*) ;; *) echo "$name" ;; esac
done <"$box/options" >"$box/keys"
echo "keys: $(wc -l <"$box/keys")"
sed -n '/^\.Ss \[farmemd\]/,/^\.Ss \[client/s/^\.It Cm //p' "$repo/docs/man/farmemd.conf.5" | diff "$box/keys" - ||
	echo "^ the keys, and those of farmemd.conf(5)"

# --show-config has the same keys, and what else it has is in its section of the page.
"$build/farmemd" --show-config --size 1G --insecure | jq -r 'keys[]' >"$box/shown"
grep -vxFf "$box/shown" "$box/keys" | sed 's/^/not shown: /'
sed -n '/^\.Ss Configuration as JSON/,/^\.Ss Rights/s/^\.It Cm //p' "$page" | sort |
	diff <(grep -vxFf "$box/keys" "$box/shown") - || echo "^ what --show-config has beside the keys, and farmemd(8)"
