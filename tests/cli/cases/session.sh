# Addresses in all their forms; a session that fails leaves nothing.
ctl session create json --server 10.0.0.8 --json
quiet session delete json
ctl session create a --server 10.0.0.2
ctl session create b --server fd00::2
ctl session create c --server '[fd00:0::2]:99'
ctl session create d --server localhost:7000
ctl session create e --server 10.0.0.2:http
ctl session create f --server no.such.host.invalid
ctl session create a --server 10.0.0.2
grep . "$box"/config/sessions/*/server | sed 's|.*sessions/||'
rm -f "$box/log"
FAKE_FAIL="sessions/g/power=110:10.0.0.2:7471 does not answer" ctl session create g --server 10.0.0.9
asked
FAKE_FAIL="off sessions/a/power=16" ctl session delete a
ctl session delete a
ctl session show .
ctl session delete ..
ctl session delete a
left
quiet session create a --server 10.0.0.2
asked >/dev/null
ctl session create a --server 10.0.0.2 --if-absent
asked
