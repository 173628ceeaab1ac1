// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Converts channel layouts from and to the form in AIFF and CAF files: big-endian.
enum AudioLayoutBytes {
  /// The layout in this machine's byte order; nil when its bytes are inconsistent.
  static func native(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= 12 else { return nil }
    let count = Int(ByteFields(file, isBigEndian: true).uint32(8))
    guard count <= 65_536, file.count >= 12 + 20 * count else { return nil }
    var bytes = swapped(Array(file.prefix(12 + 20 * count)))
    if bytes.count < 32 { bytes += [UInt8](repeating: 0, count: 32 - bytes.count) }
    return ChannelLayouts.channelCount(bytes) == nil ? nil : bytes
  }

  /// The layout in the file's byte order; throws when it does not match the file's channels.
  static func checked(_ layout: [UInt8], _ file: Container) throws(AudioError) -> [UInt8] {
    let channels = Int(file.format.mChannelsPerFrame)
    guard let count = ChannelLayouts.channelCount(layout), count == channels else {
      throw .unsupportedDataFormat.because(
        "\(file.store.name): the channel layout has "
          + "\(ChannelLayouts.channelCount(layout) ?? 0) channels, the file \(channels)")
    }
    let descriptions = Int(ByteFields(layout, isBigEndian: 1.bigEndian == 1).uint32(8))
    return swapped(Array(layout.prefix(12 + 20 * min(descriptions, layout.count / 20))))
  }

  /// Converts 32-bit words between big-endian and this machine's byte order.
  private static func swapped(_ bytes: [UInt8]) -> [UInt8] {
    let fields = ByteFields(bytes, isBigEndian: true)
    guard 1.bigEndian != 1 else { return bytes }
    var builder = ByteBuilder(isBigEndian: false)
    for position in stride(from: 0, to: bytes.count, by: 4) {
      builder.number(fields.uint32(position))
    }
    return builder.bytes
  }
}
