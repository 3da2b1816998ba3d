# SPDX-License-Identifier: GPL-2.0
# TEST: a session with a key comes back by itself when farmemd was killed and started anew, though the key file is gone
# DEBUG: yes
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_A"
pool=/dev/shm/farmem.pool

serve --keys /tmp/server.keys --pool $pool
load_volume 32M io_deadline=-1 client=alpha key=/tmp/client.keys
put_data
rm /tmp/client.keys
replace_farmemd --keys /tmp/server.keys --pool $pool
check_data
expect_text 'its key is proved' "$(farmemd_log)" "farmemd's log"
unload
rm $pool
