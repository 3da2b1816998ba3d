# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd answers Prometheus with what farmemctl metrics prints, loads no library for it unless told, and stops while a scrape waits for it
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

url=http://127.0.0.1:9471/metrics
scrape() { on-memory-node wget -q -O - $url; }
# What does not change while nobody does anything.
steady() { grep -v '^farmem_server_uptime_seconds'; }
maps() {
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c 'cat "/proc/$(cat /run/farmemd.test.pid)/maps"'
}

serve
expect_equal 0 "$(maps | grep -c -e microhttpd -e gnutls || true)" "mappings of libmicrohttpd and its TLS"
stop_farmemd

serve --metrics 9471
expect_equal 'farmem_server_up 1' "$(scrape | grep '^farmem_server_up ')" "without a client"
load_volume 32M client=worker
put_data
expect_equal "$(on-memory-node farmemctl metrics | grep '^[^#]*farmem_server' | steady)" "$(scrape | grep -v '^#' | steady)" \
	"what farmemctl metrics prints"
expect_equal $((32 << 20)) "$(scrape | sed -n 's/^farmem_server_client_bytes{client="worker"} //p')" "memory of the client"
# Eight at once, each of which gets its answer.
scrapes=()
for _ in {1..8}; do
	scrape >/dev/null &
	scrapes+=($!)
done
check_data
for scrape in "${scrapes[@]}"; do
	wait "$scrape" || die "a scrape had no answer"
done
unload
gone() { [[ $(scrape | sed -n 's/^farmem_server_client_connected{client="worker"} //p') == 0 ]]; }
wait_for 30 gone

# All of farmemd stands still when the scrape comes, and ends as it goes on.
pid=$(on-memory-node cat /run/farmemd.test.pid)
on-memory-node kill -STOP "$pid"
on-memory-node wget -q -O - $url >/tmp/late 2>&1 &
late=$!
on-memory-node kill -TERM "$pid"
on-memory-node kill -CONT "$pid"
wait_for 60 farmemd_gone
wait $late || true
expect_text 'stopped' "$(farmemd_log)" "farmemd's log"
