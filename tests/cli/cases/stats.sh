# Totals, differences, JSON.
ctl stats
ctl stats --json
scene_volume
quiet volume create more --size 1G --server 10.0.0.2
disk=$box/sys/block/farmem0/farmem
echo 7 >"$disk/reads"
echo 28672 >"$disk/read_bytes"
echo 5 >"$disk/zero_pages"
ctl stats
ctl stats data -n -o reads,read_bytes,zero_pages -b
ctl stats more --json
ctl stats none
(sleep 0.7; echo 10 >"$disk/reads"; echo 3 >"$disk/zero_pages") &
[ -z "${VALGRIND:-}" ] && gap=2 || gap=8
ctl stats data -n -o reads,zero_pages --interval "$gap" --count 2 | sed "s/ $gap / GAP /"
wait
ctl stats data -J -o reads --interval 0.1 --count 2
rm "$disk/discards"
ctl stats data -J -o reads,discards
