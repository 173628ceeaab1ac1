// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioDevices
import CAudioToolbox

/// A value of an audio object's property.
enum AudioObjectValue {
  case numbers([UInt32])
  case real(Float64)
  case ranges([AudioValueRange])
  case format(AudioStreamBasicDescription)
  /// One buffer with so many channels; no buffer when there are none.
  case channels(Int)
  /// A CFString, made anew for each reader.
  case string(String)
  /// UTF-8 with a zero at its end.
  case text(String)

  /// Bytes that it takes.
  var byteCount: Int {
    switch self {
    case .numbers(let list): list.count * MemoryLayout<UInt32>.size
    case .real: MemoryLayout<Float64>.size
    case .ranges(let list): list.count * MemoryLayout<AudioValueRange>.size
    case .format: MemoryLayout<AudioStreamBasicDescription>.size
    case .channels(let count): bufferListSize(count)
    case .string: MemoryLayout<UnsafeRawPointer>.size
    case .text(let text): text.utf8.count + 1
    }
  }

  /// Writes it where there is room for `size` bytes: of a list whole elements, else all or nothing.
  /// Answers how many bytes were written.
  func write(to data: UnsafeMutableRawPointer, size: Int) throws(AudioError) -> Int {
    func copy<Element: BitwiseCopyable>(_ list: [Element]) -> Int {
      let count = min(list.count, size / MemoryLayout<Element>.size)
      for index in 0..<count {
        data.storeBytes(
          of: list[index], toByteOffset: index * MemoryLayout<Element>.size, as: Element.self)
      }
      return count * MemoryLayout<Element>.size
    }
    guard size >= (isList ? 1 : byteCount) else {
      throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
        "room for \(size) bytes; \(byteCount) are expected")
    }
    switch self {
    case .numbers(let list): return copy(list)
    case .real(let value): return copy([value])
    case .ranges(let list): return copy(list)
    case .format(let format): return copy([format])
    case .channels(let count):
      var list = AudioBufferList()
      list.mNumberBuffers = count > 0 ? 1 : 0
      list.mBuffers.mNumberChannels = UInt32(count)
      withUnsafeBytes(of: list) {
        UnsafeMutableRawBufferPointer(start: data, count: byteCount)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<byteCount]))
      }
      return byteCount
    case .string(let text):
      return copy([UInt(bitPattern: Bridge.current.retainedString(text))])
    case .text(let text):
      // Cut, it still ends.
      return copy(Array(text.utf8.prefix(size - 1)) + [0])
    }
  }

  /// Whether a reader may have a part of it.
  private var isList: Bool {
    switch self {
    case .numbers, .ranges, .text: true
    case .real, .format, .channels, .string: false
    }
  }

  private func bufferListSize(_ count: Int) -> Int {
    count > 0
      ? MemoryLayout<AudioBufferList>.size
      : MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
  }
}

// What each kind of object has.
extension AudioObjects {
  /// A property of the system; nil when it has none of that name.
  static func systemValue(_ question: Question) throws(AudioError) -> AudioObjectValue? {
    switch question.address.mSelector {
    case kAudioHardwarePropertyDevices: return .numbers(all().map(DeviceList.id))
    case kAudioHardwarePropertyDefaultInputDevice: return .numbers([standard(isInput: true)])
    case kAudioHardwarePropertyDefaultOutputDevice,
      kAudioHardwarePropertyDefaultSystemOutputDevice:
      return .numbers([standard(isInput: false)])
    case kAudioHardwarePropertyTranslateUIDToDevice:
      guard question.qualifier.count == MemoryLayout<UnsafeRawPointer>.size,
        let object = UnsafeRawPointer(bitPattern: question.qualifier.loadUnaligned(as: UInt.self)),
        let uid = Bridge.current.string(object)
      else {
        throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
          "the qualifier is no CFString")
      }
      let device = devices(of: DeviceName(uid).backend).first { $0.uid == uid }
      return .numbers([device.map(DeviceList.id) ?? kAudioObjectUnknown])
    case kAudioObjectPropertyName: return .string("System")
    default: return nil
    }
  }

  /// The number of the default device of a direction.
  private static func standard(isInput: Bool) -> AudioObjectID {
    guard let device = try? DeviceList.device(nil, input: isInput, output: !isInput),
      (isInput ? device.inputChannelCount : device.outputChannelCount) > 0
    else { return kAudioObjectUnknown }
    return DeviceList.id(of: device)
  }

  /// A property of a device; nil when it has none of that name in that scope.
  static func deviceValue(_ device: Device, _ question: Question) throws(AudioError)
    -> AudioObjectValue?
  {
    let scope = question.address.mScope
    let isInput = scope == kAudioObjectPropertyScopeInput
    let channelCount =
      isInput
      ? device.inputChannelCount
      : scope == kAudioObjectPropertyScopeOutput ? device.outputChannelCount : 0
    switch question.address.mSelector {
    case kAudioObjectPropertyName: return .string(device.name)
    case kAudioObjectPropertyManufacturer: return .string(device.backend)
    case kAudioDevicePropertyDeviceName: return .text(device.name)
    case kAudioDevicePropertyDeviceUID: return .string(device.uid)
    case kAudioDevicePropertyDeviceIsAlive: return .numbers([1])
    case kAudioDevicePropertyNominalSampleRate: return .real(device.sampleRate)
    case kAudioDevicePropertyAvailableNominalSampleRates:
      let rates = device.sampleRates
      return .ranges([.init(mMinimum: rates.lowerBound, mMaximum: rates.upperBound)])
    case kAudioDevicePropertyBufferFrameSize: return .numbers([UInt32(device.cycleFrames)])
    case kAudioDevicePropertyBufferFrameSizeRange:
      let frames = device.cycleFramesRange
      return .ranges([
        .init(mMinimum: Double(frames.lowerBound), mMaximum: Double(frames.upperBound))
      ])
    case kAudioDevicePropertyStreamConfiguration: return .channels(channelCount)
    case kAudioDevicePropertyStreams: return .numbers(sides(of: device, scope))
    case kAudioDevicePropertyStreamFormat where channelCount > 0:
      return .format(format(device, channelCount))
    case kAudioDevicePropertyPreferredChannelsForStereo where channelCount > 0:
      return .numbers([1, UInt32(min(channelCount, 2))])
    default: return nil
    }
  }

  /// A property of one direction of a device; nil when it has none of that name.
  static func sideValue(
    _ device: Device, isInput: Bool, _ question: Question
  ) -> AudioObjectValue? {
    switch question.address.mSelector {
    case kAudioObjectPropertyName: .string(device.name)
    case kAudioStreamPropertyDirection: .numbers([isInput ? 1 : 0])
    case kAudioStreamPropertyStartingChannel: .numbers([1])
    case kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat:
      .format(format(device, isInput ? device.inputChannelCount : device.outputChannelCount))
    default: nil
    }
  }

  private static func sides(of device: Device, _ scope: AudioObjectPropertyScope) -> [UInt32] {
    var sides: [UInt32] = []
    if scope != kAudioObjectPropertyScopeInput, device.outputChannelCount > 0 {
      sides.append(id(of: device, isInput: false))
    }
    if scope != kAudioObjectPropertyScopeOutput, device.inputChannelCount > 0 {
      sides.append(id(of: device, isInput: true))
    }
    return sides
  }

  private static func format(_ device: Device, _ channelCount: Int) -> AudioStreamBasicDescription {
    let bytes = UInt32(channelCount * MemoryLayout<Float>.size)
    return AudioStreamBasicDescription(
      mSampleRate: device.sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(channelCount),
      mBitsPerChannel: 32, mReserved: 0)
  }
}
