# SPDX-License-Identifier: GPL-2.0
# TEST: every field of farmemctl's JSON is what the files of configfs and sysfs say
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# field JSON NAME - as the files write it
field() {
	jq -r --arg name "$2" 'if has($name) then .[$name] else "(missing)" end |
		if . == true then 1 elif . == false then 0 elif . == null then "" else . end' <<<"$1"
}

server_says() {
	[[ $(value sessions/default server_free) == $((32 << 20)) ]]
}

serve
load_volume 32M heartbeat=1
put_data
check_data
# What the server has left is the heartbeat's to say, and a beat between two readings changes it.
wait_for 60 server_says
json=$(farmemctl session show default --json | jq '.sessions[0]')
for file in "$CONFIG"/sessions/default/*; do
	expect_equal "$(<"$file")" "$(field "$json" "${file##*/}")" "session's ${file##*/}"
done
json=$(farmemctl volume show default --json | jq '.volumes[0]')
for file in "$CONFIG"/volumes/default/*; do
	case ${file##*/} in
	release) continue ;;
	device) expect_equal "/dev/$(<"$file")" "$(field "$json" device)" "volume's device" ;;
	*) expect_equal "$(<"$file")" "$(field "$json" "${file##*/}")" "volume's ${file##*/}" ;;
	esac
done
json=$(farmemctl stats default --json | jq '.stats[0]')
expect_equal "$(counter reads) $(counter writes) $(counter read_bytes) $(counter write_bytes)" \
	"$(jq -r '"\(.reads) \(.writes) \(.read_bytes) \(.write_bytes)"' <<<"$json")" "stats"
for name in volume discards zero_reads zero_writes zero_pages slot_frees polled_reads irq_reads shortages \
	read_errors write_errors inflight; do
	expect_equal "$(counter $name)" "$(field "$json" $name)" "stats' $name"
done
unload
