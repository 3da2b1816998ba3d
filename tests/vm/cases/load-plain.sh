# SPDX-License-Identifier: GPL-2.0
# TEST: insmod without parameters makes its configfs directories and no disk
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

load
expect_equal 'features sessions volumes' "$(cd "$CONFIG" && echo *)" "files of $CONFIG"
expect_equal '' "$(objects)" "objects"
! compgen -G '/dev/farmem*' || die "there is a disk"
unload
