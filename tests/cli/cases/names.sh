# Names are visible ASCII, so that what is printed is what they look like; what an older
# module took is printed so that JSON stays JSON, and a line a line.
for name in $'caf\xe9' 'größe' $'two\nlines' $'\e[31mred' 'a b' $'a\tb' '' .hidden a/b; do
	tool volume create "$name" --size 1G --server 10.0.0.2 2>"$box/said" || echo "exit $?: $(head -n 1 "$box/said")"
	tool session create "$name" --server 10.0.0.2 2>"$box/said" || echo "exit $?: $(head -n 1 "$box/said")"
done
for name in $'caf\xe9' $'two\nlines' ''; do
	tool volume create v --size 1G --server 10.0.0.2 --client "$name" 2>"$box/said" ||
		echo "exit $?: $(head -n 1 "$box/said")"
	tool key generate "$name" 2>"$box/said" || echo "exit $?: $(head -n 1 "$box/said")"
done
left
scene_volume
mv "$box/config/volumes/data" "$box/config/volumes/"$'d\xe9\e[31m'
cp -r "$box/config/volumes/"$'d\xe9\e[31m' "$box/config/volumes/größe"
ctl volume list
tool volume list --json | jq -c '.volumes[].name'
tool stats --json | jq -c '.stats[] | .volume? // .name'
printf '0 FARMEM_SESSION=s\xe9\e[31m FARMEM_OLD_STATE=live FARMEM_STATE=failed\n0 FARMEM_SESSION=s FARMEM_OLD_STATE=li\xe9 FARMEM_STATE=live\n' >"$box/events"
FAKE_EVENTS=$box/events tool monitor --json >"$box/monitor"
grep -c . "$box/monitor"
grep -c '^$' "$box/monitor"
jq -c '.name, .old' "$box/monitor"
FAKE_EVENTS=$box/events tool monitor | cut -d' ' -f 2-
