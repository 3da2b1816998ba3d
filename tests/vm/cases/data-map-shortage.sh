# SPDX-License-Identifier: GPL-2.0
# TEST: every third mapping is refused, which is tried again and never an I/O error
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 24M
retries fail_map
