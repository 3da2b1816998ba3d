# What the tool says is in its own words: options, not the module's parameters; verbs that
# there are; the device that it prints is a name that it takes.
FAKE_FAIL="sessions/s/power=16:the server refuses: another live client uses this name; give this one its own name (client=), or fence the other with takeover=1 (it is connected from 10.0.0.9)" \
	ctl session create s --server 10.0.0.2
FAKE_FAIL="sessions/s/power=12:10.0.0.2: no queue pair 3 of 9 on mlx5_0 (-12); lower queues=" \
	ctl session create s --server 10.0.0.2
FAKE_FAIL="volumes/v/power=22:size=1234567: give a multiple of 4096 bytes, from 1M to 64T" \
	ctl volume create v --size 1234567 --server 10.0.0.2

# Each parameter of the module that a reason names; frontswap is no setting of a session.
grep -ho '"[^"]*"' "$repo"/kernel/*.c "$repo"/kernel/*/*.c | grep -o '\b[a-z_]\+=' | sort -u >"$box/words"
sed -n 's/^module_param(\([a-z_]*\),.*/\1=/p' "$repo/kernel/main.c" | grep -v '^name=\|^frontswap=' |
	sort | comm -12 - "$box/words" >"$box/parameters"
[ "$(wc -l <"$box/parameters")" -gt 7 ] || echo "FEW PARAMETERS FOUND"
while read -r parameter; do
	FAKE_FAIL="sessions/s/power=22:set $parameter, or $parameter${parameter:+1}" \
		tool session create s --server 10.0.0.2 2>&1 | grep 'powered on'
done <"$box/parameters" | grep -v 'set --\([a-z-]*\), or --\1' | sort -u

# Every command that a message names is one of the tool's, with its options.
tool --help | sed -n '/^Commands:/,/^$/s/^ \([a-z ]*[a-z]\) .*/\1/p' | sed 's/  .*//' >"$box/verbs"
grep -ho '"[^"]*farmemctl [^"]*"' "$repo"/tools/{common,ctl,doctor,fabric,group}/*.c "$repo"/userspace-server/*.c "$repo"/kernel/*.c "$repo"/kernel/*/*.c |
	grep -o 'farmemctl [a-z][a-z ]*[A-Za-z%]*\( --[a-z-]*\)\?' | sort -u >"$box/named"
while read -r _ words; do
	while read -r verb; do
		[ "${words#"$verb"}" = "$words" ] || continue 2
	done <"$box/verbs"
	case $words in
	"as "* | "knows "* | volume | session | server | group) ;;
	*) echo "no such command: farmemctl $words" ;;
	esac
done <"$box/named"
[ "$(wc -l <"$box/named")" -gt 10 ] || echo "FEW COMMANDS FOUND"

# The device, by each of its names.
scene_volume
for name in farmem0 /dev/farmem0; do
	ctl volume show $name -n -o name,device,power,sync
	ctl stats $name -n -o volume,reads
done
ctl volume show farmem7
ctl volume show /dev/farmem7
# What is shown is in its words as well.
echo "the server refuses: give this one its own name (client=), or fence the other with takeover=1" \
	>"$box/config/sessions/10.0.0.2:7471/reason"
echo "10.0.0.2: no room; lower size=" >"$box/config/volumes/data/reason"
echo recovering >"$box/config/sessions/10.0.0.2:7471/state"
echo recovering >"$box/config/volumes/data/state"
ctl session list -n -o name,reason
ctl session list -o reason --json
ctl volume show data -n -o name,reason
echo live >"$box/config/sessions/10.0.0.2:7471/state"
echo live >"$box/config/volumes/data/state"

# What failed once is no news of what is live.
echo "the server refuses: no" >"$box/config/sessions/10.0.0.2:7471/reason"
echo "/dev/farmem0 is in use (1 openers)" >"$box/config/volumes/data/reason"
ctl session list
ctl volume list -n -o name,reason
ctl volume delete /dev/farmem0
ctl volume list
ctl session list
ctl session list --json

# A size is one everywhere.
for size in 4GiB 1.5G 0.5T 1.3M 1.5 .5G 4GB; do
	rc=0
	"$build/farmemd" --size "$size" --slab-size 1M --insecure --check 2>"$box/said" >"$box/check" || rc=$?
	echo "$size: farmemd $([ $rc -eq 2 ] && head -n 1 "$box/said" || echo takes it)"
	tool volume create v --size $size --server 10.0.0.2 >/dev/null 2>"$box/said" || rc=9
	[ $rc -ne 9 ] || echo "$size: farmemctl $(head -n 1 "$box/said")"
	[ ! -d "$box/config/volumes/v" ] || cat "$box/config/volumes/v/size"
	tool volume delete v >/dev/null 2>&1
done
