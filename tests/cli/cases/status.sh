# The bare tool on each kind of node: the volumes, the server, both, or what to start.
mkdir "$box/answers"
cat >"$box/answers/status" <<END
{"ok":true,"version":1,"pid":812,"uuid":"11111111-2222-3333-4444-555555555555","release":"0.2.0","size":8589934592,"free":3221225472,"lent":4294967296,
"dirty":1073741824,"quarantined":0,"held":4294967296,"given_back":134217728,"wanted":67108864,"pressure":12,"cordoned":false,"slab_size":67108864,"generation":"5eed0001",
"listen":["0.0.0.0:7471","[::]:7471"],"insecure":true,"uptime_s":93}
END
leave() { mv "$box/config" "$box/unloaded" && mv "$box/sys/module/farmem" "$box/module"; }
load() { mv "$box/unloaded" "$box/config" && mv "$box/module" "$box/sys/module/farmem"; }
serve() {
	mkdir -p "$box/run/farmem"
	mkfifo "$box/leash"	# the fake ends when its other end is closed
	"$helpers/fake-farmemd" "${1:-$box/run/farmem/farmemd.sock}" "$box/answers" <"$box/leash" &
	exec 9>"$box/leash"
	until [ -S "${1:-$box/run/farmem/farmemd.sock}" ]; do sleep 0.05; done
}
stop() {
	exec 9>&-
	wait
	rm "$box/leash"
}

scene_volume
# A compute node, one that is neither, a memory node, and both.
ctl
leave
ctl
ctl -o name
serve
ctl
ctl status --bytes -n
ctl --json
ctl -o name
load
ctl
tool --json | jq -c keys
ctl status -n
ctl -o name,size
# A server that fails hides no volume; a module without configfs is an error as ever.
echo '{"ok":true,"version":2}' >"$box/answers/status"
ctl
mv "$box/config" "$box/unloaded"
ctl
mv "$box/unloaded" "$box/config"
# One that ended without removing its socket is no server.
stop
ctl
leave
ctl
# Another socket.
serve "$box/sock"
echo '{"ok":false,"error":"asked"}' >"$box/answers/status"
ctl --control "$box/sock"
stop
load
ctl ls
ctl ls -n -o name
ctl ls more
ctl ls --help
