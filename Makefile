# SPDX-License-Identifier: Apache-2.0
# Builds, tests and installs swift-audiotoolbox. `make` alone lists the targets; the work is in
# Scripts/.

VERSION := 1.0.0
PREFIX ?= /usr/local
# The folder of the library, below PREFIX: distributions have one for each architecture.
LIBDIR ?= $(PREFIX)/lib
override PREFIX := $(abspath $(PREFIX))
override LIBDIR := $(abspath $(LIBDIR))
override DESTDIR := $(abspath $(DESTDIR))

# Everything is built with the same flags in one folder, so that the installed library is exactly what
# is tested, and is compiled once. With a section per function the linker can drop half a megabyte of
# unused functions.
FLAGS := $(shell cat Scripts/build-flags)
ifdef STRICT
FLAGS += -Xswiftc -warnings-as-errors -Xcc -Werror
endif

RUN_TESTS = Scripts/test
# The stages of `make test`: `make test STAGES="build units"`.
STAGES ?= all

# The duration of the long tests, and the tests that each target runs: `make soak MINUTES=60`.
MINUTES ?= 10
ROUNDS ?= 100000
SECONDS_EACH ?= 3600
SOAK_TESTS ?= Soak
# The Python that `make bench` uses; one with pedalboard, soxr and soundfile compares with them.
PYTHON ?= /usr/bin/python3
FUZZ_TESTS ?= Fuzz
# `make wheel CODECS=no` needs no network.
CODECS ?= yes
export VERSION PREFIX DESTDIR FLAGS

.DEFAULT_GOAL := help
.PHONY: help setup ready ready-to-run ready-for-tests run build wheel deb tarball test servers midi newcomer validate plug-ins style lint format docs screenshots bench \
  arm64 vectors music soak fuzz sanitize install uninstall clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1	\2/p' $(MAKEFILE_LIST) | expand -t 12

setup: ## install the Debian packages for building and testing; explains how to get Swift
	@Scripts/setup

# Quick, and silent if nothing is missing.
ready:
	@Scripts/setup --if-needed

ready-to-run:
	@Scripts/setup --to-run

ready-for-tests:
	@Scripts/setup --for-tests

# Without optimisation, as `swift run` builds it: that takes half the time, and plays without gaps too.
run: FLAGS :=
run: ready-to-run ## play: start ToneGenerator, in a window if there is a display
	@swift build --product ToneGenerator
	@Scripts/window --quiet
	@Scripts/translations
	@swift run --skip-build ToneGenerator

build: ready ## build the library, the programs and the files for `make install`
	swift build $(FLAGS)
	Scripts/window
	Scripts/translations
	Scripts/link

wheel: build ## make the wheel of the Python module, with library and codecs, in .build/wheel (CODECS=no: without)
	Scripts/wheel $(if $(filter no,$(CODECS)),--no-codecs)

deb: build ## make the Debian packages of the library, its headers and the programs, in .build/packages
	Scripts/debian-packages

tarball: build ## make an archive of the installed files for other systems, in .build/packages
	Scripts/tarball

test: ready-for-tests ## build once and run all tests, including the installation
	@Scripts/stages $(STAGES)

servers: ready-for-tests ## only the tests that start PipeWire, JACK and PulseAudio
	swift build --build-tests $(FLAGS)
	$(RUN_TESTS) --filter ServerTests

midi: ready-for-tests ## the tests of ALSA's sequencer, in a virtual machine with Debian's kernel (QEMU)
	swift build --build-tests $(FLAGS)
	Tests/SequencerTests/run

# A build from scratch takes minutes.
newcomer: ready-for-tests ## follow the README in a fresh clone, built from scratch
	Tests/PackageTests/newcomer

validate: ready ## validate every unit with all sizes, rates and rounds (takes minutes)
	swift build $(FLAGS) --product au
	$$(swift build $(FLAGS) --show-bin-path)/au validate --all --strictness 10 --full

plug-ins: ready ## run and validate every plug-in of this machine, and write docs/PLUG-IN-RUNS.md
	swift build $(FLAGS) --product au
	swift build $(FLAGS) --product PlugInScanner
	Scripts/plug-in-runs --au $$(swift build $(FLAGS) --show-bin-path)/au

style: ready ## check the format, imports, reference cycles, licence lines and doc comments
	swift format lint --strict --parallel --recursive Package.swift Sources Desktop Tests Examples \
	  Benchmarks Fuzzers
	Scripts/check-sources --comments
	Scripts/check-headers
	Scripts/check-circles
	Scripts/target-graph --check
	Scripts/property-names --check
	Scripts/component-keys --check
	Scripts/class-table --check
	Scripts/check-readme

lint: style ## style, and a build that treats warnings as errors
	swift build --build-tests --scratch-path .build-lint $(FLAGS) \
	  -Xswiftc -warnings-as-errors -Xcc -Werror

format: ready ## format the Swift sources
	swift format --in-place --parallel --recursive Package.swift Sources Desktop Tests Examples \
	  Benchmarks Fuzzers

docs: ready ## write docs/COMPATIBILITY.md, and the reference pages to docs/api
	Scripts/target-graph
	Scripts/docs

screenshots: build ## save a screenshot of each state of the window to .build/screenshots
	Tests/WindowTests/session /usr/bin/python3 Tests/WindowTests/screenshots.py .build/screenshots

arm64: ready ## compare the signal processing on arm64 (QEMU) with that on x86-64, to the bit
	Tests/ArmTests/run

vectors: ready ## compare vDSP and vForce with numpy, if it is installed
	Tests/VectorPeers/compare

music: ready ## compare the sound of MIDI files with TiMidity, WildMIDI and FluidSynth, if installed
	swift build $(FLAGS) --product au
	Tests/MusicPeers/compare "$$(swift build $(FLAGS) --show-bin-path)"

bench: build ## measure this library and installed comparable programs
	swift run $(FLAGS) Benchmarks
	Scripts/footprint
	@if $(PYTHON) -c 'import numpy' 2>/dev/null; then PYTHONPATH=Python \
	  AUDIOTOOLBOX_LIBRARY=$(CURDIR)/.build/install/libAudioToolbox.so.1 $(PYTHON) Python/benchmarks/compare.py; fi
	@if [ -x .build/install/ToneGeneratorWindow ]; then \
	  Tests/WindowTests/session /usr/bin/python3 Tests/WindowTests/load.py; fi

soak: ready-for-tests ## the long tests at full length (MINUTES=10), and all tests without optimisation
	swift build --build-tests $(FLAGS)
	AUDIOTOOLBOX_TEST_MINUTES=$(MINUTES) $(RUN_TESTS) --filter '$(SOAK_TESTS)'
	Tests/NetworkTests/run --all || [ $$? = 69 ]
	Tests/PlainTests/run --all

fuzz: ready ## random calls, damaged files, failing system calls and libFuzzer (ROUNDS=100000 SECONDS_EACH=3600)
	swift build $(FLAGS) --product au
	Tests/FaultTests/run --all
	AUDIOTOOLBOX_TEST_ROUNDS=$(ROUNDS) ADDRESS_TESTS='$(FUZZ_TESTS)' Scripts/sanitize address
	SECONDS_EACH=$(SECONDS_EACH) Scripts/fuzzers

sanitize: ready-for-tests ## the tests under the thread, address and real-time sanitizers (ONLY=thread for one)
	Scripts/sanitize $(ONLY)

# Under sudo there is often no Swift in the path, and a build would leave objects that belong to root.
# Therefore the existing result of `make build` is installed.
install: $(if $(SUDO_UID),,build) ## install to PREFIX (/usr/local), below DESTDIR when given
	LIBDIR="$(LIBDIR)" Scripts/install

uninstall: ## remove the installed files
	Scripts/uninstall

clean: ## remove all build results
	rm -rf .build .build-lint .build-thread .build-address .build-realtime .build-fuzzers docs/api
