# The memory node's side, against a fake farmemd.
ctl server show --control "$box/none.sock"
mkdir "$box/answers"
cat >"$box/answers/status" <<END
{"ok":true,"version":1,"pid":812,"uuid":"11111111-2222-3333-4444-555555555555","release":"0.2.0","size":8589934592,"free":3221225472,"lent":4294967296,
"dirty":1073741824,"quarantined":0,"held":4294967296,"given_back":134217728,"wanted":67108864,"pressure":12,"cordoned":false,"slab_size":67108864,"generation":"5eed0001",
"listen":["0.0.0.0:7471","[::]:7471"],"insecure":true,"uptime_s":93}
END
cat >"$box/answers/clients" <<END
{"ok":true,"version":1,"clients":[
{"name":"node1","identity":"00ff","connected":true,"peer":"10.0.0.1:40000","queues":4,"incarnation":"ab12",
"volumes":2,"bytes":4294967296,"quarantined":67108864,"wanted":67108864,"silent_since_s":null,"lease_s":0},
{"name":"node2","identity":"11ff","connected":false,"peer":"","queues":0,"incarnation":"cd34",
"volumes":0,"bytes":0,"quarantined":0,"silent_since_s":3600,"lease_s":86400}]}
END
cat >"$box/answers/volumes" <<END
{"ok":true,"version":1,"volumes":[
{"client":"node1","uuid":"11111111-2222-3333-4444-555555555555","name":"data","bytes":3221225472,"regions":1,"open":true},
{"client":"node1","uuid":"66666666-2222-3333-4444-555555555555","name":"more","bytes":1073741824,"regions":2,"open":false}]}
END
echo '{"ok":true,"version":1,"released":1073741824}' >"$box/answers/release"
mkfifo "$box/leash"	# the fake ends when its other end is closed
"$helpers/fake-farmemd" "$box/sock" "$box/answers" <"$box/leash" &
exec 9>"$box/leash"
until [ -S "$box/sock" ]; do sleep 0.05; done
control=(--control "$box/sock")
ctl server show "${control[@]}"
ctl server show "${control[@]}" --json
ctl server "${control[@]}" --bytes -n -o free
ctl server list "${control[@]}"
ctl server list "${control[@]}" --json
ctl server list "${control[@]}" -n -o client,peer,queues,lease_s
ctl server release --client node2 "${control[@]}"
ctl server release --client node2 --json "${control[@]}"
echo '{"ok":true,"version":1,"kept":3221225472}' >"$box/answers/disconnect"
ctl server disconnect "${control[@]}"
ctl server disconnect --client node1 "${control[@]}"
ctl server disconnect --client node1 --json "${control[@]}"
echo '{"ok":false,"error":"the client is not connected"}' >"$box/answers/disconnect"
ctl server disconnect --client node2 "${control[@]}"
ctl server disconnect --help
echo '{"ok":true,"version":1,"keys":true}' >"$box/answers/reload"
ctl server reload "${control[@]}"
echo '{"ok":true,"version":1,"keys":false}' >"$box/answers/reload"
ctl server reload "${control[@]}"
echo '{"ok":false,"error":"the file of keys is rejected, and the former keys stay in force"}' >"$box/answers/reload"
ctl server reload "${control[@]}"
echo '{"ok":true,"version":1,"lent":3221225472}' >"$box/answers/cordon"
cp "$box/answers/cordon" "$box/answers/drain"
cp "$box/answers/cordon" "$box/answers/uncordon"
ctl server cordon "${control[@]}"
ctl server cordon --json "${control[@]}"
ctl server uncordon "${control[@]}"
ctl server uncordon --json "${control[@]}"
ctl server drain "${control[@]}"
cp "$box/answers/status" "$box/status"
sed -i 's/"cordoned":false/"cordoned":true/' "$box/answers/status"
ctl server drain --timeout 0 "${control[@]}"
sed -i 's/"lent":[0-9]*/"lent":0/' "$box/answers/status"
ctl server drain "${control[@]}"
ctl server drain --json "${control[@]}"
# What is quarantined is still a client's.
sed -i 's/"quarantined":0/"quarantined":67108864/' "$box/answers/status"
ctl server drain --timeout 0 "${control[@]}"
mv "$box/status" "$box/answers/status"
echo '{"ok":true,"version":1,"lost":0}' >"$box/answers/stop"
ctl server stop "${control[@]}"
echo '{"ok":true,"version":1,"lost":1073741824}' >"$box/answers/stop"
ctl server stop --force "${control[@]}"
ctl server stop --force --json "${control[@]}"
echo '{"ok":false,"error":"2 volumes, 1G, would be lost"}' >"$box/answers/stop"
ctl server stop "${control[@]}"
ctl server release --client node1 --volume 66666666-2222-3333-4444-555555555555 --force "${control[@]}"
cat "$box/answers/requests"
echo '{"ok":false,"error":"client node1 is connected; add --force to take its memory all the same"}' >"$box/answers/release"
ctl server release --client node1 "${control[@]}"
echo '{"ok":true,"version":2}' >"$box/answers/status"
ctl server show "${control[@]}"
echo 'hello' >"$box/answers/status"
ctl server show "${control[@]}"
rm "$box/answers/status"
ctl server show "${control[@]}"
# A server that lends nothing says so; a name that is no text is refused here.
echo '{"ok":true,"version":1,"clients":[]}' >"$box/answers/clients"
echo '{"ok":true,"version":1,"volumes":[]}' >"$box/answers/volumes"
ctl server list "${control[@]}"
ctl server list -n "${control[@]}"
tool server disconnect --client $'\xe9' "${control[@]}" 2>&1 || echo "exit $?"
ctl server release --client "two words" "${control[@]}"
exec 9>&-
wait
