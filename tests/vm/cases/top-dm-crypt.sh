# SPDX-License-Identifier: GPL-2.0
# TEST: dm-crypt on a volume keeps every byte while the server is restarted, and the server sees none of them
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
modprobe -a dm_crypt xts aesni_intel || modprobe -a dm_crypt xts

serve --pool $pool
load_volume 32M io_deadline=-1
cryptsetup open --type plain --cipher aes-xts-plain64 --key-size 512 --key-file /dev/urandom \
	/dev/farmem0 farcrypt
VERIFY_DISK=/dev/mapper/farcrypt
# The first contents are no zeros here.
# No reads beside their writers: of 16 bytes of which the disk has a part of the old and a
# part of the new, decryption makes neither.
verify_start -f -m 50,50,0 -S 0
replace_farmemd --pool $pool
verify_more
verify_end
# Every stamp of the verifier begins with these bytes.
! grep -aF fmverify $pool >/dev/null || die "the server holds what should be encrypted"
cryptsetup close farcrypt
expect_idle
unload
rm $pool
