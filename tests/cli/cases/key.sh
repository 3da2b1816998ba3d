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
chmod 644 "$box/keys"
uuid=01234567-89ab-cdef-0123-456789abcdef
ctl key derive node1 --key keys --uuid $uuid
chmod 600 "$box/keys"
# The digits were computed by Python's hmac module.
ctl key derive node1 --key keys --uuid $uuid
ctl key derive node1 --key keys --uuid "${uuid//-/}"
ctl key derive node2 --key keys --uuid $uuid
ctl key derive node1 --key keys --uuid 0123
ctl key derive node1 --key keys
ctl key derive '#a' --key keys --uuid $uuid
ctl key derive node1 --key nowhere --uuid $uuid
# What it made is no client's key.
tool key derive node1 --key keys --uuid $uuid >"$box/derived"
chmod 600 "$box/derived"
ctl key derive node1 --key derived --uuid $uuid
ctl session create a --server 10.0.0.2 --key keys
cat "$box/config/sessions/a/key"
ctl session create b --server 10.0.0.4 --key keyring:farmem:node1
cat "$box/config/sessions/b/key"
ctl session create c --server 10.0.0.5 --key 00112233445566778899aabbccddeeff
ctl volume create v --size 1G --server 10.0.0.3 --key nowhere/keys
ctl volume create v --size 1G --session a --key keyring:farmem:other
left
