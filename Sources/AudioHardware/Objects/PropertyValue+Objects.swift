// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// The values of audio objects.
extension PropertyValue {
  /// Identifiers, codes and flags.
  static func numbers(_ list: [UInt32]) -> PropertyValue { .array(list) }
  /// A rate, or a time.
  static func real(_ value: Float64) -> PropertyValue { .value(value) }
  /// A volume, a position or a usage.
  static func float(_ value: Float32) -> PropertyValue { .value(value) }
  /// Ranges of rates or cycles.
  static func ranges(_ list: [AudioValueRange]) -> PropertyValue { .array(list) }
  /// The format of a stream.
  static func format(_ format: AudioStreamBasicDescription) -> PropertyValue { .value(format) }
  /// The formats that a stream may have.
  static func formats(_ list: [AudioStreamRangedDescription]) -> PropertyValue { .array(list) }

  /// An AudioChannelLayout with a description for each channel.
  static func layout(_ labels: [AudioChannelLabel]) -> PropertyValue {
    let header = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
    // The label is the first member of a description.
    return structure(
      AudioChannelLayout.self, header, MemoryLayout<AudioChannelDescription>.stride,
      [kAudioChannelLayoutTag_UseChannelDescriptions, 0, UInt32(clamping: labels.count)], labels)
  }

  /// An AudioBufferList with a buffer for each stream, which has these channel counts.
  static func channels(_ streams: [Int]) -> PropertyValue {
    let header = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
    // The number of channels is the first member of a buffer.
    return structure(
      AudioBufferList.self, header, MemoryLayout<AudioBuffer>.stride,
      [UInt32(clamping: streams.count)], streams.map { UInt32(clamping: $0) })
  }

  /// An AudioHardwareIOProcStreamUsage: its function, and whether each stream is used.
  static func usage(_ function: UInt, _ streams: [Bool]) -> PropertyValue {
    structure(
      AudioHardwareIOProcStreamUsage.self, 12, 4,
      [
        UInt32(truncatingIfNeeded: function), UInt32(truncatingIfNeeded: function >> 32),
        UInt32(clamping: streams.count),
      ], streams.map { $0 ? 1 : 0 })
  }

  /// The program's translation, whose output is filled. Nil if only its size is asked for.
  static func translation(_ translation: AudioValueTranslation?) -> PropertyValue {
    if let translation { return .value(translation) }
    let size = MemoryLayout<AudioValueTranslation>.size
    return .structure([UInt8](repeating: 0, count: size), AudioValueTranslation.self)
  }

  /// A structure of some numbers, and an array after `header` bytes, of which each element begins
  /// with a number. The gaps are zero, so that no other memory leaks.
  private static func structure<Value>(
    _ type: Value.Type, _ header: Int, _ stride: Int, _ first: [UInt32], _ elements: [UInt32]
  ) -> PropertyValue {
    var bytes = [UInt8](repeating: 0, count: header + stride * elements.count)
    bytes.withUnsafeMutableBytes { memory in
      for (index, number) in first.enumerated() {
        memory.storeBytes(of: number, toByteOffset: 4 * index, as: UInt32.self)
      }
      for (index, number) in elements.enumerated() {
        memory.storeBytes(of: number, toByteOffset: header + stride * index, as: UInt32.self)
      }
    }
    return .structure(bytes, type)
  }
}
