// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The window of the tone generator: a package of its own, so that neither the library nor the
// terminal form needs GTK. `Scripts/window` builds it beside what is built already.
let package = Package(
  name: "ToneGeneratorWindow",
  dependencies: [.package(name: "swift-audiotoolbox", path: "..")],
  targets: [
    .systemLibrary(
      name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .executableTarget(
      name: "ToneGeneratorWindow",
      dependencies: ["CAdwaita", .product(name: "ToneModel", package: "swift-audiotoolbox")]),
  ]
)
