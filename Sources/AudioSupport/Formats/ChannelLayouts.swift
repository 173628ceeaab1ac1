// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// What the bytes of an `AudioChannelLayout` say.
package enum ChannelLayouts {
  private static let headerSize = 12
  private static let descriptionSize = MemoryLayout<AudioChannelDescription>.stride

  /// How many channels a layout speaks of; nil when its bytes are inconsistent.
  package static func channelCount(_ layout: [UInt8]) -> Int? {
    layout.withUnsafeBytes { channelCount($0) }
  }

  /// The same of a host's memory.
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

  /// The bytes that belong to a consistent layout; what a host says beyond it is not looked at.
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
