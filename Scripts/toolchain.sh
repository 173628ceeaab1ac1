# SPDX-License-Identifier: Apache-2.0
# Sourced by other scripts, in the root of the package: locations in the Swift toolchain.

# Set by the Makefile; this default is for scripts that are started manually.
FLAGS=${FLAGS-$(<Scripts/build-flags)}
read -ra flags <<<"$FLAGS"

# The folder of the static libraries of the Swift runtime: …/usr/lib/swift_static.
static_runtime=$(swiftc -static-stdlib -print-target-info |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')

# The toolchain's own compiler and linker, which support Swift's objects; not the distribution's.
# shellcheck disable=SC2034
{
  toolchain=$(cd "$static_runtime/../.." && pwd)
  toolchain_clang=$toolchain/bin/clang
  swift_start_object=$static_runtime/linux/$(uname -m)/swiftrt.o
}

# The folder of the objects and products that SwiftPM builds with our flags.
products_folder() { swift build "${flags[@]}" --show-bin-path; }
