# SPDX-License-Identifier: GPL-2.0
# TEST: the packages' own test, as autopkgtest runs it on a machine that has them installed
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

# It copies the tree, of which the tests are all that it needs.
mkdir -p /tmp/tree
cp -r "$FARMEM_TESTS/../debian" /tmp/tree
autopkgtest --no-built-binaries /tmp/tree -- null
expect_fail test -e /sys/module/farmem
