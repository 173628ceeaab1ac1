// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// What a conversion writes to.
protocol SoundTarget: AnyObject {
  /// The samples so far that the output could not hold as they were.
  var repairs: SampleRepairs { get }
  /// Adds interleaved frames.
  func write(interleaved frames: UnsafeMutableRawPointer, _ frameCount: Int) throws(Failure)
  /// Completes the output.
  func finish() throws(Failure)
}

/// An output without a header; a file gets its name when it is complete.
final class RawTarget: SoundTarget {
  private let path: String
  private let source: FrameFormat
  private let converter: AudioConverterRef
  private let bytesPerFrame: Int
  private let holdsEverySample: Bool
  private var bytes: [UInt8] = []
  private let file: RawFile
  private(set) var repairs = SampleRepairs()

  /// Begins a file; "-" is standard output.
  ///
  /// - Parameters:
  ///   - path: Its path; missing folders are made.
  ///   - format: Its samples.
  ///   - source: The format of the frames, which is interleaved.
  ///   - sourceBits: The bits that the samples have; nil if they were calculated.
  ///   - dither: The noise that hides the loss of bits.
  ///   - isSynchronized: Whether it is on the disk before it gets its name.
  /// - Throws: If the path cannot be written.
  init(
    _ path: String, _ format: RawFormat, from source: FrameFormat, sourceBits: Int?,
    dither: ConversionSettings.Dither, isSynchronized: Bool = false
  ) throws(Failure) {
    file = try RawFile(path, isSynchronized: isSynchronized)
    (self.path, self.source) = (path, source)
    holdsEverySample = format.signedBits < 0
    var (from, to) = (
      source.description,
      format.interleaved(source.sampleRate, channelCount: source.channelCount)
    )
    bytesPerFrame = Int(to.mBytesPerFrame)
    var made: AudioConverterRef?
    try Failure.check(AudioConverterNew(&from, &to, &made), path)
    guard let made else { throw Failure("\(path): cannot be written") }
    converter = made
    var noise = (sourceBits ?? 64) <= format.precision ? 0 : dither.value
    if !holdsEverySample {
      try Failure.check(
        AudioConverterSetProperty(made, kAudioConverterPropertyDithering, 4, &noise), path)
    }
  }

  deinit { AudioConverterDispose(converter) }

  func write(interleaved frames: UnsafeMutableRawPointer, _ frameCount: Int) throws(Failure) {
    if !holdsEverySample, source.isFloat {
      let count = frameCount * source.channelCount
      repairs +=
        source.bytesPerSample == 4
        ? SampleRepairs(of: frames.assumingMemoryBound(to: Float.self), count: count)
        : SampleRepairs(of: frames.assumingMemoryBound(to: Double.self), count: count)
    }
    var size = UInt32(clamping: frameCount * bytesPerFrame)
    if bytes.count < Int(size) { bytes = [UInt8](repeating: 0, count: Int(size)) }
    try Failure.check(
      AudioConverterConvertBuffer(
        converter, UInt32(clamping: frameCount * source.bytesPerFrame), frames, &size, &bytes),
      path)
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try file.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<Int(size)])))
    }
  }

  func finish() throws(Failure) { try file.finish() }
}
