// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// The properties of one endpoint of a device, one row each.
extension AudioObjects {
  /// A stream of one endpoint of a device.
  struct StreamObject: AudioObject {
    static let properties = PropertyTable(.audioObjects, AudioObjects.streamProperties)

    let device: Device
    let isInput: Bool
    /// Its index among the streams of its endpoint.
    var index = 0

    var channelCount: Int { device.streams(isInput: isInput)[index] }
    /// The number of its first channel on the device, counted from 1.
    var startingChannel: Int {
      device.streams(isInput: isInput).prefix(index).reduce(1, +)
    }
  }

  static let streamProperties: [PropertyRow<StreamObject>] = [
    .init(kAudioObjectPropertyBaseClass, { _ in .numbers([UInt32(kAudioObjectClassID)]) }),
    .init(kAudioObjectPropertyClass, { _ in .numbers([UInt32(kAudioStreamClassID)]) }),
    .init(kAudioObjectPropertyOwner, { .numbers([DeviceList.id(of: $0.owner.device)]) }),
    .init(kAudioObjectPropertyOwnedObjects, { _ in .numbers([]) }),
    .init(kAudioObjectPropertyName, { .string($0.owner.device.name) }),
    .init(kAudioStreamPropertyIsActive, { _ in .numbers([1]) }),
    .init(kAudioStreamPropertyDirection, { .numbers([$0.owner.isInput ? 1 : 0]) }),
    .init(
      kAudioStreamPropertyTerminalType,
      { .numbers([$0.owner.device.terminalType(isInput: $0.owner.isInput)]) }),
    .init(
      kAudioStreamPropertyStartingChannel,
      { .numbers([UInt32(clamping: $0.owner.startingChannel)]) }),
    .init(kAudioStreamPropertyLatency, { _ in .numbers([0]) }),
    .init(
      kAudioStreamPropertyVirtualFormat,
      { .format(format($0.owner.device, $0.owner.channelCount)) },
      write: { (stream, data) throws(AudioError) in
        try setFormat(
          of: stream, to: try data.value(AudioStreamBasicDescription.self),
          like: format(stream.device, stream.channelCount))
      }),
    .init(
      kAudioStreamPropertyPhysicalFormat, { .format(physicalFormat($0.owner)) },
      write: { (stream, data) throws(AudioError) in
        try setFormat(
          of: stream, to: try data.value(AudioStreamBasicDescription.self),
          like: physicalFormat(stream))
      }),
    .init(
      kAudioStreamPropertyAvailableVirtualFormats,
      { .formats(formats($0.owner, format($0.owner.device, $0.owner.channelCount))) }),
    .init(
      kAudioStreamPropertyAvailablePhysicalFormats,
      { .formats(formats($0.owner, physicalFormat($0.owner))) }),
  ]

  /// Interleaved Float32, the format for programs regardless of the hardware.
  static func format(_ device: Device, _ channelCount: Int) -> AudioStreamBasicDescription {
    let bytes = UInt32(clamping: channelCount * MemoryLayout<Float>.size)
    return AudioStreamBasicDescription(
      mSampleRate: device.sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(clamping: channelCount),
      mBitsPerChannel: 32, mReserved: 0)
  }

  /// The hardware's format if the server reports it, otherwise the format for programs.
  private static func physicalFormat(_ stream: StreamObject) -> AudioStreamBasicDescription {
    var format = format(stream.device, stream.channelCount)
    let details = stream.device.endpoint(isInput: stream.isInput).details
    guard let bits = details.sampleBits, !details.hasFloatSamples else { return format }
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    format.mBitsPerChannel = UInt32(clamping: bits)
    format.mBytesPerFrame = UInt32(clamping: stream.channelCount * bits / 8)
    format.mBytesPerPacket = format.mBytesPerFrame
    return format
  }

  /// A format at each of the rates that can be requested.
  private static func formats(_ stream: StreamObject, _ format: AudioStreamBasicDescription)
    -> [AudioStreamRangedDescription]
  {
    rates(of: stream.device).map { range in
      var format = format
      format.mSampleRate =
        range.mMinimum == range.mMaximum ? range.mMinimum : stream.device.sampleRate
      return AudioStreamRangedDescription(mFormat: format, mSampleRateRange: range)
    }
  }

  /// Sets the format. A stream has one format at several rates, so only the rate can change, and
  /// with it that of the device.
  private static func setFormat(
    of stream: StreamObject, to format: AudioStreamBasicDescription,
    like own: AudioStreamBasicDescription
  ) throws(AudioError) {
    guard format.mFormatID == own.mFormatID, format.mChannelsPerFrame == own.mChannelsPerFrame,
      format.mBitsPerChannel == own.mBitsPerChannel, format.mBytesPerFrame == own.mBytesPerFrame,
      format.mFormatFlags & ~kAudioFormatFlagIsNonMixable == own.mFormatFlags
    else {
      throw AudioError(status: kAudioDeviceUnsupportedFormatError).because(
        "\(stream.device.uid): its format is \(own.mBitsPerChannel) bits, "
          + "\(own.mChannelsPerFrame) channels, interleaved; only the rate can be changed")
    }
    guard format.mSampleRate != own.mSampleRate else { return }
    try setRate(of: stream.device, to: format.mSampleRate)
  }
}
