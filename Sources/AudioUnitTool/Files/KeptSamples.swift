// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The memory format that keeps the samples of a file exactly.
struct KeptSamples {
  /// The types of samples in memory.
  enum Sample {
    case integer(bytes: Int)
    case float32
    case float64

    /// The format of interleaved frames.
    func interleaved(_ rate: Double, channelCount: Int) -> AudioStreamBasicDescription {
      let (bytes, kind) =
        switch self {
        case .integer(let bytes): (bytes, kAudioFormatFlagIsSignedInteger)
        case .float32: (4, kAudioFormatFlagIsFloat)
        case .float64: (8, kAudioFormatFlagIsFloat)
        }
      let frameBytes = UInt32(clamping: bytes * channelCount)
      return AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kind | kAudioFormatFlagIsPacked, mBytesPerPacket: frameBytes,
        mFramesPerPacket: 1, mBytesPerFrame: frameBytes,
        mChannelsPerFrame: UInt32(clamping: channelCount),
        mBitsPerChannel: UInt32(clamping: 8 * bytes), mReserved: 0)
    }
  }

  let sample: Sample
  /// The bits that carry the sample; those of the significand in floating point.
  let bits: Int

  /// The bits that the flags of a lossless format state; nil if they state none.
  static func statedBits(_ format: AudioStreamBasicDescription) -> Int? {
    let codecs = [kAudioFormatFLAC, kAudioFormatAppleLossless]
    guard codecs.contains(format.mFormatID) else { return nil }
    return [1: 16, 2: 20, 3: 24, 4: 32][format.mFormatFlags]
  }

  /// Nil for a lossy codec, whose samples are calculated.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - bits: The bits of a sample, negative for floating point; nil if they are not known.
  init?(of format: AudioStreamBasicDescription, bits: Int?) {
    switch format.mFormatID {
    case kAudioFormatLinearPCM where format.mFormatFlags & kAudioFormatFlagIsFloat != 0:
      sample = format.mBitsPerChannel == 64 ? .float64 : .float32
      self.bits = format.mBitsPerChannel == 64 ? 53 : 24
      return
    case kAudioFormatLinearPCM: self.bits = Int(format.mBitsPerChannel)
    case kAudioFormatFLAC, kAudioFormatAppleLossless: self.bits = bits ?? 32
    case kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4: self.bits = 16
    default: return nil
    }
    guard (1...32).contains(self.bits) else { return nil }
    sample = .integer(bytes: (self.bits + 7) / 8)
  }
}
