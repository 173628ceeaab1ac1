// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// LADSPA libraries built from `Hostile/hostile.c`.
enum HostileLibrary {
  private static let source =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Hostile/hostile.c").path

  /// Builds the library with a fault.
  @discardableResult static func build(_ fault: String, at path: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "gcc", "-w", "-O1", "-shared", "-fPIC", "-DFAULT=\(fault)", source, "-o", path,
    ]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    return path
  }
}
