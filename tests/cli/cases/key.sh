# Keys: new ones each time; a session gets a reference, never the key.
masked() {
	sed -E 's/\b[0-9a-f]{64}\b/KEY/'
}

tool key generate node1 | masked
[ "$(tool key generate node1)" != "$(tool key generate node1)" ] || echo "THE SAME KEY TWICE"
ctl key generate 'a b'
ctl key generate '#a'
ctl key generate
echo "node1 00112233445566778899aabbccddeeff" >"$box/keys"
ctl session create a --server 10.0.0.2 --key keys
cat "$box/config/sessions/a/key"
ctl session create b --server 10.0.0.4 --key keyring:farmem:node1
cat "$box/config/sessions/b/key"
ctl session create c --server 10.0.0.5 --key 00112233445566778899aabbccddeeff
ctl volume create v --size 1G --server 10.0.0.3 --key nowhere/keys
ctl volume create v --size 1G --session a --key keyring:farmem:other
left
