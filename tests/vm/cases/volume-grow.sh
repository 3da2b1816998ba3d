# SPDX-License-Identifier: GPL-2.0
# TEST: a volume that is reloaded with a larger size= keeps its data and has zeros behind
. "$FARMEM_TESTS/vm/cases.sh"

serve
# Leaves bytes of somebody else where the growth will be.
load_volume 48M name=other
farmem-pages /dev/farmem0 write=0,12288,5
echo 1 >"$CONFIG/volumes/other/release"
unload
load_volume 10M
farmem-pages /dev/farmem0 write=0,2560,1
blkdiscard -f -o 4096 -l 8192 /dev/farmem0
reload 40M
expect_equal $((40 << 20)) "$(blockdev --getsize64 /dev/farmem0)" "size"
farmem-pages /dev/farmem0 check=0,1,1 zeros=1,2 check=3,2557,1 zeros=2560,7680
farmem-pages /dev/farmem0 write=2560,7680,2 check=0,1,1 zeros=1,2 check=3,2557,1 check=2560,7680,2
reload 40M
farmem-pages /dev/farmem0 check=0,1,1 zeros=1,2 check=3,2557,1 check=2560,7680,2
expect_idle
