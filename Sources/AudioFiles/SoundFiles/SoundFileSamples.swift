// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox
public import SignalProcessing

/// What the samples of a sound file are: 32-bit float, or integers with a dither.
public struct SoundFileSamples: Equatable, Sendable {
  /// Bits of an integer, 16 or 24; nil for 32-bit float, in FLAC for 24 bits without a dither.
  public let bits: Int?
  /// What is added before samples are rounded to integers.
  public let dither: Dither

  /// What a kind of file holds by itself.
  public static let native = SoundFileSamples(bits: nil, dither: .none)

  private init(bits: Int?, dither: Dither) {
    self.bits = bits
    self.dither = dither
  }

  /// Integers of 16 or 24 bits.
  ///
  /// - Throws: For other numbers of bits.
  public init(bits: Int, dither: Dither.Kind = .triangular) throws(AudioError) {
    guard [16, 24].contains(bits) else {
      throw .invalidArgument.because("samples of \(bits) bits: 16 and 24 are possible")
    }
    self.init(bits: bits, dither: Dither(dither, seed: 1))
  }

  /// How one sample lies in a file; aligned to 32 bits for libsndfile.
  func format(isBigEndian: Bool, fills32 isWide: Bool = false) -> SampleFormat {
    guard let bits else {
      return SampleFormat(.float, bits: 32, isBigEndian: isBigEndian)
    }
    return isWide
      ? SampleFormat(.signedInteger, bits: bits, containerBytes: 4, isAlignedHigh: true)
      : SampleFormat(.signedInteger, bits: bits, isBigEndian: isBigEndian)
  }

  /// The dither of each channel.
  func states(channelCount: Int) -> UnsafeMutablePointer<DitherState> {
    let states = UnsafeMutablePointer<DitherState>.allocate(capacity: max(channelCount, 1))
    for channel in 0..<max(channelCount, 1) {
      states.advanced(by: channel).initialize(to: DitherState(dither, channel: channel))
    }
    return states
  }
}

/// Turns channels of Float32 into the bytes of a file.
final class SampleWeaver {
  /// Frames of one run.
  let frameCapacity: Int
  private let format: SampleFormat
  private let channelCount: Int
  private let dither: UnsafeMutablePointer<DitherState>
  private let channels: UnsafeMutablePointer<UnsafePointer<Float>>
  private let bytes: UnsafeMutableRawBufferPointer

  /// [control thread] Memory for some thousand samples.
  init(_ samples: SoundFileSamples, _ format: SampleFormat, channelCount: Int) {
    self.format = format
    self.channelCount = channelCount
    frameCapacity = max(16_384 / channelCount, 1)
    dither = samples.states(channelCount: channelCount)
    channels = .allocate(capacity: channelCount)
    bytes = .allocate(
      byteCount: frameCapacity * channelCount * format.containerBytes, alignment: 16)
  }

  deinit {
    dither.deallocate()
    channels.deallocate()
    bytes.deallocate()
  }

  /// Bytes of a frame.
  var frameByteCount: Int { channelCount * format.containerBytes }

  /// [control thread] The bytes of frames from `offset` on, at most `frameCapacity`; valid until the next
  /// call.
  func weave(
    _ source: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frameCount: Int
  ) -> UnsafeRawBufferPointer {
    guard let base = bytes.baseAddress else { return UnsafeRawBufferPointer(rebasing: bytes[..<0]) }
    for channel in 0..<channelCount {
      channels.advanced(by: channel).initialize(to: UnsafePointer(source[channel] + offset))
    }
    format.encode(
      channels, channelCount: channelCount, frameCount: frameCount, interleaved: base,
      dither: dither)
    return UnsafeRawBufferPointer(rebasing: bytes[..<(frameCount * frameByteCount)])
  }
}
