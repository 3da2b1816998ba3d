# farmemctl cluster: what farmem-agent prints, as a table; tests/agent has the real one.
mkdir "$box/bin"
cat >"$box/bin/farmem-agent" <<'EOF'
#!/bin/bash
echo "asked: $*" >>"${0%/*}/asked"
cat "${0%/*}/answer"
exit "$(cat "${0%/*}/status")"
EOF
chmod +x "$box/bin/farmem-agent"
PATH=$box/bin:$PATH

# says STATUS TEXT
says() {
	echo "$1" >"$box/bin/status"
	echo "$2" >"$box/bin/answer"
}

says 0 '{"version": 1, "servers": [
	{"uuid": "b", "host": "n2", "domain": "r2", "addresses": ["10.0.0.2:7471", "[fd00::2]:7471"], "slab_size": 16777216, "release": "0.2.0", "size": 4294967296, "free": 1073741824, "cordoned": false},
	{"uuid": "a", "host": "n1", "domain": "r1", "addresses": ["10.0.0.1:7471"], "slab_size": 16777216, "release": "0.2.0"}]}'
ctl cluster servers
ctl cluster servers --output host,slab_size,release,uuid
ctl cluster servers --json
ctl cluster
says 0 '{"version": 1, "servers": []}'
ctl cluster servers
ctl cluster servers --json
ctl cluster servers --noheadings
says 1 "farmem-agent: etcd is away"
ctl cluster servers --config /a/file
says 0 '{"version": 2}'
ctl cluster servers
says 3 ""
echo -n >"$box/bin/answer"
ctl cluster servers
sort -u "$box/bin/asked"
