# SPDX-License-Identifier: GPL-2.0
# The targets that test. Included by the top-level Makefile.

# DEBUG=1: the VM tests on the debug kernel.
VM_KERNELS = $(if $(DEBUG),6.1-debug,$(if $(KERNEL),$(KERNEL),6.1 6.12))

#? make setup         install what building and testing need (Debian 12)
setup:
	tests/setup

#? make check         everything: all kernels' builds, lint, unit and VM tests, and
#?                    bench-gate; KERNEL=6.12 runs the VM tests on that kernel alone,
#?                    DEBUG=1 on the debug kernel, about three hours; GO_ON=1 goes on
#?                    with one of this commit that was ended
check:
	tests/setup --long
	tests/check $(if $(GO_ON),--go-on) $(VM_KERNELS)

#? make debug-kernel  builds it into the cache: KASAN, lockdep, fault injection;
#?                    ten minutes, once for a machine
debug-kernel: setup
	tests/kernels/debug

#? make builds        the module for every kernel of the matrix, warnings are errors,
#?                    and sparse, on the kernels it can parse
builds:
	tests/check --only builds

#? make lint          shellcheck, spelling, rules of the house
lint:
	tests/check --only lint

#? make unit          unit tests: no root, no kernel
unit:
	tests/check --only unit

#? make fuzz          fuzz all parsers and the server's sessions; SECONDS=60 in all
SECONDS = 60
fuzz:
	@$(MAKE) --no-print-directory -C tests/fuzz check SECONDS=$(SECONDS)

#? make sim           placement on 1,000 simulated servers: tables, and plots in build/sim;
#?                    a minute
sim:
	@$(MAKE) --no-print-directory -s -C tests/sim

#? make vm-check      the VM tests; KERNEL=6.12 for one kernel, CASES=GLOB for some,
#?                    DEBUG=1 on the debug kernel
vm-check:
	tests/check --only vm $(if $(CASES),--filter '$(CASES)') $(VM_KERNELS)

#? make demo          a tour of farmem in a VM; SERVERS=3: swap with two copies, a server dies;
#?                    PACKAGES=1: of its packages, on two machines
demo:
	tests/demo/run $(if $(PACKAGES),--packages,$(KERNEL:%=--kernel %) $(SERVERS:%=--servers %))

#? make mutate        do the tests notice when the code is broken on purpose?
mutate:
	tests/mutations/run

#? make chaos         faults at random on two nodes; MINUTES=60 SEED=7 KERNEL=6.12,
#?                    DEBUG=1 on the debug kernel, SERVERS=3 [COPIES=1] over several servers
chaos:
	tests/chaos/run $(MINUTES:%=--minutes %) $(SEED:%=--seed %) $(SERVERS:%=--servers %) \
		$(COPIES:%=--copies %) $(KERNEL:%=--kernel %) $(if $(DEBUG),--debug)

#? make bench         farmem beside its contenders, into docs/benchmarks.md (hours);
#?                    KERNEL=6.12 for one kernel, see also tests/bench/run --help
bench: setup
	tests/bench/run $(KERNEL:%=--kernel %)
	tests/bench/document $(BUILD)/bench/bench.json

#? make bench-profiles   the profiles in docs/benchmarks.md; a quarter of an hour
bench-profiles:
	tests/bench/profiles
	tests/bench/document $(BUILD)/bench/bench.json

#? make bench-compare OLD=a.json NEW=b.json   fails when a counted figure grew
bench-compare:
	@tests/bench/compare "$(OLD)" "$(NEW)"

#? make bench-gate    did the data path get dearer? minutes; KERNEL=6.1 for one kernel
bench-gate:
	tests/bench/gate $(KERNEL)

# What the test bed itself needs.
$(BUILD)/vm/node-exec $(BUILD)/vm/tsc-khz: $(BUILD)/vm/%: tests/vm/%.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Wall -Wextra -o $@ $<

.PHONY: setup check debug-kernel builds lint unit fuzz sim vm-check demo mutate chaos bench bench-profiles bench-compare bench-gate
