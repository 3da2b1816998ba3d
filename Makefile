# SPDX-License-Identifier: GPL-2.0
# farmem: one entry for everything. `make help` names the targets.

BUILD  := $(CURDIR)/build
PREFIX ?= /usr/local
KDIR   ?= /lib/modules/$(shell uname -r)/build
CFLAGS ?= -O2 -g

# The kernel built for: KERNEL= one of the test matrix, KDIR= any other.
RELEASE    := $(if $(KERNEL),$(KERNEL),$(shell cat $(KDIR)/include/config/kernel.release 2>/dev/null))
BUILD_FOR  := $(if $(KERNEL),--kernel $(KERNEL),--headers $(KDIR))
# Arguments for Kbuild, say W=1.
KBUILD_ARGS ?=

# uname -r of the kernel that the module was built for.
MODULE_FOR = $$(modinfo -F vermagic $(BUILD)/$(RELEASE)/farmem.ko | cut -d " " -f 1)

MAN    = $(wildcard docs/man/*.[1-8])
MANDIR = $(DESTDIR)$(PREFIX)/share/man
UNITDIR = $(PREFIX)/lib/systemd/system
GENERATORDIR = $(UNITDIR)-generators
SYSUSERSDIR = $(PREFIX)/lib/sysusers.d
UDEVDIR = $(PREFIX)/lib/udev/rules.d
# tuned looks in here, from 2.23 on in the folder profiles of it.
TUNEDDIR = $(PREFIX)/lib/tuned
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
PROGRAMS = farmemctl farmem-verbs farmemd

all: server tools module-if-possible

help:
	@sed -n 's/^#? //p' $(MAKEFILE_LIST)

#? make               module for the running kernel, server and tools, in build/
#? make modules       the module; KDIR=DIR or KERNEL=6.1 for another kernel
modules:
	@tests/kernels/build $(BUILD_FOR) . "$(BUILD)/$(RELEASE)" $(KBUILD_ARGS)

module-if-possible:
	@if [ -n "$(RELEASE)" ]; then $(MAKE) --no-print-directory modules; else \
	echo "No module was built: there are no kernel headers in $(KDIR)."; \
	echo "Install them (apt-get install linux-headers-$$(uname -r)), or name them with"; \
	echo "KDIR=DIR, or build for a kernel of the test matrix: make modules KERNEL=6.1"; fi

#? make server        build/farmemd; SANITIZE=1: build/sanitized/farmemd, checking itself
server:
	@$(MAKE) --no-print-directory -C userspace-server

#? make tools         build/farmemctl and its helper, build/farmem-fabric; build/farmem-verbs
tools:
	@$(MAKE) --no-print-directory -C tools

#? make install       module, server and its unit, tools, completion, man pages; DESTDIR= PREFIX=/usr/local
install: all install-programs install-module
	[ -n "$(DESTDIR)" ] || systemd-sysusers $(SYSUSERSDIR)/farmem.conf $(SYSUSERSDIR)/farmem-agent.conf || \
		echo "farmemd.service needs a user: useradd --system --no-create-home farmem"

install-programs: server tools install-man
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/sbin $(BUILD)/farmemd $(BUILD)/farmem-agent
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/farmemctl $(BUILD)/farmem-verbs
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/libexec/farmem $(BUILD)/farmem-fabric
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/farmem tools/verbs/plot.gnuplot
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/farmem/prometheus packaging/prometheus/consoles/farmem.html
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/farmem/grafana packaging/grafana/farmem.json
	install -D -m 644 -t $(DESTDIR)$(COMPLETIONDIR) $(PROGRAMS:%=$(BUILD)/completion/%)
	install -D -m 644 -t $(DESTDIR)$(ZSHDIR) $(PROGRAMS:%=$(BUILD)/completion/_%)
	install -D -m 644 -t $(DESTDIR)$(FISHDIR) $(PROGRAMS:%=$(BUILD)/completion/%.fish)
	install -d $(DESTDIR)$(UNITDIR)
	sed 's|/usr/\(s*bin\)|$(PREFIX)/\1|' packaging/farmemd.service >$(DESTDIR)$(UNITDIR)/farmemd.service
	sed 's|/usr/\(s*bin\)|$(PREFIX)/\1|' packaging/farmem-agent.service \
		>$(DESTDIR)$(UNITDIR)/farmem-agent.service
	sed 's|/usr/\(s*bin\)|$(PREFIX)/\1|' packaging/farmem@.service >$(DESTDIR)$(UNITDIR)/farmem@.service
	install -m 644 -t $(DESTDIR)$(UNITDIR) packaging/farmem-key.service
	sed 's|/usr/\(s*bin\)|$(PREFIX)/\1|' packaging/farmem-metrics.service \
		>$(DESTDIR)$(UNITDIR)/farmem-metrics.service
	install -D -m 644 -t $(DESTDIR)$(UNITDIR) packaging/farmem-metrics.timer
	sed 's|/usr/\(s*bin\)|$(PREFIX)/\1|' packaging/farmem-events.service \
		>$(DESTDIR)$(UNITDIR)/farmem-events.service
	sed 's|/usr/\(s*bin\)|$(PREFIX)/\1|' packaging/farmem-groups.service \
		>$(DESTDIR)$(UNITDIR)/farmem-groups.service
	install -m 644 -t $(DESTDIR)$(UNITDIR) packaging/farmem-groups.path packaging/farmem-shutdown.service
	install -D -m 755 -t $(DESTDIR)$(GENERATORDIR) $(BUILD)/farmem-generator
	install -d $(DESTDIR)/etc/farmem/volumes.d $(DESTDIR)/etc/farmem/events.d
	install -D -m 644 packaging/farmem.sysusers $(DESTDIR)$(SYSUSERSDIR)/farmem.conf
	install -D -m 644 packaging/farmem-agent.sysusers $(DESTDIR)$(SYSUSERSDIR)/farmem-agent.conf
	install -D -m 644 -t $(DESTDIR)$(UDEVDIR) packaging/60-farmem.rules
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/farmem/sysctl.d packaging/sysctl.d/90-farmem.conf
	install -D -m 644 -t $(DESTDIR)$(TUNEDDIR)/farmem packaging/tuned/farmem/tuned.conf
	install -d $(DESTDIR)$(TUNEDDIR)/profiles/farmem
	ln -sf ../../farmem/tuned.conf $(DESTDIR)$(TUNEDDIR)/profiles/farmem/tuned.conf

install-man:
	$(foreach page,$(MAN),install -D -m 644 -t $(MANDIR)/man$(patsubst .%,%,$(suffix $(page))) $(page);)

install-module: module-if-possible
	if [ -n "$(RELEASE)" ]; then \
	install -D -m 644 -t $(DESTDIR)/lib/modules/$(MODULE_FOR)/updates $(BUILD)/$(RELEASE)/farmem.ko && \
	{ [ -n "$(DESTDIR)" ] || depmod $(MODULE_FOR); }; fi

#? make uninstall     what install put there
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/sbin/farmemd $(DESTDIR)$(PREFIX)/sbin/farmem-agent $(DESTDIR)$(PREFIX)/bin/farmemctl
	rm -f $(DESTDIR)$(PREFIX)/libexec/farmem/farmem-fabric
	rm -f $(DESTDIR)$(PREFIX)/bin/farmem-verbs $(DESTDIR)$(PREFIX)/share/farmem/plot.gnuplot
	rm -f $(DESTDIR)$(PREFIX)/share/farmem/prometheus/farmem.html $(DESTDIR)$(PREFIX)/share/farmem/grafana/farmem.json
	rm -f $(DESTDIR)$(UNITDIR)/farmemd.service $(DESTDIR)$(SYSUSERSDIR)/farmem.conf
	rm -f $(DESTDIR)$(UNITDIR)/farmem-agent.service $(DESTDIR)$(SYSUSERSDIR)/farmem-agent.conf
	rm -f $(DESTDIR)$(UNITDIR)/farmem@.service $(DESTDIR)$(UNITDIR)/farmem-key.service
	rm -f $(DESTDIR)$(GENERATORDIR)/farmem-generator
	rm -f $(DESTDIR)$(UNITDIR)/farmem-metrics.service $(DESTDIR)$(UNITDIR)/farmem-metrics.timer
	rm -f $(DESTDIR)$(UNITDIR)/farmem-events.service
	rm -f $(DESTDIR)$(UNITDIR)/farmem-groups.service $(DESTDIR)$(UNITDIR)/farmem-groups.path \
		$(DESTDIR)$(UNITDIR)/farmem-shutdown.service
	rm -f $(PROGRAMS:%=$(DESTDIR)$(COMPLETIONDIR)/%) $(DESTDIR)$(UDEVDIR)/60-farmem.rules
	rm -f $(PROGRAMS:%=$(DESTDIR)$(ZSHDIR)/_%) $(PROGRAMS:%=$(DESTDIR)$(FISHDIR)/%.fish)
	rm -f $(DESTDIR)$(PREFIX)/share/farmem/sysctl.d/90-farmem.conf
	rm -f $(DESTDIR)$(TUNEDDIR)/farmem/tuned.conf $(DESTDIR)$(TUNEDDIR)/profiles/farmem/tuned.conf
	rm -f $(foreach page,$(MAN),$(MANDIR)/man$(patsubst .%,%,$(suffix $(page)))/$(notdir $(page)))
	rm -f $(DESTDIR)/lib/modules/*/updates/farmem.ko
	[ -n "$(DESTDIR)" ] || depmod

#? make deb           Debian packages, in build/deb
deb:
	packaging/build-deb

#? make rpm           RPM packages of server and tools, in build/rpm
rpm:
	packaging/build-rpm

#? make site          all documents as a web site, in build/site
site:
	packaging/build-site

#? make clean         removes build/
clean:
	rm -rf $(BUILD)

include tests/tests.mk

.PHONY: all help modules module-if-possible server tools install install-programs install-man \
	install-module uninstall clean deb rpm site
