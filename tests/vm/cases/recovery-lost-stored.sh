# SPDX-License-Identifier: GPL-2.0
# TEST: which pages are lost is on the server before the volume is live again, so that a client which ends without a word leaves errors, not zeros
. "$FARMEM_TESTS/vm/cases.sh"

uuid=76543210-89ab-4def-8123-456789abcdef

pages() {
	farmem-pages "/dev/$1" "${@:2}"
}

serve --listen "$FARMEM_SERVER:7472"
load_volume 32M client=twin uuid=$uuid io_deadline=-1
pages farmem0 write=0,1000,1
blkdiscard -f -o $((100 * 4096)) -l $((100 * 4096)) /dev/farmem0
replace_farmemd --listen "$FARMEM_SERVER:7472"
pages farmem0 write=300,100,2

# The next life of this client; the first says nothing any more.
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=twin takeover=1
make_volume its session=second size=32M uuid=$uuid
power_on sessions/second
power_on volumes/its
disk=$(value volumes/its device)
pages "$disk" lost=0,100 zeros=100,100 lost=200,100 check=300,100,2 lost=400,600
power_off volumes/its
power_off sessions/second
rmdir "$CONFIG/volumes/its" "$CONFIG/sessions/second"
unload
