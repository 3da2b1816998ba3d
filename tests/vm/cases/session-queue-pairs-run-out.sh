# SPDX-License-Identifier: GPL-2.0
# TEST: a driver that makes no more queue pairs means fewer queues, by whatever errno it says so; and for the first one a refusal
. "$FARMEM_TESTS/vm/cases.sh"

# EAGAIN (mlx5), ENOMEM, EINVAL, EOVERFLOW (irdma)
serve
load
make_session s
shared() { dmesg_since | grep "(-$errno); lower queues=; CPUs share $1 queues" >/dev/null; }
make_volume v session=s size=32M
for errno in 11 12 22 75; do
	set_fault errno $errno
	set_fault times 1
	set_fault fail_create 3
	mark_dmesg
	power_on sessions/s
	expect_log "no queue pair 2 of 6 on $FARMEM_RDMADEV (-$errno); lower queues=; CPUs share 2 queues"
	expect_equal 2 "$(value sessions/s queue_count)" "queue_count after -$errno"
	power_on volumes/v
	put_data
	check_data
	power_off volumes/v
	power_off sessions/s

	# One of those that come when the session is live.
	set_fault times 1
	set_fault fail_create 5
	power_on sessions/s
	wait_for 30 shared 4 || die "queue_count is $(value sessions/s queue_count)"
	power_off sessions/s

	set_fault times 1
	set_fault fail_create 1
	expect_refusal "no queue pair 0 of 6 on $FARMEM_RDMADEV (-$errno)" sessions/s
	set_fault fail_create 0
done
set_fault times -1
all_off
