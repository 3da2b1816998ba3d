# SPDX-License-Identifier: GPL-2.0
# TEST: every third post is refused, which is tried again and never an I/O error
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 24M
retries fail_post
