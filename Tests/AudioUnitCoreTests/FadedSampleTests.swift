// SPDX-License-Identifier: Apache-2.0
@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox
import Testing

/// The mix of an input's old and new samples while its source changes.
@Suite("Samples of an input that fades")
struct FadedSampleTests {
  /// Two interleaved channels.
  private func format(_ flags: Int, bits: UInt32) throws -> StreamFormat {
    try StreamFormat(
      AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: AudioFormatFlags(flags) | AudioFormatFlags(kAudioFormatFlagIsPacked),
        mBytesPerPacket: bits / 4, mFramesPerPacket: 1, mBytesPerFrame: bits / 4,
        mChannelsPerFrame: 2, mBitsPerChannel: bits, mReserved: 0))
  }

  /// Mixes ten frames of two channels, of a fade of four frames that begins at the third one.
  private func mixed<Sample: BitwiseCopyable>(
    _ format: StreamFormat, old: Sample, new: Sample?
  ) throws -> [Sample] {
    let sample = try #require(FadedSample(format))
    var memory = [Sample](repeating: old, count: 20)
    let other = new.map { [Sample](repeating: $0, count: 20) }
    memory.withUnsafeMutableBytes { memory in
      guard let address = memory.baseAddress else { return }
      guard let other else { return sample.mix(nil, into: address, 10, from: -2, 4) }
      other.withUnsafeBytes {
        sample.mix(
          UnsafeMutableRawPointer(mutating: $0.baseAddress), into: address, 10, from: -2, 4)
      }
    }
    return memory
  }

  /// The weights of the new samples: 10t³ - 15t⁴ + 6t⁵ at a quarter, a half and three quarters.
  private static let weights: [Double] =
    [0, 0, 0.103_515_625, 0.5, 0.896_484_375, 1, 1, 1, 1, 1].flatMap { [$0, $0] }

  @Test("are mixed in 32 and 64 bits of floating point")
  func floats() throws {
    let single = try mixed(
      try format(Int(kAudioFormatFlagIsFloat), bits: 32), old: Float(1), new: -3)
    for (value, weight) in zip(single, Self.weights) {
      #expect(abs(Double(value) - (1 - 4 * weight)) < 1e-6)
    }
    let double = try mixed(try format(Int(kAudioFormatFlagIsFloat), bits: 64), old: 2.0, new: nil)
    for (value, weight) in zip(double, Self.weights) {
      #expect(abs(value - 2 * (1 - weight)) < 1e-6)
    }
  }

  @Test("are mixed in 16 and 32 bits, up to full scale")
  func integers() throws {
    let flags = Int(kAudioFormatFlagIsSignedInteger)
    let short = try mixed(try format(flags, bits: 16), old: Int16.max, new: Int16.min)
    for (value, weight) in zip(short, Self.weights) {
      #expect(abs(Double(value) - (32_767 - 65_535 * weight)) <= 0.5001)
    }
    let long = try mixed(try format(flags, bits: 32), old: Int32.min, new: nil)
    for (value, weight) in zip(long, Self.weights) {
      #expect(abs(Double(value) + 2_147_483_648 * (1 - weight)) < 300)
    }
  }

  @Test("are not mixed in other sizes or byte orders")
  func others() throws {
    #expect(try FadedSample(format(Int(kAudioFormatFlagIsSignedInteger), bits: 24)) == nil)
    #expect(try FadedSample(format(0, bits: 16)) == nil)
    let bigEndian = Int(kAudioFormatFlagIsFloat | kAudioFormatFlagIsBigEndian)
    #expect(try FadedSample(format(bigEndian, bits: 32)) == nil)
  }
}
