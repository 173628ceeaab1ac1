// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The two logarithmic encodings of telephony, one byte per sample (ITU-T G.711).
enum Law: Sendable {
  case mu, a

  /// The sample of a code, as a 16-bit integer.
  func sample(_ code: UInt8) -> Int16 {
    switch self {
    case .mu:
      let code = ~code
      let magnitude = ((Int32(code & 0xF) << 3) + 0x84) << Int32(code >> 4 & 7) - 0x84
      return Int16(truncatingIfNeeded: code & 0x80 != 0 ? -magnitude : magnitude)
    case .a:
      let code = code ^ 0x55
      let (segment, step) = (Int32(code >> 4 & 7), Int32(code & 0xF))
      let magnitude = segment == 0 ? step << 4 + 8 : (step << 4 + 0x108) << (segment - 1)
      return Int16(truncatingIfNeeded: code & 0x80 != 0 ? magnitude : -magnitude)
    }
  }

  /// The code closest to a sample.
  func code(_ sample: Int16) -> UInt8 {
    switch self {
    case .mu:
      let isNegative = sample < 0
      let magnitude = min(abs(Int32(sample)), 32_635) + 0x84
      let segment = 24 - Int32(truncatingIfNeeded: magnitude.leadingZeroBitCount)
      let step = magnitude >> (segment + 3) & 0xF
      return ~UInt8(truncatingIfNeeded: (isNegative ? 0x80 : 0) | segment << 4 | step)
    case .a:
      let isNegative = sample < 0
      let magnitude = isNegative ? Int32(~sample) : Int32(sample)
      let segment = max(0, 24 - Int32(truncatingIfNeeded: (magnitude | 0xFF).leadingZeroBitCount))
      let step = segment < 2 ? magnitude >> 4 & 0xF : magnitude >> (segment + 3) & 0xF
      return UInt8(truncatingIfNeeded: (isNegative ? 0 : 0x80) | segment << 4 | step) ^ 0x55
    }
  }

  /// The sample of each code.
  var samples: [Int16] { (0...255).map { sample(UInt8(truncatingIfNeeded: $0)) } }
}

/// Decodes mu-law and A-law.
final class LawDecoder: PacketDecoder {
  let format: StreamFormat
  let leadingFrames = 0
  private let samples: [Int16]

  init(_ law: Law, rate: Double, channels: Int) throws(AudioError) {
    format = try .interleaved(.int16, rate: rate, channels: channels)
    samples = law.samples
  }

  func decode(_ packets: UnsafeRawBufferPointer, into frames: FrameQueue) throws(AudioError) {
    let count = packets.count / format.channelCount
    let output = frames.add(count).assumingMemoryBound(to: Int16.self)
    for index in 0..<count * format.channelCount { output[index] = samples[Int(packets[index])] }
  }

  func finish(into frames: FrameQueue) throws(AudioError) {}
  func reset() {}
}

/// Encodes mu-law and A-law.
final class LawEncoder: PacketEncoder {
  let format: StreamFormat
  let framesPerPass = 1_024
  let framesPerPacket = 1
  let delayFrames = 0
  let cookie: [UInt8] = []
  var maximumPacketSize: Int { format.channelCount }
  private let law: Law

  init(_ law: Law, rate: Double, channels: Int) throws(AudioError) {
    format = try .interleaved(.int16, rate: rate, channels: channels)
    self.law = law
  }

  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  {
    let samples = frames.assumingMemoryBound(to: Int16.self)
    let channels = format.channelCount
    let codes = (0..<count * channels).map { law.code(samples[$0]) }
    codes.withUnsafeBytes { codes in
      for frame in 0..<count {
        packets.add(
          UnsafeRawBufferPointer(rebasing: codes[frame * channels..<(frame + 1) * channels]),
          frames: 1)
      }
    }
  }

  func finish(into packets: PacketQueue) throws(AudioError) {}
}

extension StreamFormat {
  /// The PCM format of decoders and encoders.
  enum Sample {
    case int16, int32, float32
  }

  /// Interleaved native samples.
  static func interleaved(_ sample: Sample, rate: Double, channels: Int) throws(AudioError)
    -> StreamFormat
  {
    let bits: UInt32 = sample == .int16 ? 16 : 32
    let flags =
      kAudioFormatFlagIsPacked
      | (sample == .float32 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    let bytes = bits / 8 * UInt32(clamping: channels)
    return try StreamFormat(
      AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
        mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
        mChannelsPerFrame: UInt32(clamping: channels), mBitsPerChannel: bits, mReserved: 0))
  }
}
