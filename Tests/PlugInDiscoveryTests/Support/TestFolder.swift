// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A temporary folder, which is removed with this object.
final class TestFolder {
  let path = NSTemporaryDirectory() + "plug-ins-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, with the folders that lead to it.
  @discardableResult func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  /// An environment with only this folder.
  var environment: @Sendable (String) -> String? { { [path] in ["HOME": path][$0] } }
}
