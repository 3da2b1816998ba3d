# SPDX-License-Identifier: GPL-2.0
# TEST: an RDMA device that goes while a queue is given up is let go, as at any other time
# LONG: yes
# CPUS: 4
. "$FARMEM_TESTS/vm/cases.sh"

# A queue is given up over two RCU grace periods. Each now takes about a second, in which
# the device goes: so long the kernel waits before it looks which CPUs are idle. Some
# must be, so nothing here polls.
first_look=/sys/module/rcutree/parameters/jiffies_till_first_fqs
usual=$(<$first_look)
trap 'status=$?; echo "$usual" >$first_look; [[ -z ${follower-} ]] || kill "$follower"; leave $status' EXIT
echo 100000 >$first_look

out_of_resources=6
next_request() {
	local event=''

	until [[ $event == *CONNECT_REQUEST ]]; do
		read -r -t $((60 * FARMEM_SLOWNESS)) -u 4 event || die "no request to connect"
	done
}
over() { ! kill -0 "$connecting" 2>/dev/null; }
# No session is live on a device that is gone.
away() { ! live; }
deleted() { ! kill -0 "$deleting" 2>/dev/null; }
met() { dmesg_since | grep 'device was removed; CPUs share 1 queues' >/dev/null; }

# The first queue connects, the second is refused, and the session would be live with one.
device_goes() {
	fake_server rep.queue_count=2 , reject=$out_of_resources , regions=1
	exec 4< <(exec tail -n +1 -f /tmp/fake.log)
	follower=$!
	load
	make_session default queues=2 connect_timeout=60 heartbeat=0
	set_value sessions/default power 1 &
	connecting=$!
	next_request
	next_request
	rdma link delete "$FARMEM_RDMADEV" &
	deleting=$!
	kill $follower
	follower=''
	wait_for 60 over
	wait_for 60 away
	# Where ib_uverbs goes before the connection manager, as on 7.2, the fake server is
	# not told, and the device waits for it.
	end_process "$fake_pid"
	fake_pid=''
	wait_for 60 deleted
	all_off
	rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
}

for _ in 1 2 3 4 5; do
	device_goes
	! met || exit 0
done
skip "the device never went at that moment"
