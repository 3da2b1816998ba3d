# SPDX-License-Identifier: GPL-2.0
#
# plot.gnuplot - draws what `farmem-verbs client --size all --json` has measured: latency
# and throughput over the size of a message. Needs gnuplot and jq.
#
#   farmem-verbs client SERVER --op read --size all --json >read.json
#   gnuplot -e "files='read.json write.json'; output='sizes.png'" plot.gnuplot
#
# Several files are drawn beside each other, each named by its file.

if (!exists("files")) { print "plot.gnuplot: give files='A.json B.json'"; exit status 2 }
if (!exists("output")) output = "sizes.png"
if (output[strlen(output) - 3:*] eq ".svg") {
	set terminal svg size 900,800
} else {
	set terminal png size 900,800
}
set output output

rows(file) = sprintf("< jq -r '.runs[] | [.size, .p50_us, .p99_us, .mib_s] | @tsv' '%s'", file)

set logscale x 2
set format x "%.0b%B"
set grid
set key top left
set multiplot layout 2,1
set title "one at a time"
set ylabel "microseconds"
set logscale y
plot for [file in files] rows(file) using 1:2 with linespoints title file." p50", \
	for [file in files] rows(file) using 1:3 with points title file." p99"
set title "many at once"
set xlabel "bytes of a message"
set ylabel "MiB/s"
plot for [file in files] rows(file) using 1:4 with linespoints title file
unset multiplot
