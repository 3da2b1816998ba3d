# SPDX-License-Identifier: GPL-2.0
# Files and command lines that are wrong: what is wrong, and where.

: >"$box/empty"

# refused TEXT LINE... - such a file is.
refused() {
	local text=$1 said
	shift

	printf '%s\n' "$@" >"$box/c"
	! said=$("$build/farmem-agent" --config "$box/c" --check 2>&1) || die "taken: $*"
	[[ $said == *"$text"* ]] || die "'$text' is not in: $said"
}

refused "no etcd; give the URL of each of its members" "domain = r"
refused "c:2: unknown key 'colour'" "etcd = http://x" "colour = red"
refused "c:1: begins a section; this file has none" "[agent]" "etcd = http://x"
refused "c:1: ttl: '4' is not a number of seconds from 5 to 3600" "ttl = 4" "etcd = http://x"
refused "c:1: sets: '2' is not a number of seconds from 5 to 3600" "sets = 2" "etcd = http://x"
refused "c:2: 'domain' is given a second time" "domain = a" "domain = b" "etcd = http://x"
refused "c:1: domain has no value" "domain =" "etcd = http://x"
refused "user and password go together" "etcd = http://x" "user = u"
refused "there is no key in it" "etcd = https://x" "cert = /c" "key = $box/empty"
refused "cert and key go together" "etcd = http://x" "cert = /c"
refused "etcd = 10.0.0.1:2379 begins with neither https:// nor http://" "etcd = 10.0.0.1:2379"
refused "etcd = http://x uses no TLS, but there is ca or cert" "etcd = http://x" "ca = /c"
refused "etcd = http://x uses no TLS, and the password would go in clear" "etcd = http://x" "user = u" "password = /p"
refused "domain: 'two words' is not a word of visible ASCII characters" "etcd = http://x" "domain = two words"
refused "node: 'a/b' has a / in it" "etcd = http://x" "node = a/b"
refused "c:2: page: '0' is neither a port such as 9473" "etcd = http://x" "page = 0"
refused "nothing: No such file or directory" "etcd = https://x" "status-socket = /s" "user = u" "password = $box/nothing"
refused "empty: there is no password in its first line" "etcd = https://x" "status-socket = /s" "user = u" "password = $box/empty"
printf '%s\n' "etcd = http://x" "status-socket = /s" >"$box/c"
"$build/farmem-agent" --config "$box/c" --check || die "refused: a file that is right"
# A node that only reads the directory has nothing to serve.
echo "etcd = http://x" >"$box/c"
[[ $("$build/farmem-agent" --config "$box/c") == "neither status-socket nor node, sets nor page: "* ]] || die "a node that only reads"
! said=$("$build/farmem-agent" --config "$box/none" 2>&1) || die "taken: no file"
[[ $said == *"none: No such file or directory"* ]] || die "no file: $said"
status=0
said=$("$build/farmem-agent" --chek 2>&1) || status=$?
[[ $status == 2 && $said == *"did you mean"*check* ]] || die "misuse: $status, $said"
! said=$("$build/farmemctl" cluster servers --config "$box/none" 2>&1) || die "taken: no file"
[[ $said == *"none: No such file or directory"* ]] || die "no file: $said"
"$build/farmem-agent" --help | grep "usage: farmem-agent" >/dev/null
[[ $("$build/farmem-agent" --version) == "farmem-agent "[0-9]* ]] || die "its version"
