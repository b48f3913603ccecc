# GNU make, on Linux and macOS.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

TOOLS := $(sort $(notdir $(wildcard Sources/Tools/*)))
SOURCES := Package.swift $(shell find Sources -type f)
# STRICT=1 makes an error of each warning, in folders of its own, and leaves out what debuggers read, which takes long.
BUILD := $(if $(STRICT),.build-strict,.build)
RELEASE := $(BUILD)/release
# The tests are linked with the objects that the tools are made of.
export SWIFT_FLAGS := -Xswiftc -enable-testing $(if $(STRICT),-Xswiftc -warnings-as-errors -Xswiftc -gnone)
RUN_TESTS := BUILD=$(BUILD) Tests/run.sh

BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
MAN = $(SHARE)/man/man1
BASH = $(SHARE)/bash-completion/completions
ZSH = $(SHARE)/zsh/site-functions
FISH = $(SHARE)/fish/vendor_completions.d
# systemd finds units there: system units for a server, user units for a device.
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd
DOC = $(SHARE)/doc/peersync

.PHONY: help demo quick test docc embed check lint soak bench link-order release install package uninstall format generated clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: ## Install what is missing, build, and bring two devices together over TCP.
	@.ci/require-swift
	@.ci/install-missing socat qrencode.h=libqrencode-dev openssl/ssl.h=libssl-dev sqlite3.h=libsqlite3-dev \
	  curl/curl.h=libcurl4-openssl-dev microhttpd.h=libmicrohttpd-dev postgresql/libpq-fe.h=libpq-dev
	@$(MAKE) --no-print-directory release
	@Tests/Demo/demo.sh $(RELEASE)

quick: ## Run the tests of the pure modules alone.
	@$(RUN_TESTS) quick

test: release ## Run all tests; VERBOSE=1 prints all that they print.
	@$(RUN_TESTS) all

docc: release ## Make a documentation archive of each library product, in BUILD/docc.
	Tests/Embedding/docc.sh $(BUILD) $(CURDIR)/$(BUILD)/docc

embed: release ## Build and run the examples of docs/library.md, each as an app that links the libraries.
	PEERSYNC_TOOLS=$(CURDIR)/$(RELEASE) Tests/Embedding/run.sh $(CURDIR)/$(BUILD)/embedding
	Tests/Embedding/docc.sh $(BUILD) $(CURDIR)/$(BUILD)/docc

check: lint ## Lint the format, build without warnings, run all tests.
	@$(MAKE) --no-print-directory test STRICT=1

lint: ## Lint the format.
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

soak: release ## Run the long tests too, against the release build, and the fuzz targets.
	@.ci/install-missing perl syncthing rclone nginx haproxy caddy parallel rsync sshd=openssh-server java=default-jre-headless
	@.ci/python-environment spark
	@# The longest tests use one core; the fuzzing has what they leave.
	nice -n 10 Tests/Fuzz/fuzz.sh >$(BUILD)/fuzz.log 2>&1 & fuzz=$$!; \
	SOAK=1 $(RUN_TESTS) all && tests=0 || tests=$$?; \
	BY=tag Tests/Embedding/run.sh $(CURDIR)/$(BUILD)/embedding-by-tag || tests=1; \
	wait $$fuzz || tests=1; cat $(BUILD)/fuzz.log; exit $$tests

bench: release ## Measure against other programs; QUICK=1 takes less data and time.
	@Tests/Bench/bench.sh $(RELEASE)

link-order: release ## Look anew at what a start of the tools touches, and link them by it.
	@.ci/install-missing valgrind
	Tests/Bench/link-order.sh $(RELEASE) >.build/link-order.txt
	mv .build/link-order.txt Sources/link-order.txt
	@$(MAKE) --no-print-directory release

release: $(BUILD)/release.stamp ## Build the tools as they are installed.

$(BUILD)/release.stamp: $(SOURCES)
	@# The package manager does not see that the order of the symbols has changed.
	@test ! Sources/link-order.txt -nt $@ || rm -f $(TOOLS:%=$(RELEASE)/%)
	@# As of now: what is edited while it builds is not in it. WITH has further options, such as --build-tests.
	@mkdir -p $(BUILD) && touch $@.begun
	$(SWIFT) build -c release --scratch-path $(BUILD) $(SWIFT_FLAGS) $(WITH)
	@mv $@.begun $@

install: release ## Install tools, man pages, completions and documents below PREFIX (/usr/local).
	install -d "$(BIN)" "$(MAN)" "$(BASH)" "$(ZSH)" "$(FISH)" "$(DOC)/docs"
	cp -R docs/. "$(DOC)/docs"
	install -m 644 README.md CHANGELOG.md LICENSE "$(DOC)"
	sed -i.old 's|/usr/local/bin|$(PREFIX)/bin|' "$(DOC)"/docs/units/*; rm "$(DOC)"/docs/units/*.old
	set -e; [ "$$(uname)" = Linux ] || exit 0; install -d "$(UNITS)/system" "$(UNITS)/user"; \
	for unit in docs/units/*.service docs/units/*.timer; do \
	  case $$unit in */syncserve*) kind=system ;; *) kind=user ;; esac; \
	  sed 's|/usr/local/bin|$(PREFIX)/bin|' $$unit >"$(UNITS)/$$kind/$${unit##*/}"; chmod 644 "$(UNITS)/$$kind/$${unit##*/}"; \
	done
	Sources/Together/install.sh $(RELEASE) "$(BIN)" $(TOOLS)
	set -e; for tool in $(TOOLS); do \
	  install -m 644 man/$$tool.1 "$(MAN)/$$tool.1"; \
	  install -m 644 completions/$$tool.bash "$(BASH)/$$tool"; \
	  install -m 644 completions/_$$tool "$(ZSH)/_$$tool"; \
	  install -m 644 completions/$$tool.fish "$(FISH)/$$tool.fish"; \
	done

package: release ## Make packages in BUILD/packages: a .deb, a tarball that runs anywhere, a formula for Homebrew.
	rm -rf $(BUILD)/packages $(BUILD)/tree
	@BUNDLED=1 $(MAKE) --no-print-directory install DESTDIR=$(abspath $(BUILD))/tree PREFIX=/usr
	Sources/Packages/package.sh $(BUILD)/tree $(BUILD)/packages

uninstall: ## Remove what install has put there.
	for tool in $(TOOLS); do \
	  rm -f "$(BIN)/$$tool" "$(MAN)/$$tool.1" "$(BASH)/$$tool" "$(ZSH)/_$$tool" "$(FISH)/$$tool.fish"; \
	done
	for unit in docs/units/*; do rm -f "$(UNITS)/system/$${unit##*/}" "$(UNITS)/user/$${unit##*/}"; done
	rm -rf "$(DOC)"

format: ## Format the sources.
	$(SWIFT) format format --in-place --recursive Package.swift Sources Tests

generated: release ## Rewrite man pages, completions and the generated parts of docs.
	@UPDATE_GENERATED=1 $(RUN_TESTS) GeneratedTests

clean: ## Remove what was built.
	rm -rf .build .build-*
