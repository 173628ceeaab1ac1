// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// What the bytes of an `AudioChannelLayout` say.
package enum ChannelLayouts {
  private static let headerSize = 12
  private static let descriptionSize = MemoryLayout<AudioChannelDescription>.stride

  /// How many channels a layout speaks of; nil when its bytes are inconsistent.
  package static func channelCount(_ layout: [UInt8]) -> Int? {
    guard layout.count >= headerSize else { return nil }
    let (tag, bitmap, count) = layout.withUnsafeBytes {
      (
        $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
        $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
        $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
      )
    }
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      guard layout.count >= headerSize + Int(count) * descriptionSize else { return nil }
      return Int(count)
    case kAudioChannelLayoutTag_UseChannelBitmap:
      return bitmap.nonzeroBitCount
    default:
      return Int(tag & 0xFFFF)
    }
  }
}
