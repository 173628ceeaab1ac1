// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioDevices
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A value of an audio object's property.
enum AudioObjectValue {
  case numbers([UInt32])
  case real(Float64)
  case float(Float32)
  case ranges([AudioValueRange])
  case format(AudioStreamBasicDescription)
  case formats([AudioStreamRangedDescription])
  /// An AudioChannelLayout with a description for each channel.
  case layout([AudioChannelLabel])
  /// NULL instead of an object.
  case null
  /// The caller's translation, whose output is filled. Nil if only its size is queried.
  case translation(AudioValueTranslation?)
  /// A buffer for each stream, with these channel counts.
  case channels([Int])
  /// An AudioHardwareIOProcStreamUsage: its function, and whether each stream is used.
  case usage(UInt, [Bool])
  /// A CFURL of a file, created for each reader.
  case file(String)
  /// A property list, created for each reader.
  case list(PropertyList)
  /// A CFString, created for each reader.
  case string(String)
  /// UTF-8 that ends with a zero.
  case text(String)

  /// Its size in bytes.
  var byteCount: Int {
    switch self {
    case .numbers(let list): list.count * MemoryLayout<UInt32>.size
    case .real: MemoryLayout<Float64>.size
    case .float: MemoryLayout<Float32>.size
    case .ranges(let list): list.count * MemoryLayout<AudioValueRange>.size
    case .format: MemoryLayout<AudioStreamBasicDescription>.size
    case .formats(let list): list.count * MemoryLayout<AudioStreamRangedDescription>.size
    case .layout(let labels): layoutSize(labels.count)
    case .channels(let streams): bufferListSize(streams.count)
    case .usage(_, let streams): usageSize(streams.count)
    case .string, .null, .file, .list: MemoryLayout<UnsafeRawPointer>.size
    case .translation: MemoryLayout<AudioValueTranslation>.size
    case .text(let text): text.utf8.count + 1
    }
  }

  /// Writes it to memory of `size` bytes and returns the number of bytes written. A list is cut to
  /// whole elements, at least one. Other values are written completely or not at all.
  func write(to data: UnsafeMutableRawPointer, size: Int) throws(AudioError) -> Int {
    func copy<Element: BitwiseCopyable>(_ list: [Element]) -> Int {
      let count = min(list.count, size / MemoryLayout<Element>.size)
      for index in 0..<count {
        data.storeBytes(
          of: list[index], toByteOffset: index * MemoryLayout<Element>.size, as: Element.self)
      }
      return count * MemoryLayout<Element>.size
    }
    guard size >= smallestSize else {
      throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
        "room for \(size) bytes; expected \(byteCount)")
    }
    switch self {
    case .numbers(let list): return copy(list)
    case .real(let value): return copy([value])
    case .float(let value): return copy([value])
    case .ranges(let list): return copy(list)
    case .format(let format): return copy([format])
    case .formats(let list): return copy(list)
    case .layout(let labels):
      write(labels, to: data)
      return byteCount
    case .null: return copy([UInt(0)])
    case .translation(let translation): return translation.map { copy([$0]) } ?? 0
    case .channels(let streams):
      // The gaps between the fields are zeroed too, so that no other memory leaks.
      data.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      data.storeBytes(of: UInt32(clamping: streams.count), as: UInt32.self)
      for (index, count) in streams.enumerated() {
        // The number of channels is the first member of a buffer.
        data.storeBytes(
          of: UInt32(clamping: count), toByteOffset: bufferListSize(index), as: UInt32.self)
      }
      return byteCount
    case .usage(let function, let streams):
      data.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      data.storeBytes(of: function, as: UInt.self)
      data.storeBytes(of: UInt32(clamping: streams.count), toByteOffset: 8, as: UInt32.self)
      for (index, isOn) in streams.enumerated() {
        data.storeBytes(of: isOn ? 1 : 0, toByteOffset: usageSize(index), as: UInt32.self)
      }
      return byteCount
    case .file(let path):
      return copy([UInt(bitPattern: Bridge.current.retainedFileURL(path))])
    case .list(let list):
      return copy([UInt(bitPattern: Bridge.current.retainedPropertyList(list))])
    case .string(let text):
      return copy([UInt(bitPattern: Bridge.current.retainedString(text))])
    case .text(let text):
      // A truncated text still ends with a zero.
      return copy(Array(text.utf8.prefix(size - 1)) + [0])
    }
  }

  /// The minimum number of bytes that a reader may request: one element of a list.
  private var smallestSize: Int {
    switch self {
    case .numbers: min(byteCount, MemoryLayout<UInt32>.size)
    case .ranges: min(byteCount, MemoryLayout<AudioValueRange>.size)
    case .formats: min(byteCount, MemoryLayout<AudioStreamRangedDescription>.size)
    case .text: min(byteCount, 1)
    case .real, .float, .format, .layout, .channels, .string, .null, .translation, .usage, .file,
      .list:
      byteCount
    }
  }

  private func layoutSize(_ count: Int) -> Int {
    (MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12)
      + count * MemoryLayout<AudioChannelDescription>.stride
  }

  private func write(_ labels: [AudioChannelLabel], to data: UnsafeMutableRawPointer) {
    data.initializeMemory(as: UInt8.self, repeating: 0, count: layoutSize(labels.count))
    data.storeBytes(of: kAudioChannelLayoutTag_UseChannelDescriptions, as: UInt32.self)
    data.storeBytes(of: UInt32(clamping: labels.count), toByteOffset: 8, as: UInt32.self)
    for (index, label) in labels.enumerated() {
      // The label is the first member of a description.
      data.storeBytes(of: label, toByteOffset: layoutSize(index), as: AudioChannelLabel.self)
    }
  }

  private func bufferListSize(_ count: Int) -> Int {
    (MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8)
      + count * MemoryLayout<AudioBuffer>.stride
  }

  /// A pointer, a number, and a number for each stream.
  private func usageSize(_ count: Int) -> Int { 12 + 4 * count }
}
