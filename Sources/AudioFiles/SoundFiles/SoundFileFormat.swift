// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The rate and channels with which a sound file is played or recorded.
public struct SoundFileFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Double
  public var channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The same as a file's samples: interleaved Float32.
  func interleaved(isBigEndian: Bool) -> AudioStreamBasicDescription {
    let bytes = UInt32(clamping: 4 * max(0, channelCount))
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
        | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(clamping: channelCount), mBitsPerChannel: 32, mReserved: 0)
  }
}
