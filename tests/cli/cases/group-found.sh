# Groups whose servers nobody named: from the cluster's directory, in sets, when they are made, grow, are repaired and move.
# LONG: yes
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
# Twenty pairs take some 200 programs.
patience=120
rack_make

# A stand-in for farmem-agent. knows SERVERS SETS - addresses 10.0.0.N of racks, with 8 GiB each.
knows() {
	jq -n --argjson servers "$1" --argjson sets "$2" '{ version: 1, sets: $sets, servers: [ $servers[] |
		{ uuid: "u\(.)", host: "n\(.)", domain: "rack\(. % 4)", addresses: ["10.0.0.\(.):7471"],
		slab_size: 16777216, release: "x", size: 8589934592, free: 8589934592, cordoned: (. == 9) } ] }' >"$box/answer"
}
cat >"$box/bin/farmem-agent" <<EOF
#!/bin/bash
cat "$box/answer"
EOF
chmod +x "$box/bin/farmem-agent"

echo "-- one set"
knows '[2, 3, 4, 5]' '[["u2", "u3", "u4", "u5"]]'
ctl group create far --size 4G --copies 2 --dry-run
ctl group create far --size 4G --copies 2
rack_asked
ctl group chunks far --output volume,server,domain
jq -c '.servers[]' "$box/root/var/lib/farmem/groups/far.json"
ctl group grow far --size 6G
jq -c '.servers[]' "$box/root/var/lib/farmem/groups/far.json"
ctl group move far --from 10.0.0.2
ctl group chunks far --output volume,server,domain
ctl group delete far
rack_left

echo "-- the emptiest servers, whatever the group has there; one that lies about its slabs is left out"
knows '[2, 3, 4, 5, 7]' '[["u2", "u3", "u4", "u5"]]'
jq '.servers |= map(if .host == "n7" then .slab_size = 4611686018427387904 else . end)' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
quiet group create far --size 2G --copies 2
for n in 2 3 4 5; do
	[ ! -d "$box/config/sessions/10.0.0.$n:7471" ] || echo 2362232012 >"$box/config/sessions/10.0.0.$n:7471/server_free"
done
quiet group grow far --size 8G
tool group chunks far -n -o server | sort | uniq -c
quiet group delete far
echo "-- a server without a partner, and what the record knows better"
knows '[2, 3, 4, 5, 6, 7]' '[["u2", "u6"], ["u3", "u4"]]'
ctl group create far --size 2G --copies 2
jq -c '.servers[]' "$box/root/var/lib/farmem/groups/far.json"
rm "$box/answer"
ctl group grow far --size 3G
quiet group delete far
rack_left

echo "-- a copy goes to no server outside the other one's sets"
knows '[2, 3, 4, 5]' '[["u2", "u3"], ["u4", "u5"]]'
# Neither set has room for all ten pairs, and which comes first is chance.
quiet group create far --size 10G --copies 2 --chunk 1G
! tool group move far --from 10.0.0.3 >"$box/said" 2>&1 || echo "it moved"
grep "in no set" "$box/said" | sed 's/,.* free//' | sort
echo "-- but one that is missing does"
volume=$(tool group chunks far -n -o volume,server | awk '$2 ~ /10.0.0.3:/ { print $1; exit }')
rack_lose "$volume"
echo failed >"$box/config/sessions/10.0.0.3:7471/state"
tool group repair far >"$box/said" 2>&1 || cat "$box/said"
tool group chunks far -n -o array,server |
	awk '{ of[$1] = of[$1] " " $2 } END { for (array in of) print of[array] }' | grep -v ' .*[23]:7471 .*[23]:7471' |
	grep -cv ' .*[45]:7471 .*[45]:7471'
echo "-- and one whose server wants its memory urgently"
on_4() { tool group chunks far -n -o server | grep -c 10.0.0.4:; }
had=$(on_4)
echo 1 >"$box/config/sessions/10.0.0.4:7471/server_wanted"
echo 60 >"$box/config/sessions/10.0.0.4:7471/server_wanted_within"
! tool group move far --wanted >"$box/said" 2>&1 || echo "it moved"
echo 0 >"$box/config/sessions/10.0.0.4:7471/server_wanted_within"
tool group move far --wanted >"$box/said" 2>&1 || cat "$box/said"
echo "$((had - $(on_4))) chunk has left"
quiet group delete far
rack_left

echo "-- a lost copy that no server of the group can take: one more set, of the other copy's server"
servers() { tool group chunks far -n -o server | sort | paste -sd' '; }
lose() {
	rack_lose "$(tool group chunks far -n -o volume,server | awk -v at="$1" '$2 == at ":7471" { print $1 }')"
	echo failed >"$box/config/sessions/$1:7471/state"
}
# full N - its session stays, for it has a volume of another user.
full() {
	quiet volume create "other-$1" --size 16M --server "10.0.0.$1"
	echo 0 >"$box/config/sessions/10.0.0.$1:7471/server_free"
}
knows '[2, 3]' '[["u2", "u3"]]'
quiet group create far --size 1G --copies 2
full 3
knows '[2, 3, 4, 5, 7]' '[["u5", "u7"], ["u3", "u7"], ["u2", "u4"], ["u5", "u4"]]'
lose 10.0.0.3
ctl group repair far --dry-run
ctl group repair far
servers
jq -c '.servers[]' "$box/root/var/lib/farmem/groups/far.json"
echo "-- so does a chunk that moves; without such a set it stays"
tool group move far --from 10.0.0.4 >"$box/said" 2>&1 || head -n 1 "$box/said"
servers
grep '^  server' "$box/said" | sed 's/,.*free/:/'
# The server that is left has most room, and most sets.
old='["u2", "u4"]'
knows '[2, 3, 4, 5]' "[$old, $old, $old, [\"u2\", \"u5\"], $old, $old, $old]"
jq '.servers |= map(if .host == "n5" then .free = 2147483648 else . end)' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
ctl group move far --from 10.0.0.4
servers
echo "-- a server that was named is the only one that is asked"
full 4
full 5
full 8
knows '[2, 3, 4, 5, 7]' '[["u2", "u7"]]'
tool group move far --from 10.0.0.5 --server 10.0.0.8@rack0 >"$box/said" 2>&1 || head -n 1 "$box/said"
echo "-- another failure domain than the group's: a person decides"
jq '.servers |= map(if .host == "n2" then .domain = "rack9" else . end)' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
tool group move far --from 10.0.0.5 >"$box/said" 2>&1 || head -n 1 "$box/said"
echo "-- drained, and by another address the server that the group knows"
jq '.servers |= map(if .host == "n2" then .domain = "rack2" | .addresses = ["10.9.0.2:7471", "10.0.0.2:7471"] else . end)' \
	"$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
ctl group drain 10.0.0.5 --dry-run
ctl group drain 10.0.0.5
servers
echo "-- a lost copy for which no set of the other one has room: one more set"
knows '[2, 4, 7, 8, 10, 11, 12, 13, 14, 15]' '[["u2", "u4"], ["u7", "u8"], ["u10", "u11"], ["u12", "u13"], ["u14", "u15"]]'
full 7
jq '.servers |= map(if .host == "n4" or .host == "n7" or .host == "n8" then .free = 0 else . end)' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
lose 10.0.0.7
known() { jq '.servers | length' "$box/root/var/lib/farmem/groups/far.json"; }
had=$(known)
mv "$box/answer" "$box/aside"
tool group repair far >"$box/said" 2>&1 || grep -c "no server can take" "$box/said"
mv "$box/aside" "$box/answer"
ctl group repair far
servers | sed 's/10.0.0.1.:/one more:/'
echo "$(($(known) - had)) servers more"
quiet group delete far 2>/dev/null
for n in 3 4 5 7 8; do
	quiet volume delete other-$n
done
rack_left

echo "-- one chunk without a place keeps no other one from its own"
knows '[2, 3, 4]' '[["u2", "u3"], ["u2", "u4"]]'
quiet group create far --size 4G --copies 2 --chunk 256M
for n in 2 3 4; do
	full $n
done
pairs() { tool group chunks far -n -o array,server | sed 's/:7471//' | sort | awk '{ of[$1] = of[$1] " " $2 } END { for (array in of) print of[array] }'; }
first=$(jq -r '[.chunks[] | select(.server == "10.0.0.2:7471")][0].pair as $pair | .chunks[] |
	select(.pair == $pair and .server != "10.0.0.2:7471").server' "$box/root/var/lib/farmem/groups/far.json")
[[ $first == 10.0.0.3:* ]] && other=4 || other=3
knows '[2, 3, 4, 5]' "[[\"u$other\", \"u5\"]]"
! tool group move far --from 10.0.0.2 >"$box/said" 2>&1 || echo "all moved"
pairs | grep -c " 10.0.0.2 10.0.0.$other\$"
pairs | grep " 10.0.0.$other 10.0.0.5\$" >/dev/null || echo "none moved"
quiet group delete far
for n in 2 3 4; do
	quiet volume delete other-$n
done
rack_left

echo "-- without copies"
knows '[2]' '[["u2"]]'
quiet group create far --size 1G
knows '[2, 3]' '[["u2"], ["u3"]]'
ctl group move far --from 10.0.0.2
servers
quiet group delete far
rack_left

echo "-- a set whose new server does not answer is none of the group's"
knows '[2, 3]' '[["u2", "u3"]]'
quiet group create far --size 1G --copies 2
full 3
knows '[2, 3, 7]' '[["u2", "u7"]]'
FAKE_FAIL="sessions/10.0.0.7:7471/power=113:no route to the server" tool group move far --from 10.0.0.3 2>&1 | grep "no server"
jq -c '[.servers[] | [.address, .sets]]' "$box/root/var/lib/farmem/groups/far.json"
ctl group move far --from 10.0.0.3
servers
quiet group delete far
quiet volume delete other-3
rack_left

echo "-- a directory that can't be read is asked once"
knows '[2, 3]' '[["u2", "u3"]]'
quiet group create far --size 1G --copies 2 --chunk 256M
full 2
full 3
cp "$box/bin/farmem-agent" "$box/agent"
printf '%s\n' '#!/bin/bash' 'echo "farmem-agent: etcd is away" >&2' 'exit 1' >"$box/bin/farmem-agent"
tool group move far --from 10.0.0.2 2>&1 | grep "etcd\|no server"
cp "$box/agent" "$box/bin/farmem-agent"
quiet group delete far
quiet volume delete other-2
quiet volume delete other-3
rack_left

echo "-- servers have less than the directory says: one chunk of 3600M each, not two"
knows '[2, 3, 4, 5]' '[["u2", "u3", "u4", "u5"]]'
ctl group create far --size 10800M --copies 2 --chunk 3600M
rack_left
knows '[2, 3, 4, 5, 6, 7]' '[["u2", "u3", "u4", "u5"], ["u6", "u7"]]'
jq '.servers |= map(if .host == "n6" or .host == "n7" then .free = 4294967296 else . end)' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
quiet group create far --size 10800M --copies 2 --chunk 3600M
tool group chunks far -n -o server | sort
quiet group delete far
quiet group create far --size 7200M --copies 2 --chunk 3600M
quiet group grow far --size 18000M
tool group chunks far -n -o server | wc -l
quiet group delete far
rack_left

echo "-- many sets: copies lie in one"
knows '[2, 3, 4, 5, 6, 7, 8, 10]' '[["u2", "u3", "u4", "u5"], ["u6", "u7", "u8", "u10"], ["u2", "u7", "u4", "u10"], ["u6", "u3", "u8", "u5"]]'
quiet group create far --size 20G --copies 2 --chunk 1G
echo "pairs: $(jq '[.chunks[].pair] | unique | length' "$box/root/var/lib/farmem/groups/far.json")"
jq -r '.chunks | group_by(.pair)[] | map(.server) | sort | join(" ")' "$box/root/var/lib/farmem/groups/far.json" |
	while read -r pair; do
		case $pair in
		*[2345]:7471\ *[2345]:7471 | *[678]:7471\ *[678]:7471 | *10:7471\ *[678]:7471 | *[24]:7471\ *7:7471 | *10:7471\ *[247]:7471 | *[35]:7471\ *[68]:7471) ;;
		*) echo "in no set: $pair" ;;
		esac
	done
echo "-- its file names none of them"
mkdir -p "$box/root/etc/farmem/volumes.d"
ctl save far
cat "$box/root/etc/farmem/volumes.d/far.conf"
quiet group delete far
ctl apply --dry-run far
knows '[2, 3]' '[["u2", "u3"]]'
sed -i 's/^size = .*/size = 1G/' "$box/root/etc/farmem/volumes.d/far.conf"
ctl apply far
tool group show far -n -o size,servers
quiet group delete far
rack_left

echo "-- refusals"
knows '[2, 3]' '[]'
ctl group create far --size 4G --copies 2
knows '[2, 9]' '[["u2", "u9"]]'
ctl group create far --size 4G --copies 2
knows '[2, 6]' '[["u2", "u6"]]'
ctl group create far --size 4G --copies 2
knows '[2, 3, 4, 5]' '[["u2", "u3", "u4", "u5"]]'
ctl group create far --size 40G --copies 2
jq '.servers |= map(.addresses = ["local", "node.example:7471", "0.0.0.0x"])' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
ctl group create far --size 4G --copies 2
jq 'del(.sets) | .servers |= map(.addresses = ["bad", "10.0.0.2:7471"])' "$box/answer" >"$box/a" && mv "$box/a" "$box/answer"
ctl group create far --size 4G --copies 2
echo 'echo "farmem-agent: etcd is away"; exit 1' >>"$box/bin/farmem-agent"
: >"$box/answer"
ctl group create far --size 4G --copies 2
rack_left
