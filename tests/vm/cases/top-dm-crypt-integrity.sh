# SPDX-License-Identifier: GPL-2.0
# TEST: dm-crypt with integrity on a volume keeps every byte while the server is restarted, and what is changed on the server reads as an error
# LONG: yes
# PARALLEL: yes
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
disk=/dev/mapper/farcrypt

read_page() { dd if=$disk of=/dev/null bs=4k count=1 skip="$1" iflag=direct status=none; }

modprobe -a dm_crypt dm_integrity authenc xts aesni_intel || modprobe -a dm_crypt dm_integrity authenc xts

serve --pool $pool
load_volume 32M io_deadline=-1
head -c 64 /dev/urandom >/tmp/key
# Argon2's memory and time are no business of this test; nor is a large header.
cryptsetup luksFormat --batch-mode --type luks2 --integrity hmac-sha256 --sector-size 4096 \
	--luks2-metadata-size 16k --luks2-keyslots-size 2m \
	--pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file /tmp/key /dev/farmem0
cryptsetup open --key-file /tmp/key /dev/farmem0 farcrypt
VERIFY_DISK=$disk
verify_start -f -m 50,50,0
replace_farmemd --pool $pool
verify_more
verify_end
read_page 100

# One bit of every page that the pool lends.
stop_farmemd KILL
wait_for 20 recovering
perl -e 'open F, "+<", $ARGV[0] or die;
	for (my $at = 1000; $at < 64 << 20; $at += 4096) {
		seek F, $at, 0; read F, my $byte, 1; seek F, $at, 0; print F chr(ord($byte) ^ 1);
	}
	close F or die' $pool
serve --pool $pool
wait_for 60 live
! read_page 100 || die "what was changed on the server was read"
expect_log 'INTEGRITY AEAD ERROR'
cryptsetup close farcrypt
unload
rm $pool
