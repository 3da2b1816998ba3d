# SPDX-License-Identifier: GPL-2.0
# TEST: docs/abi.md and the files of the loaded module agree, both ways
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

load server=local size=1M
"$FARMEM_TESTS/cli/abi-drift" "$FARMEM_TESTS/../docs/abi.md"
unload
