# SPDX-License-Identifier: GPL-2.0
# TEST: a volume that is reloaded with a smaller size= shows less and keeps the rest for later
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 40M
farmem-pages /dev/farmem0 write=0,10240,1
reload 10M
expect_equal $((10 << 20)) "$(blockdev --getsize64 /dev/farmem0)" "size"
farmem-pages /dev/farmem0 check=0,2560,1 write=100,10,2
expect_fail farmem-pages /dev/farmem0 check=2560,1,1
reload 40M
farmem-pages /dev/farmem0 check=0,100,1 check=100,10,2 check=110,10130,1
expect_idle
