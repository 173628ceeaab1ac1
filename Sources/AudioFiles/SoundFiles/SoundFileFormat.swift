// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The sample rate and channel count of a sound file.
public struct SoundFileFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Double
  public var channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The stream description of interleaved Float32 with this rate and channel count.
  func interleaved(isBigEndian: Bool) -> AudioStreamBasicDescription {
    let bytes = UInt32(clamping: 4 * min(max(0, channelCount), 1 << 32))
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
        | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(clamping: channelCount), mBitsPerChannel: 32, mReserved: 0)
  }
}
