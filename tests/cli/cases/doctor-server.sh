# The way to a server, as farmem-fabric tells of it, and farmem-fabric that tells nothing.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
node_known --server 10.0.0.2
sed -i 's/.*server.connect\tok.*/step\tserver.connect\tfail\tnothing listens there\tstart it/; /server.version/,$d' "$box/visit"
sick "nobody there" --server 10.0.0.2
printf 'step\tserver.address\tfail\tno such host\tgetent ahosts NAME\n' >"$box/visit"
sick "no address" --server nowhere
printf 'nonsense\nstep\tserver.address\tgreat\tx\t\nstep\tserver.route\n\t\t\t\t\t\t\n' >"$box/visit"
sick "nonsense" --server 10.0.0.2
fake fabric <<<'exit 127'
sick "it does not start" --server 10.0.0.2
fake fabric <<<'kill -9 $$'
sick "it is killed" --server 10.0.0.2
fake fabric <<-EOT
	printf 'step\tserver.address\tok\tx\t\nstep\tserver.route\tok\tx\t\n'
	kill -9 \$\$
EOT
sick "it is killed on the way" --server 10.0.0.2

# What a user's PATH lacks is found all the same, after what it has.
fake fabric <<<"echo \"\$PATH\" >>$box/paths"
PATH=$box/bin:/usr/bin:/bin quiet doctor -n -o check >/dev/null
sort -u "$box/paths" | sed "s|$build|BUILD|g"

# farmem-fabric itself, as far as it needs no device.
fake fabric <<-EOT
	[ "\$1" != devices ] || exec cat "$box/devices"
	exec "$build/farmem-fabric" "\$@"
EOT
sick "memory of one's own" --server local
sick "no such source" --server 10.0.0.2 --source nonsense
put "$box/keys" 'node1 000102030405060708090a0b0c0d0e0f'
sick "a file of keys that others can read" --server 127.0.0.1 --client node1 --key "$box/keys"
chmod 600 "$box/keys"
sick "without a key of this client" --server 127.0.0.1 --client node2 --key "$box/keys"
