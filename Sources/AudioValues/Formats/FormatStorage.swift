// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The checked fields of an `AVAudioFormat`.
///
/// A rate of zero means that it is unknown, and there may be no channels: an engine without a device
/// has such formats. Whether a unit or converter processes a rate is up to that.
final class FormatStorage: @unchecked Sendable {  // it never changes
  /// The description, at an address that programs may keep as long as the format.
  let description: UnsafeMutablePointer<AudioStreamBasicDescription>
  let layout: AVAudioChannelLayout?
  /// The samples of a linear format; nil if it is compressed, or its fields contradict each other.
  let linear: StreamFormat?
  let commonFormat: AVAudioCommonFormat

  init(
    _ fields: AudioStreamBasicDescription, layout: AVAudioChannelLayout? = nil
  ) throws(AudioError) {
    guard fields.mSampleRate >= 0, fields.mSampleRate.isFinite else {
      throw .formatNotSupported.because(
        "the sample rate is \(fields.mSampleRate); it must be finite and not negative")
    }
    let channelCount = fields.mChannelsPerFrame
    guard channelCount <= FormatLimits.channelCount else {
      throw .formatNotSupported.because("\(channelCount) channels are more than 1,024")
    }
    guard layout != nil || channelCount <= 2 else {
      throw .formatNotSupported.because(
        "\(channelCount) channels need a layout: use an initializer with channelLayout")
    }
    if let layout, layout.channelCount != channelCount {
      throw .formatNotSupported.because(
        "the layout has \(layout.channelCount) channels, the format has \(channelCount)")
    }
    // Samples do not depend on the rate, and only the buffers depend on the number of channels.
    var samples = fields
    samples.mSampleRate = StreamFormat.standard.sampleRate
    samples.mChannelsPerFrame = max(1, channelCount)
    linear = try? StreamFormat(samples)
    commonFormat = linear.map { AVAudioCommonFormat($0) } ?? .otherFormat
    self.layout = layout
    description = .allocate(capacity: 1)
    description.initialize(to: fields)
  }

  /// A format with samples of a common kind.
  convenience init(
    _ samples: AVAudioCommonFormat, sampleRate: Double, channels: UInt32, interleaved: Bool,
    layout: AVAudioChannelLayout? = nil
  ) throws(AudioError) {
    guard let size = samples.sampleSize else {
      throw .formatNotSupported.because("otherFormat does not describe samples")
    }
    var flags =
      kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
      | (samples.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    try self.init(
      linear: flags, bits: 8 * size, sampleRate: sampleRate, channels: channels, layout: layout)
  }

  /// A linear format with samples in as few bytes as possible.
  convenience init(
    linear flags: AudioFormatFlags, bits: UInt32, sampleRate: Double, channels: UInt32,
    layout: AVAudioChannelLayout? = nil
  ) throws(AudioError) {
    let bytesPerSample = (bits + 7) / 8
    let isPlanar = flags & kAudioFormatFlagIsNonInterleaved != 0
    // If the product does not fit, there are too many channels.
    let bytesPerFrame = isPlanar ? bytesPerSample : bytesPerSample &* channels
    try self.init(
      AudioStreamBasicDescription(
        mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
        mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame,
        mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0),
      layout: layout)
  }

  deinit { description.deallocate() }
}
