// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Reads the bytes of an `AudioChannelLayout`.
package enum ChannelLayouts {
  private static let headerSize = 12
  private static let descriptionSize = MemoryLayout<AudioChannelDescription>.stride

  /// The number of channels of a layout; nil if its bytes are inconsistent.
  package static func channelCount(_ layout: [UInt8]) -> Int? {
    layout.withUnsafeBytes { channelCount($0) }
  }

  /// As above, for a layout in the host's memory.
  package static func channelCount(_ layout: UnsafeRawBufferPointer) -> Int? {
    guard layout.count >= headerSize else { return nil }
    switch field(0, layout) {
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      guard layout.count >= size(layout) else { return nil }
      return Int(field(2, layout))
    case kAudioChannelLayoutTag_UseChannelBitmap:
      return field(1, layout).nonzeroBitCount
    default:
      return Int(field(0, layout) & 0xFFFF)
    }
  }

  /// The bytes of a consistent layout; anything beyond it is ignored.
  package static func bytes(_ layout: UnsafeRawBufferPointer) -> [UInt8] {
    let size = max(size(layout), MemoryLayout<AudioChannelLayout>.size)
    return Array(layout.prefix(size))
  }

  private static func size(_ layout: UnsafeRawBufferPointer) -> Int {
    headerSize + Int(field(2, layout)) * descriptionSize
  }

  /// Tag, bitmap and the number of descriptions.
  private static func field(_ index: Int, _ layout: UnsafeRawBufferPointer) -> UInt32 {
    layout.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
  }
}
