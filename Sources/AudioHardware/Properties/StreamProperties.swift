// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import CAudioToolbox

// What one direction of a device has, a row each.
extension AudioObjects {
  /// One direction of a device.
  struct Side: Sendable {
    let device: Device
    let isInput: Bool

    var channelCount: Int { isInput ? device.inputChannelCount : device.outputChannelCount }
  }

  static let sideProperties: [AudioObjectProperty<Side>] = [
    .init(kAudioObjectPropertyBaseClass, { _ in .numbers([UInt32(kAudioObjectClassID)]) }),
    .init(kAudioObjectPropertyClass, { _ in .numbers([UInt32(kAudioStreamClassID)]) }),
    .init(kAudioObjectPropertyOwner, { .numbers([DeviceList.id(of: $0.object.device)]) }),
    .init(kAudioObjectPropertyOwnedObjects, { _ in .numbers([]) }),
    .init(kAudioObjectPropertyName, { .string($0.object.device.name) }),
    .init(kAudioStreamPropertyIsActive, { _ in .numbers([1]) }),
    .init(kAudioStreamPropertyDirection, { .numbers([$0.object.isInput ? 1 : 0]) }),
    .init(
      kAudioStreamPropertyTerminalType, { _ in .numbers([UInt32(kAudioStreamTerminalTypeUnknown)]) }
    ),
    .init(kAudioStreamPropertyStartingChannel, { _ in .numbers([1]) }),
    .init(kAudioStreamPropertyLatency, { _ in .numbers([0]) }),
    .init(
      kAudioStreamPropertyVirtualFormat,
      { .format(format($0.object.device, $0.object.channelCount)) }),
    .init(
      kAudioStreamPropertyPhysicalFormat,
      { .format(format($0.object.device, $0.object.channelCount)) }),
    .init(kAudioStreamPropertyAvailableVirtualFormats, { .formats([formats($0.object)]) }),
    .init(kAudioStreamPropertyAvailablePhysicalFormats, { .formats([formats($0.object)]) }),
  ]

  /// Float32, interleaved: what a program finds whatever the hardware has.
  static func format(_ device: Device, _ channelCount: Int) -> AudioStreamBasicDescription {
    let bytes = UInt32(channelCount * MemoryLayout<Float>.size)
    return AudioStreamBasicDescription(
      mSampleRate: device.sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(channelCount),
      mBitsPerChannel: 32, mReserved: 0)
  }

  private static func formats(_ side: Side) -> AudioStreamRangedDescription {
    let rates = side.device.sampleRates
    return AudioStreamRangedDescription(
      mFormat: format(side.device, side.channelCount),
      mSampleRateRange: .init(mMinimum: rates.lowerBound, mMaximum: rates.upperBound))
  }
}
