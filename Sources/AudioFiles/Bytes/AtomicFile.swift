// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// Writes whole files atomically, such as pictures and texts.
public enum AtomicFile {
  /// [control thread] Writes a file, or replaces one; "-" is the standard output.
  ///
  /// An existing file is kept until the new one is complete. A pipe or a device is not replaced,
  /// but written to.
  ///
  /// - Throws: When the path cannot be written.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(AudioError) {
    var file = try OutputFile(creating: path) { _ in }
    try file.write(Array(bytes), at: 0)
    try file.finish()
  }
}
