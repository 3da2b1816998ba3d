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
	{"uuid": "b", "host": "n2", "domain": "r2", "addresses": ["10.0.0.2:7471", "[fd00::2]:7471"], "slab_size": 16777216, "release": "0.2.0", "size": 4294967296, "free": 1073741824, "lent": 2147483648, "wanted": 67108864, "pressure": 12, "cordoned": true},
	{"uuid": "a", "host": "n1", "domain": "r1", "addresses": ["10.0.0.1:7471"], "slab_size": 16777216, "release": "0.2.0"}]}'
ctl cluster servers
ctl cluster servers --output host,slab_size,release,uuid
ctl cluster servers --json
says 0 '{"version": 1, "servers": []}'
ctl cluster servers
ctl cluster servers --json
ctl cluster servers --noheadings

says 0 '{"version": 1, "groups": [
	{"node": "n2", "name": "small", "size": 4194304, "copies": 1, "state": "live", "moving": [], "task": null, "use": "swap", "servers": ["10.0.0.1:7471"]},
	{"node": "n1", "name": "torn", "state": "unreadable", "task": null},
	{"node": "n1", "name": "big", "size": 4294967296, "copies": 2, "state": "copying", "moving": ["big-p0 1.0 %", "big-p1 2.0 %"], "task": "repair", "use": "/srv", "servers": ["10.0.0.1:7471", "10.0.0.2:7471"]},
	{"node": 5, "name": ["\u0007"], "size": "x", "state": {}}]}'
ctl cluster groups
ctl cluster groups --json --output node,name,moving,servers
says 0 '{"version": 1, "groups": []}'
ctl cluster groups

says 0 '{"version": 1, "servers": [
	{"uuid": "b", "host": "n2", "size": 4294967296, "free": 1073741824, "lent": 2147483648, "wanted": 67108864, "cordoned": true},
	{"uuid": "a", "host": "n1", "size": 4294967296, "free": 4294967296, "lent": 0, "wanted": 0, "cordoned": false},
	{"uuid": "c", "host": "n3"}], "sets": [["a", "b"], ["a", "c"]], "groups": [
	{"node": "n1", "name": "big", "state": "copying"}, {"node": "n2", "name": "small", "state": "live"}, {"node": "n2", "name": "odd", "state": 1}]}'
ctl cluster
ctl cluster status --json
says 0 '{"version": 1, "servers": [], "sets": [], "groups": []}'
ctl cluster status
says 0 '{"version": 1, "servers": [{"size": 9223372036854775807}, {"size": 9223372036854775807}], "trouble": "groups: too much"}'
ctl cluster status --output servers,size,trouble

says 1 "farmem-agent: etcd is away"
ctl cluster servers --config /a/file
says 0 '{"version": 2}'
ctl cluster servers
says 3 ""
echo -n >"$box/bin/answer"
ctl cluster servers
sort -u "$box/bin/asked"
