// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// Files that are written in one go, such as pictures and texts.
public enum WholeFile {
  /// [control thread] Writes a file, or replaces one; "-" is the standard output.
  ///
  /// An existing file stays until the new one is complete. A pipe or a device is written to and
  /// stays what it is.
  ///
  /// - Throws: Why the path cannot be written.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(AudioError) {
    var file = try OutputFile(creating: path) { _ in }
    try file.write(Array(bytes), at: 0)
    try file.finish()
  }
}
