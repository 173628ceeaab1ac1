// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What a sound file is played or recorded as.
public struct SoundFileFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Double
  public var channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The same as samples of a file: interleaved Float32, or integers.
  func interleaved(
    _ samples: SoundFileSamples = .native, isBigEndian: Bool
  ) -> AudioStreamBasicDescription {
    let bits = samples.bits ?? 32
    let bytes = UInt32(clamping: bits / 8 * max(0, channelCount))
    let kind =
      samples.bits == nil ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kind | kAudioFormatFlagIsPacked
        | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(clamping: channelCount), mBitsPerChannel: UInt32(bits), mReserved: 0
    )
  }
}
