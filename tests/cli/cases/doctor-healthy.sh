# The doctor on nodes that are well: all of what it prints, and that it changes nothing.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
everything() { (cd "$box" && find config sys proc root -type f -exec md5sum {} + | sort); }
before=$(everything)
doctor
doctor --server 10.0.0.2 --client node1
tool doctor --json | jq -c '.doctor[:2][], (.doctor | length)'
doctor -J
doctor --no-such-thing
doctor --node router
doctor --key /etc/farmem/key
doctor --server 10.0.0.2 --key keyring:farmem
doctor --server 10.0.0.2 --key 'node1 000102030405060708090a0b0c0d0e0f'
doctor --server 10.0.0.2 --key 000102030405060708090a0b0c0d0e0f --json
doctor -n -o check,verdict | head -n 3
cat "$box/visits"
node_lends
doctor --node memory
tool doctor --node both -n -o verdict | sort | uniq -c | tr -s ' '
[ "$(everything | grep -v root/etc/farmem | grep -v proc/1234 | grep -v proc/self/limits)" = "$(grep -v proc/self/limits <<<"$before")" ] || echo "SOMETHING CHANGED"
changed
