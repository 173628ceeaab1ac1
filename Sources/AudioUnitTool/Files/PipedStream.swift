// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// A sound file that arrives through a pipe, and is read meanwhile.
final class PipedStream: SoundStream {
  private let sound: PipedSound
  private let planes: PlanarMemory

  let sampleRate: Double
  let channelCount: Int
  var frameCount: Int? { nil }
  var map: FrameMap? { FrameMap() }
  var keepsSamples: Bool { keptBits != nil }
  /// The bits of its samples, negative in floating point; nil: unknown.
  let bits: Int?
  /// The bits of samples that keep their values; nil if they are calculated.
  let keptBits: Int?

  init(_ sound: PipedSound) {
    self.sound = sound
    let format = sound.format
    sampleRate = format.mSampleRate
    channelCount = Int(format.mChannelsPerFrame)
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isLinear = format.mFormatID == kAudioFormatLinearPCM
    bits =
      isLinear
      ? (isFloat ? -1 : 1) * Int(format.mBitsPerChannel) : KeptSamples.statedBits(format)
    keptBits = KeptSamples(of: format, bits: bits)?.bits
    planes = PlanarMemory(channelCount: channelCount, frameCount: BlockMemory.frameCount)
    sound.start()
  }

  deinit { sound.stop() }

  /// Whether a pipe keeps the values of its samples, which it passes on as Float32.
  static func keepsSamples(of sound: PipedSound) -> Bool {
    let format = sound.format
    guard format.mFormatID == kAudioFormatLinearPCM else {
      return KeptSamples.statedBits(format).map { $0 <= 24 } ?? true
    }
    return format.mFormatFlags & kAudioFormatFlagIsFloat != 0
      ? format.mBitsPerChannel <= 32 : format.mBitsPerChannel <= 24
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = sound.ring.pointee.take(
      planes.channels, min(frameCount, BlockMemory.frameCount))
    for channel in 0..<channelCount {
      let plane = planes.channels[channel]
      for frame in 0..<count { samples[frame * channelCount + channel] = Double(plane[frame]) }
    }
    return count
  }
}
