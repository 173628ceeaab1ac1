// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport

extension Container {
  /// The name of the format for display.
  var formatName: String {
    let description = StreamFormat.describe(format)
    guard let codec = CompressedFormat.of(format.mFormatID) else { return description }
    let depth = sourceBitDepth.map { ", \($0) bits" } ?? ""
    return description.prefix { $0 != "'" } + codec.name + depth
  }
}
