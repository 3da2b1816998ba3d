# SPDX-License-Identifier: GPL-2.0
# TEST: what a server writes into a rejection or an answer cannot put control characters into the kernel log
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

forged=$'line\nfarmem: forged\e[31m'
load
make_session s
for spoilt in "reject=3 rej" "welcome.reason=13 welcome"; do
	fake_server "${spoilt% *}" "${spoilt#* }.detail=$forged"
	expect_refusal 'line?farmem: forged?[31m' sessions/s
done
rmdir $CONFIG/sessions/s
unload
