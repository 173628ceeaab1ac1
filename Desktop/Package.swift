// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The window of the tone generator, and that of `au view`. It is a separate package, so that neither the
// library nor the terminal versions need GTK. `Scripts/window` builds it next to the existing build.
let package = Package(
  name: "ToneGeneratorWindow",
  dependencies: [.package(name: "swift-audiotoolbox", path: "..")],
  targets: [
    .systemLibrary(
      name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .executableTarget(
      name: "ToneGeneratorWindow",
      dependencies: [
        "CAdwaita", .product(name: "AudioUnitTool", package: "swift-audiotoolbox"),
        .product(name: "ToneModel", package: "swift-audiotoolbox"),
      ]),
  ]
)
