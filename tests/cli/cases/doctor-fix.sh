# --fix says each command that it runs, runs none twice, and looks again; without it
# nothing is run.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
port=$sys/class/infiniband/rxe0/ports/1
down() {
	put "$port/state" '1: DOWN'
	put "$port/phys_state" '3: Disabled'
}
cat >"$box/do-ip" <<-EOT
	#!/bin/bash
	echo '4: ACTIVE' >"$port/state"
	echo '5: LinkUp' >"$port/phys_state"
	echo 'It is up.'
EOT
chmod +x "$box/do-ip"

down
sick "without --fix"
changed
sick "with it" --fix
changed
down
tool doctor --fix --json 2>"$box/said" | jq -r '.doctor[] | select(.check == "rdma.ports") | .verdict'
cat "$box/said"
changed
rm "$box/do-ip"
down
sick "a command that does not help" --fix
changed

# What one command makes possible is seen, and mended.
rm -rf "$sys/module/rdma_ucm" "$sys/module/ib_uverbs" "$box/keep"
mv "$sys/class/infiniband/rxe0" "$box/keep"
cat >"$box/do-modprobe" <<-EOT
	#!/bin/bash
	for name; do [ "\$name" = -a ] || mkdir -p "$sys/module/\$name"; done
EOT
cat >"$box/do-rdma" <<-EOT
	#!/bin/bash
	mv "$box/keep" "$sys/class/infiniband/rxe0"
EOT
cat >"$box/do-ip" <<-EOT
	#!/bin/bash
	echo '4: ACTIVE' >"$port/state"
	echo '5: LinkUp' >"$port/phys_state"
EOT
chmod +x "$box"/do-*
sick "one after the other" --node both --fix
changed

# The first command of a finding that fails ends it.
mv "$sys/class/infiniband/rxe0" "$box/keep"
chmod -x "$box/do-rdma"
printf '#!/bin/bash\nexit 3\n' >"$box/do-modprobe"
sick "a command that fails" --fix
changed
rm "$box/bin/modprobe" "$box/do-modprobe"
fake modprobe <<<'exit 127'
sick "a command that is not there" --fix
changed

# A name that a shell would take apart is one word.
mv "$box/keep" "$sys/class/infiniband/rxe0"
for number in 0 1; do put "$port/gid_attrs/ndevs/$number" "a;b'c"; done
down
sick "an odd name" --fix
changed
# What may be as it is meant to be is left to you.
put "$sys/module/zswap/parameters/enabled" Y
printf 'Filename\tType\tSize\tUsed\tPriority\n/dev/farmem0\tpartition\t1048572\t0\t100\n' >"$proc/swaps"
sick "zswap" --fix
cat "$sys/module/zswap/parameters/enabled"
