# farmem-verbs: its JSON is drawn by tools/verbs/plot.gnuplot, with two files beside each other.
echo '{"version":1,"runs":[{"size":1,"p50_us":1.50,"p99_us":3,"mib_s":10},{"size":1024,"p50_us":4,"p99_us":9,"mib_s":800}]}' >read.json
sed 's/1024/2048/' read.json >write.json
plot=$repo/tools/verbs/plot.gnuplot
gnuplot -e "files='read.json write.json'; output='sizes.svg'" "$plot" && grep -o '>[a-z]*\.json[ a-z0-9]*<' sizes.svg | sort -u
gnuplot -e "files='read.json'; output='sizes.png'" "$plot" && head -c 4 sizes.png | tail -c 3 && echo
gnuplot "$plot"
echo "exit $?"
