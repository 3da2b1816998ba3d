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

# One that a killed command has left is gone on with; not one of another server.
half_made() {
	mkdir "$box/config/sessions/$1"
	echo "$2" >"$box/config/sessions/$1/server"
	echo 0 >"$box/config/sessions/$1/power"
}
half_made h ''
ctl session create h --server 10.0.0.7 --if-absent
asked
half_made i 10.0.0.6:7471
ctl session create i --server 10.0.0.7:99 --if-absent
