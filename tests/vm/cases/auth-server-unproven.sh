# SPDX-License-Identifier: GPL-2.0
# TEST: a client with a key refuses a server that does not prove that it knows it
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_keys /tmp/client.keys "alpha $KEY_A"
unproven="$SERVER does not prove that it has this client's key"

fake_server welcome.generation=0x600dc0de , welcome.proof[0]=1
load
make_session s client=alpha key=/tmp/client.keys
for _ in {1..2}; do
	expect_refusal "$unproven" sessions/s
	expect_log '(-13)'
	mark_dmesg
done
# Its nonce is another each time, or an answer that was recorded would be a proof.
expect_equal 2 "$(sed -n 's/^nonce //p' /tmp/fake.log | sort -u | wc -l)" "nonces of two attempts"
# A client without a key asks for none.
echo >$CONFIG/sessions/s/key
power_on sessions/s
power_off sessions/s
end_process "$fake_pid"

# Nor does the real one, where it admits everybody.
serve
echo /tmp/client.keys >$CONFIG/sessions/s/key
expect_refusal "$unproven" sessions/s
rmdir $CONFIG/sessions/s
unload
