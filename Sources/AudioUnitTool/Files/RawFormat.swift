// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// The format of samples without a header: "s16le,48000,2".
struct RawFormat: Equatable, Sendable {
  private static let kinds: [(name: String, bits: UInt32, flags: AudioFormatFlags)] = [
    ("s8", 8, kAudioFormatFlagIsSignedInteger), ("u8", 8, 0),
    ("s16le", 16, kAudioFormatFlagIsSignedInteger),
    ("s16be", 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian),
    ("s24le", 24, kAudioFormatFlagIsSignedInteger),
    ("s24be", 24, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian),
    ("s32le", 32, kAudioFormatFlagIsSignedInteger),
    ("s32be", 32, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian),
    ("f32le", 32, kAudioFormatFlagIsFloat),
    ("f32be", 32, kAudioFormatFlagIsFloat | kAudioFormatFlagIsBigEndian),
    ("f64le", 64, kAudioFormatFlagIsFloat),
    ("f64be", 64, kAudioFormatFlagIsFloat | kAudioFormatFlagIsBigEndian),
  ]
  /// The names of the kinds of samples.
  static let names = kinds.map(\.name)

  private let bits: UInt32
  private let flags: AudioFormatFlags
  /// Frames per second, and channels; 0 if they are not stated.
  let sampleRate: Double
  let channelCount: Int

  /// Reads a text such as "s16le,44.1k,2"; nil if it is not a format.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let kind = Self.kinds.first(where: { $0.name == parts[0].lowercased() }),
      parts.count == 1 || parts.count == 3
    else { return nil }
    (bits, flags) = (kind.bits, kind.flags)
    guard parts.count == 3 else {
      (sampleRate, channelCount) = (0, 0)
      return
    }
    guard let rate = Quantity.sampleRate.value(of: parts[1]), (1_000...768_000).contains(rate),
      let channels = Int(parts[2]), (1...64).contains(channels)
    else { return nil }
    (sampleRate, channelCount) = (rate, channels)
  }

  /// The bits of a sample; those of the significand in floating point.
  var precision: Int {
    flags & kAudioFormatFlagIsFloat == 0 ? Int(bits) : bits == 32 ? 24 : 53
  }
  /// As `SoundFileEncoding` counts them: negative in floating point.
  var signedBits: Int { flags & kAudioFormatFlagIsFloat == 0 ? Int(bits) : -Int(bits) }

  /// The format of interleaved frames.
  func interleaved(_ rate: Double, channelCount: Int) -> AudioStreamBasicDescription {
    let bytes = bits / 8 * UInt32(clamping: channelCount)
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: flags | kAudioFormatFlagIsPacked, mBytesPerPacket: bytes, mFramesPerPacket: 1,
      mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(clamping: channelCount),
      mBitsPerChannel: bits, mReserved: 0)
  }
}

extension ValueReader where Value == RawFormat {
  /// The format of an input: samples, rate and channels.
  static var rawInput: Self {
    Self(
      expected: "samples, rate and channels, such as s16le,48000,2; samples are "
        + RawFormat.names.joined(separator: ", "),
      limits: ", such as s16le,48000,2; --raw-out has all kinds",
      completion: .words(RawFormat.names.map { "\($0),48000,2" })
    ) { text in RawFormat(text).flatMap { $0.channelCount > 0 ? $0 : nil } }
  }

  /// The samples of an output.
  static var rawOutput: Self {
    Self(
      expected: RawFormat.names.joined(separator: ", "),
      limits: ": \(RawFormat.names.joined(separator: ", "))", completion: .words(RawFormat.names)
    ) { text in RawFormat(text).flatMap { $0.channelCount == 0 ? $0 : nil } }
  }
}

/// Samples without a header, from a file or a pipe.
final class RawStream: SoundStream {
  let sampleRate: Double
  let channelCount: Int
  let frameCount: Int?
  private let format: RawFormat
  private let path: String
  private let descriptor: Int32
  private let converter: AudioConverterRef
  private let bytesPerFrame: Int
  private var bytes: [UInt8] = []
  /// Bytes at the beginning of `bytes` that were read and not converted.
  private var fill = 0

  var map: FrameMap? { FrameMap() }
  var keepsSamples: Bool { true }

  /// Opens a file; "-" is standard input.
  init(_ path: String, title: String? = nil, _ format: RawFormat) throws(Failure) {
    self.format = format
    self.path = title ?? path
    (sampleRate, channelCount) = (format.sampleRate, format.channelCount)
    var source = format.interleaved(sampleRate, channelCount: channelCount)
    var target = KeptSamples.Sample.float64.interleaved(sampleRate, channelCount: channelCount)
    bytesPerFrame = Int(source.mBytesPerFrame)
    var made: AudioConverterRef?
    try Failure.check(AudioConverterNew(&source, &target, &made), self.path)
    guard let made else { throw Failure("\(self.path): cannot be converted") }
    converter = made
    descriptor = path == "-" ? dup(STDIN_FILENO) : openPath(path, O_RDONLY)
    let code = errno
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    frameCount = isFile ? Int(status.st_size) / bytesPerFrame : nil
    guard descriptor >= 0, status.st_mode & S_IFMT != S_IFDIR else {
      let reason = descriptor < 0 ? String(cString: strerror(code)) : "is a folder"
      throw Failure("\(self.path): \(reason)")
    }
  }

  deinit {
    AudioConverterDispose(converter)
    if descriptor >= 0 { close(descriptor) }
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let wanted = frameCount * bytesPerFrame
    if bytes.count < wanted { bytes += [UInt8](repeating: 0, count: wanted - bytes.count) }
    // A pipe gives what it has; at least a frame is needed.
    while fill < bytesPerFrame {
      let count = bytes.withUnsafeMutableBytes { bytes in
        Foundation.read(descriptor, bytes.baseAddress.map { $0 + fill }, wanted - fill)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
      if count == 0 { return 0 }
      fill += count
    }
    let frames = fill / bytesPerFrame
    var size = UInt32(clamping: frames * channelCount * 8)
    try Failure.check(
      AudioConverterConvertBuffer(
        converter, UInt32(clamping: frames * bytesPerFrame), bytes, &size, samples), path)
    bytes.replaceSubrange(0..<fill, with: bytes[frames * bytesPerFrame..<fill])
    fill -= frames * bytesPerFrame
    return frames
  }
}
