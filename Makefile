# SPDX-License-Identifier: GPL-2.0

## Build
# make                modules for the running kernel, tc plugin, command, daemon
# make modules        KDIR=DIR: modules for another kernel
# make ctl            losslessctl, which shows and sets
# make daemon         losslessd, which sets watchdogs, logs and exports metrics
# make man            the man pages, in build/man
# make testbed        lle-testbed, which builds networks of namespaces
# make install        PREFIX= and DESTDIR= are honoured; make uninstall
# make deb            Debian packages, in build/deb
# make upstream       KDIR=SOURCE: patches for that kernel, in out/upstream
# make clean

## See it work
# make demo           incast, a pause storm, a deadlock, in virtual machines
# make shell          TOPOLOGY=NAME: a root shell with a testbed; LAB=1, CMD=
# make lab            SCENARIO=NAME KEY=VALUE...: at 100 Gb/s, in virtual time
# make lab-list       the scenarios
# make sweep          SWEEP=FILE: a scenario with many values of its keys
# make figures        FIGURES="NAME...": measures the figures of pages (hours)
# make bench          instructions a packet, beside the kernel's qdiscs

## Test
# make check          all tests that fit into an hour
# make check-long     longer ones: models of NICs, storms in real time, seeds
# make check-upstream the kernel's own tests, without and with lossless
# make deb-test       installs the packages in a Debian 12, and tests them there
# make unit           the algorithms alone, in seconds
# make model          deadlocks in random networks, against an oracle
# make fuzz           parsers and state machines
# make race           stress on a kernel that looks for races
# make race-nightly   half an hour of it, on a kernel that finds data races
# make soak           a thousand million packets, with faults

KDIR    ?= /lib/modules/$(shell uname -r)/build
PREFIX  ?= /usr
DESTDIR ?=
OUT     ?= out
CFLAGS  ?= -O2 -g

VERSION    := $(file <VERSION)
USR_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-missing-field-initializers -ffile-prefix-map=$(CURDIR)=. \
	      $(CPPFLAGS) $(CFLAGS) -Iinclude/uapi -Ibuild/gen -Idaemon/tc -DLLE_VERSION='"$(VERSION)"'

PLUGIN := build/tc/q_lossless.so
# names and words of options and counters, specs of netlink, and the text about sysfs
SPECS := $(addprefix build/gen/,lossless.yaml tc-lossless.yaml)
GENERATED := $(SPECS) $(addprefix build/gen/,counter_names_gen.h q_lossless_gen.h \
	       q_lossless_lines_gen.c q_lossless_words_gen.c sysfs-class-net-lossless)
PLUGIN_SRC := $(wildcard daemon/tc/*.c) $(filter %.c,$(GENERATED))
BIN := build/bin
LIBRARY := $(BIN)/liblossless.a

all: modules tc ctl daemon man

include Makefile.install

modules:
	@test -d $(KDIR) || { echo "no kernel headers in $(KDIR): install linux-headers-$$(uname -r), or set KDIR=" >&2; exit 1; }
	scripts/build.sh $(KDIR)

# parts of tc-lossless(8)
FRAGMENTS := $(patsubst %,build/gen/man-%.rst,synopsis options port prio drops)

$(GENERATED) $(FRAGMENTS) &: spec/gen.py spec/qdisc.yaml $(wildcard spec/netlink/*.yaml)
	spec/gen.py -b

build/gen/netlink_tables.h: scripts/ci/ynl_tables.py $(SPECS)
	scripts/ci/ynl_tables.py $(SPECS) >$@.$$$$ && mv $@.$$$$ $@

build/gen/state.h: scripts/ci/ynl_tables.py build/gen/lossless.yaml
	scripts/ci/ynl_tables.py -s build/gen/lossless.yaml >$@.$$$$ && mv $@.$$$$ $@

generated: $(GENERATED) $(addprefix build/gen/,netlink_tables.h state.h)

tc: $(PLUGIN)

$(PLUGIN): $(PLUGIN_SRC) $(wildcard daemon/tc/*.h include/uapi/linux/*.h) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $(PLUGIN_SRC)

man: $(patsubst Documentation/%.rst,build/%,$(wildcard Documentation/man/*.rst))

# without what only some formatters know, and a space after a heading
build/man/%: Documentation/man/%.rst $(FRAGMENTS)
	@mkdir -p $(@D)
	rst2man --report=2 --halt=2 $< $@.$$$$ && sed -i -e '/^\.ft [CP]$$/d' \
		-e '/^\.S[HS]/{:a;n;/^\.S[HS]/ba;/^\.sp$$/d}' $@.$$$$ && mv $@.$$$$ $@

testbed: $(BIN)/lle-testbed $(BIN)/lle-topology $(BIN)/lle-storm

$(BIN)/lle-testbed: $(wildcard testbed/*.[ch] daemon/tc/*.[ch] include/uapi/linux/*.h) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -I/usr/include/libnl3 $(LDFLAGS) -o $@ $(filter %.c,$^) -lnl-route-3 -lnl-3

$(BIN)/lle-topology: testbed/lle-topology.in VERSION
	@mkdir -p $(@D)
	sed 's|@VERSION@|$(VERSION)|' $< >$@
	chmod 755 $@

# what has the version is built again for another one
$(PLUGIN) $(addprefix $(BIN)/,lle-testbed lle-storm losslessctl losslessd): VERSION
$(patsubst daemon/lib/%.c,$(BIN)/lib/%.o,$(wildcard daemon/lib/*.c)): VERSION

$(BIN)/lle-storm: testbed/storm/lle_storm.c $(wildcard include/uapi/linux/*.h)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) $(LDFLAGS) -o $@ $<

# commands of losslessctl in Python, and their modules
VIEW := $(dir $(BIN))lib/lossless
VIEWS := top tree explain doctor deadlock-graph congestion-graph
VIEW_FILES := $(patsubst %,$(VIEW)/losslessctl-%,$(VIEWS)) \
	$(patsubst daemon/view/%,$(VIEW)/%,$(filter-out $(VIEWS:%=daemon/view/%.py),$(wildcard daemon/view/*.py)))

ctl: $(BIN)/losslessctl $(VIEW_FILES)

$(VIEW)/losslessctl-%: daemon/view/%.py
	install -D -m 755 $< $@

$(VIEW)/%.py: daemon/view/%.py
	install -D -m 644 $< $@

# the client of the netlink family
library: $(LIBRARY)

$(LIBRARY): $(patsubst daemon/lib/%.c,$(BIN)/lib/%.o,$(wildcard daemon/lib/*.c))
	rm -f $@
	$(AR) rcs $@ $^

$(BIN)/lib/%.o: daemon/lib/%.c $(wildcard daemon/lib/*.h include/uapi/linux/*.h) $(GENERATED) $(addprefix build/gen/,netlink_tables.h state.h)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -D_GNU_SOURCE -I/usr/include/libnl3 -fPIC -c -o $@ $<

# objects of all of the daemon and its tools, for tests
ALL := $(patsubst %.c,$(BIN)/all/%.o,$(wildcard daemon/*/*.c) $(filter %.c,$(GENERATED)))

$(BIN)/all.a: $(ALL)
	rm -f $@
	$(AR) rcs $@ $^

$(ALL): $(BIN)/all/%.o: %.c $(wildcard daemon/*/*.h include/uapi/linux/*.h) $(GENERATED) $(addprefix build/gen/,netlink_tables.h state.h)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -D_GNU_SOURCE -DCONF_PATH='"$(SYSCONFDIR)/lossless.conf"' \
		-I/usr/include/libnl3 -c -o $@ $<

# options of the qdisc as words, for "save"
WORDS := $(addprefix daemon/tc/q_lossless_,write.c attr.c) build/gen/q_lossless_words_gen.c

$(BIN)/losslessctl: $(wildcard daemon/losslessctl/*.[ch] daemon/lib/*.h daemon/tc/*.h) $(WORDS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -D_GNU_SOURCE -I/usr/include/libnl3 \
		$(LDFLAGS) -o $@ $(filter %.c %.a,$^) -lnl-genl-3 -lnl-3 -ljson-c

daemon: $(BIN)/losslessd build/gen/grafana.json

build/gen/grafana.json: daemon/prometheus/grafana.py
	@mkdir -p $(@D)
	$< >$@

# the path of lossless.conf is in it
$(BIN)/sysconfdir: FORCE
	@mkdir -p $(@D)
	@echo '$(SYSCONFDIR)' | cmp -s - $@ || echo '$(SYSCONFDIR)' >$@
FORCE:

$(BIN)/losslessd: $(wildcard daemon/losslessd/*.[ch] daemon/lib/*.h daemon/tc/*.h) $(LIBRARY) $(BIN)/sysconfdir
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -D_GNU_SOURCE -DCONF_PATH='"$(SYSCONFDIR)/lossless.conf"' \
		-I/usr/include/libnl3 $(LDFLAGS) -o $@ $(filter %.c %.a,$^) \
		-lnl-genl-3 -lnl-3 -ljson-c -lsystemd -lconfuse -lmicrohttpd

build/bin/%: selftests/net/%.c $(wildcard include/uapi/linux/*.h)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) $(LDFLAGS) -o $@ $< $(LDLIBS)

build/bin/%: lab/flows/%.c
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) $(LDFLAGS) -o $@ $< $(LDLIBS)

build/bin/lle_flows: $(addprefix lab/flows/,lle_flows.c collective.c flows.h)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) -lm

build/bin/lle_wire_mpi: lab/mpi/lle_wire_mpi.c lab/wire/shared.h
	@mkdir -p $(@D)
	mpicc $(USR_CFLAGS) -D_GNU_SOURCE $(LDFLAGS) -o $@ $<

build/bin/lle_random: $(wildcard lab/random/*.[ch] daemon/lib/*.h) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -D_GNU_SOURCE -I/usr/include/libnl3 $(LDFLAGS) -o $@ $(filter %.c %.a,$^) \
		-lnl-genl-3 -lnl-3 -ljson-c

build/bin/lle_fail.so: selftests/net/lle_fail.c
build/bin/random_device.so: lab/guest/random_device.c
build/bin/%.so:
	@mkdir -p $(@D)
	$(CC) $(USR_CFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $<

build/bin/lle_nlfuzz build/bin/lle_genlfuzz build/bin/lle_dcbmon: LDLIBS = -lmnl
build/bin/lle_json: LDLIBS = -ljson-c
build/bin/lle_formats: LDLIBS = -ltraceevent
build/bin/lle_nlfuzz build/bin/lle_genlfuzz: selftests/net/nlfuzz.h

# what guests run
guest: tc ctl daemon testbed build/bin/lle_traffic build/bin/lle_nlfuzz \
		build/bin/lle_genlfuzz build/bin/lle_dcbmon build/bin/lle_json \
		build/bin/lle_flows build/bin/lle_tcp build/bin/lle_random \
		build/bin/lle_peer build/bin/lle_redirect build/bin/lle_tap build/bin/lle_formats \
		build/bin/lle_fail.so build/bin/random_device.so

demo:
	scripts/deps.sh build kernel vm demo
	selftests/demo/demo.sh $(OUT)/demo

# CMD as it is, also with dollars; the environment passes it
shell: override export CMD := $(value CMD)
shell:
	scripts/deps.sh build kernel vm shell $(if $(LAB),uml)
	scripts/shell.sh $(if $(LAB),-l) -c "$$CMD" $(TOPOLOGY)

check:
	scripts/deps.sh build kernel vm demo uml lab run mpi tests check cross pages series shell
	scripts/ci/check.sh

check-long:
	scripts/deps.sh build kernel vm uml cross lab run series clang shell tests
	scripts/ci/check.sh net-long net-storms net-lab-more net-6.12-more net-newest-more net-debug-more net-failslab net-planted net-mends \
		smp race proof-long mutants-sample mutants-border pair pair-models cross runner interrupt uml shell \
		parts-more lab-more lab-planted lab-seeds lab-sizes lab-extreme lab-defaults soak series

check-upstream:
	scripts/deps.sh build kernel vm upstream tests
	scripts/ci/check.sh upstream

bench:
	scripts/deps.sh build kernel vm
	selftests/bench/bench.sh $(OUT)/bench

soak:
	scripts/deps.sh build kernel vm uml
	scripts/ci/check.sh soak

race:
	scripts/deps.sh build uml vm
	selftests/race/run.sh

race-nightly:
	scripts/deps.sh build uml vm
	KERNEL=kcsan LLE_STRESS_SECONDS=$(or $(LLE_STRESS_SECONDS),1800) selftests/race/run.sh

# make lab SCENARIO=incast N=8 SEED=2: what is set on the command line is a key
LAB_KEYS = $(strip $(foreach key,$(filter-out SCENARIO,$(.VARIABLES)),$(if \
	   $(filter command\ line,$(origin $(key))),$(key)=$($(key)))))

lab:
	scripts/deps.sh build uml vm lab
	lab/lle-lab $(if $(SCENARIO),run $(SCENARIO) $(LAB_KEYS),list)

sweep:
	scripts/deps.sh build uml vm lab
	lab/lle-lab sweep $(SWEEP)

figures:
	scripts/deps.sh build uml vm lab
	lab/lle-lab figures $(FIGURES)

lab-list:
	@lab/lle-lab list

unit:
	selftests/unit/run.sh

model:
	selftests/model/run.sh

fuzz:
	selftests/fuzz/run.sh

# not to be confused with check-upstream: the kernel's own tests
upstream:
	scripts/deps.sh series
	rm -rf $(OUT)/upstream
	scripts/upstream/series.py $(KDIR) $(OUT)/upstream

clean:
	rm -rf build out

help:
	@sed -n '/^## /,/^$$/{s/^##* //;p}' Makefile

.PHONY: all modules tc ctl library daemon man testbed guest demo shell check check-long check-upstream upstream bench soak race race-nightly lab figures lab-list sweep unit model fuzz clean help FORCE
