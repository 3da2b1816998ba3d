# The doctor on farmemd: its configuration file, which is read as farmemd reads it, and
# whether it runs.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
node_lends
conf=$root/etc/farmem/farmemd.conf

farmemd_conf 'sise = 8G'
sick "a key that there is not" --node memory
farmemd_conf '[memory]'
sick "a section that there is not, and that says nothing" --node memory
farmemd_conf '[memory]' 'size = 3G'
sick "a section that there is not" --node memory
put "$conf" $'[farmemd]\nsize = 4G'
sick "nobody is admitted, and it runs" --node memory
rm -r "$proc/1234"
sick "and it does not" --node memory
farmemd_conf '[client a]' 'quota = 1G'
sick "a client's section" --node memory
farmemd_conf "control = /run/other.sock"
sick "another socket, where nobody answers" --node memory
mkfifo "$box/leash2"
"$helpers/fake-farmemd" "$root/run/other.sock" "$box/answers" <"$box/leash2" &
exec 8>"$box/leash2"
until [ -S "$root/run/other.sock" ]; do sleep 0.05; done
sick "another socket" --node memory
exec 8>&-
farmemd_conf

sick "farmemd does not answer" --node memory --control "$box/none"
mkdir -p "$root/run/systemd/system"
put "$box/unit" $'LoadState=not-found\nLimitMEMLOCKSoft=infinity'
sick "and systemd knows of no unit" --node memory --control "$box/none"
put "$box/unit" $'LoadState=loaded\nUnitFileState=disabled\nLimitMEMLOCKSoft=infinity'
sick "it does" --node memory --control "$box/none"
sick "nobody said that it is to lend" --control "$box/none" --fix
changed
put "$box/unit" $'LoadState=loaded\nUnitFileState=enabled\nLimitMEMLOCKSoft=infinity'
sick "but for systemd, which is to start it" --control "$box/none" --fix
changed
exec 9>&-
rm -f "$root/run/farmem/farmemd.sock"
cat >"$box/do-systemctl" <<-EOT
	#!/bin/bash
	"$helpers/fake-farmemd" "$root/run/farmem/farmemd.sock" "$box/answers" <"$box/leash" >/dev/null 2>&1 9>&- &
	until [ -S "$root/run/farmem/farmemd.sock" ]; do sleep 0.05; done
EOT
chmod +x "$box/do-systemctl"
exec 9<>"$box/leash"
sick "--fix starts it" --node memory --fix
changed
exec 9>&-
rm -f "$root/run/farmem/farmemd.sock" "$conf"
rm -r "$sys/module/farmem"
sick "nothing tells what this node is"

# Without farmemd there is nobody to read the file, which then tells nothing.
farmemd_conf 'hugepages = 2M'
rm "$box/bin/farmemd"
fake farmemd <<<'exit 127'
sick "farmemd is not there, and nothing tells what this node is"
sick "it is to lend" --node memory
put "$proc/1234/comm" farmemd
sick "another farmemd runs" --node memory
rm -r "$proc/1234"
fake farmemd <<<'echo "{}"'
sick "farmemd of another release" --node memory
fake farmemd <<-EOT
	echo "{\"file\": \"unreadable\", \"error\": \"$conf: Permission denied\", \"locked\": 0,
		\"missing\": 0, \"hugepages\": 0, \"control\": \"/run/x\", \"port\": 1}"
	exit 78
EOT
sick "a file that only root may read" --node memory
mkdir "$sys/module/farmem"
fake farmemd <<<'exit 127'
doctor -n -o check | grep farmemd || echo "a compute node needs none"
