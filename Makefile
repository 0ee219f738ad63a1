# The front door; CMakePresets.json and tools/setup do the work.

# The builds that `make test` makes and runs.
VARIANTS ?= gcc clang chaos asan clang-asan tsan clang-tsan aarch64 musl
# Where `make torture` looks for faults, and how long each of its tests goes on.
TORTURE_VARIANTS ?= gcc chaos asan clang-tsan
SECONDS ?= 3600
PREFIX ?= /usr/local
# What `make install` adds for programs that are built with -fsanitize; empty for none of it.
FOR_SANITIZERS ?= for-asan for-tsan
JOBS ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help run test torture coverage bench lint format install clean
MAKEFLAGS += --no-print-directory

help:
	@echo "make run      a million tasks through a pool, in one look; ARGS=\"1000000 50000 0\": so many"
	@echo "              tasks and workers, and so many seconds for the threads, 0 for none of them"
	@echo "make test     the whole suite; VARIANTS=\"gcc asan\" for some builds,"
	@echo "              TESTS=regex for some tests"
	@echo "make torture  the long forms of the stress tests; SECONDS=60 for each"
	@echo "make coverage which lines of src/ the tests reach; MISSED=1 lists those without reason"
	@echo "make bench    Anthill and its peers compared; QUICK=1 for two minutes"
	@echo "make lint     clang-tidy and the layout of all sources, as the suite checks them"
	@echo "make format   clang-format over all sources"
	@echo "make install  into PREFIX (/usr/local), below DESTDIR; FOR_SANITIZERS= without the"
	@echo "              variants for AddressSanitizer and ThreadSanitizer"
	@echo "make clean    removes build/"

# Configures and builds variants: $(call build,variants[,targets]). They share the CPUs, several at a
# time, because linking and configuring keep only one CPU busy.
define build
	@printf '%s\n' $(1) | xargs -P $(JOBS) -I{} sh -c 'cmake --preset {} --log-level=WARNING >/dev/null && \
	    NINJA_STATUS="[{} %f/%t] " cmake --build build/{} -j $(call share,$(words $(1))) \
	    $(if $(2),--target $(2))'
endef
share = $$((($(JOBS) + $(1) - 1) / $(1)))

# One ctest over several variants: $(call ctest,variants,arguments)
define ctest
	@mkdir -p build/all
	@for v in $(1); do echo "subdirs(\"../$$v\")"; done >build/all/CTestTestfile.cmake
	@ctest --test-dir build/all --no-label-summary --no-tests=error --output-on-failure $(2) \
	    $(if $(TESTS),-R '$(TESTS)')
endef

run:
	@tools/setup run
	$(call build,gcc,example_million)
	@build/gcc/examples/million $(ARGS)

# Many tests wait more than they compute: so four times as many at once as there are CPUs.
at_once = $$((4 * $(JOBS)))

test:
	@tools/setup test
	$(call build,$(VARIANTS))
	$(call ctest,$(VARIANTS),-j $(at_once) --timeout 300)

torture:
	@tools/setup test
	$(call build,$(TORTURE_VARIANTS))
	@echo "-- each test goes on for $(SECONDS) seconds"
	$(call ctest,$(TORTURE_VARIANTS),-C torture -j 1 -L torture --timeout $$(($(SECONDS) * 2 + 300)))

torture: export ANT_TORTURE_SECONDS = $(SECONDS)

# With 1, 2 and 8 Ps: a line counts as reached if any run reaches it.
coverage:
	@tools/setup test
	$(call build,coverage)
	@find build/coverage -name '*.gcda' -delete
	@rm -f build/coverage/failed
	$(call ctest,coverage,-j $(at_once) --timeout 300 -Q) || touch build/coverage/failed
	@tools/coverage build/coverage $(if $(MISSED),--missed)
	@[ ! -e build/coverage/failed ] || { echo "coverage: tests have failed" >&2; exit 1; }

bench:
	@tools/setup bench
	@bench/run $(if $(filter-out 0,$(QUICK)),--quick)

lint:
	@tools/setup lint
	@tools/lint

format:
	@tools/setup format
	@find include src tests examples bench -name '*.[ch]' -o -name '*.cc' | \
	    xargs clang-format -i --style=file

install:
	@tools/setup run
	$(call build,gcc $(FOR_SANITIZERS),anthill_static anthill_shared)
	@for build in gcc $(FOR_SANITIZERS); do \
	    DESTDIR='$(DESTDIR)' cmake --install build/$$build --prefix '$(abspath $(PREFIX))' || exit 1; \
	done
	@[ -n '$(DESTDIR)' ] || [ "$$(id -u)" != 0 ] || ldconfig

clean:
	rm -rf build
