// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Programs for libFuzzer. It is a separate package, so that nothing else is built with its instrumentation;
// `Scripts/fuzzers` builds it. Parsers that no function reaches with bytes alone are imported from below the
// public modules, as tests do.
let package = Package(
  name: "Fuzzers",
  dependencies: [.package(name: "swift-audiotoolbox", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzzers",
      dependencies: [.product(name: "AudioToolbox", package: "swift-audiotoolbox")])
  ]
)
