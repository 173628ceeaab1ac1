// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Writes pictures to files.
enum PictureFile {
  /// Extensions of other image formats, which must not be used for an SVG.
  private static let otherKinds: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "pdf", "eps"]

  /// Writes an SVG picture; "-" is standard output.
  static func write(_ picture: String, to path: String) throws(Failure) {
    let url = URL(fileURLWithPath: path)
    if otherKinds.contains(url.pathExtension.lowercased()) {
      let name = url.deletingPathExtension().lastPathComponent
      throw Failure(
        "\(path): pictures are SVG files. Write \(name).svg; "
          + "`rsvg-convert \(name).svg -o \(url.lastPathComponent)` converts it")
    }
    try TextFile.write(picture, to: path)
  }

  /// Writes a PNG picture, or replaces one when the new one is complete; "-" is standard output.
  static func write(png: [UInt8], to path: String) throws(Failure) {
    try TextFile.write(png, to: path)
  }
}
