# How long I/O takes: totals, differences, JSON.
scene_volume
quiet volume create more --size 1G --server 10.0.0.2
disk=$box/sys/block/farmem0/farmem
none="0 0 0 0 0 0 0 0 0 0 0 0 0 0"
echo "0 0 500 400 90 0 0 0 0 0 9 $none" >"$disk/read_latency"
echo "0 0 0 0 7 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3" >"$disk/write_latency"
echo 0 >"$box/sys/block/farmem1/farmem/latency"
ctl stats --latency
ctl stats data --latency --json -o kind,count,p50,max,buckets
ctl stats data --latency -n -o reads
ctl stats data -o p50
ctl stats none --latency
# Later reports tell what came since the one before.
: >reports
timeout -k 1 60 env LD_PRELOAD="$helpers/fake-kernel.so" "$build/farmemctl" stats data \
	--latency -n -o kind,count,max --interval 0.2 >reports &
soon grep -q fault reports
head -n 4 reports
echo "0 0 500 400 93 0 0 0 0 0 9 $none" >"$disk/new"
mv "$disk/new" "$disk/read_latency"
soon grep '^read  *3 ' reports
kill -INT $!
wait $!
# A module that has none, and one that says something else.
rm "$disk/read_latency" "$disk/latency"
echo "1 2 three" >"$disk/write_latency"
ctl stats data --latency
