# farmemctl group: what it asks of mdadm, LVM and the module, and what it shows.
# shellcheck source=tests/cli/rack.sh
. "$here/rack.sh"
rack_make
servers=(--server 10.0.0.2 --server 10.0.0.3@row1 --server 10.0.0.4)

echo "-- misuse"
ctl group create far
ctl group create far --size 1G
ctl group create far --size 1M "${servers[@]}"
ctl group create far --size 1G --chunk 1M "${servers[@]}"
ctl group create far --size 1G --copies 3 "${servers[@]}"
ctl group create -- -far --size 1G "${servers[@]}"
ctl group create a-name-of-more-than-twenty-four --size 1G "${servers[@]}"
ctl group create far --size 1G --server 10.0.0.2@ --server 10.0.0.3
ctl group create far --size 1G --key key "${servers[@]}"
ctl group create far --size 1G --server nonsense:0
ctl group show
ctl group show far
ctl group list
ctl group delete far
ctl group delete ../far
rack_left

echo "-- what would be done"
ctl group create far --size 8G --copies 2 "${servers[@]}" --dry-run
ctl group create far --size 4G --server 10.0.0.2 --dry-run --client node1 --key /etc/farmem/key
ctl group create far --size 1G --copies 2 --server 10.0.0.2 --server 10.0.0.2:7472 --dry-run
rack_left

echo "-- with two copies"
mkdir -p "$box/proc/self"
echo 0 >"$box/proc/self/oom_score_adj"
ctl group create far --size 4G --copies 2 "${servers[@]}" --peer-timeout 0.5 --heartbeat 1
echo "its score for the OOM killer: $(cat "$box/proc/self/oom_score_adj")"
rack_asked
rack_left
ctl group create far --size 4G "${servers[@]}"
ctl group list
ctl group list --json
ctl group show
ctl group show far --json
ctl group chunks far
ctl group chunks far --json
sed 's/^/record: /' "$box/root/var/lib/farmem/groups/far.json"
echo
ctl group grow far --size 4G
ctl group grow far --size 6G
rack_asked
# All of it, also after a check that was interrupted.
echo 8 >"$box/sys/block/md0/md/sync_min"
ctl group scrub far
(cd "$box/sys/block" && grep . md*/md/sync_min)
rack_asked
ctl group move far --from 10.0.0.9
ctl group move far --from 10.0.0.2 --to 10.0.0.2
ctl group move far --from 10.0.0.2 --to 10.0.0.5
ctl group move far --from 10.0.0.2 --dry-run
ctl group move far --from 10.0.0.2 --server 10.0.0.5@row1
rack_asked
ctl group chunks far
ctl group drain 10.0.0.3
ctl group move far --from 10.0.0.2 --to 10.0.0.3
rack_asked
ctl group chunks far
ctl group drain 10.0.0.4
ctl group delete far
rack_asked
rack_left

echo "-- without"
ctl group create far --size 4G "${servers[@]}"
rack_asked
ctl group move far --from 10.0.0.2
rack_asked
ctl group scrub far
ctl group chunks far
ctl group delete far
rack_asked
rack_left

echo "-- for programs"
ctl group create two --size 64M --copies 2 "${servers[@]}" --json
ctl group grow two --size 96M --json
ctl group move two --from 10.0.0.2 --json
ctl group repair two --json
ctl group scrub two --json
echo "-- a name is that of one device"
quiet volume create one --size 1G --server 10.0.0.2
ctl group create one --size 64M "${servers[@]}"
ctl volume create two --size 1G --server 10.0.0.2
ctl volume create two --size 1G --server 10.0.0.2 --if-absent
quiet volume delete one
ctl save tow
ctl top tow
quiet group delete two
rack_left

echo "-- sessions that a killed command has left"
# session_left ADDRESS SERVER - it is off; the command may not have come to say which server
session_left() {
	mkdir "$box/config/sessions/$1"
	echo "$2" >"$box/config/sessions/$1/server"
	echo 0 >"$box/config/sessions/$1/power"
}
session_left 10.0.0.2:7471 10.0.0.2:7471
session_left 10.0.0.3:7471 ''
ctl group create far --size 1G --copies 2 --server 10.0.0.2 --server 10.0.0.3 --server 10.0.0.4
session_left 10.0.0.4:7471 ''
ctl group delete far
rack_asked >/dev/null
rack_left
