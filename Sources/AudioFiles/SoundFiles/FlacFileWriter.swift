// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// A FLAC file of 24 or 16 bits that grows, written by libsndfile, which is opened when the first is
/// written.
///
/// libsndfile writes through the functions below, so that a failure to write is ours to tell: it
/// keeps quiet of those at the end.
final class FlacFileWriter {
  private let sndfile: SndFile
  private let output: FlacOutput
  private let channelCount: Int
  private var handle: OpaquePointer?
  private var frames: [Float] = []
  /// Makes integers, where a dither or 16 bits are wanted.
  private let weaver: SampleWeaver?

  /// [control thread] Begins a file that takes its name with `finish`.
  ///
  /// - Parameters:
  ///   - path: Where; folders on the way must exist.
  ///   - sampleRate: Whole frames per second, 1...655,350.
  ///   - channelCount: 1...8, as many as the format can say.
  ///   - samples: What the samples of the file are.
  /// - Throws: When the path cannot be written, libsndfile is missing, or a value is out of range.
  init(
    creating path: String, sampleRate: Double, channelCount: Int,
    samples: SoundFileSamples = .native
  ) throws(AudioError) {
    guard (1...8).contains(channelCount) else {
      throw .invalidArgument.because("\(path): \(channelCount) channels: a FLAC file holds 1...8")
    }
    guard let rate = Int32(exactly: sampleRate), (1...655_350).contains(rate) else {
      throw .invalidArgument.because(
        "\(path): sample rate \(sampleRate): a FLAC file needs a whole number, 1...655,350")
    }
    sndfile = try SndFile.shared(for: path)
    self.channelCount = channelCount
    weaver =
      samples.bits == nil
      ? nil
      : SampleWeaver(
        samples, samples.format(isBigEndian: false, fills32: true), channelCount: channelCount)
    let file = try OutputFile(creating: path, replacing: SoundFileKind.refuseForeign)
    guard file.isSeekable else {
      throw .invalidFilePath.because(
        "\(path): FLAC needs a seekable file; choose .wav")
    }
    output = FlacOutput(file)
    var info = SndFile.Info()
    info.sampleRate = rate
    info.channels = Int32(channelCount)
    info.format = samples.bits == 16 ? SndFile.flac16 : SndFile.flac24
    var functions = FlacOutput.functions
    handle = sndfile.openVirtual(
      &functions, SndFile.writeMode, &info, Unmanaged.passUnretained(output).toOpaque())
    guard let handle else { throw failure() }
    // Samples above full scale stay there instead of becoming others.
    _ = sndfile.command(handle, SndFile.setClipping, nil, 1)
  }

  deinit { if let handle { _ = sndfile.close(handle) } }

  /// [control thread] Adds frames to the end.
  func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frameCount: Int
  ) throws(AudioError) {
    guard let handle else { return }
    if weaver != nil { return try writeIntegers(channels, offset, frameCount, handle) }
    frames.removeAll(keepingCapacity: true)
    for frame in offset..<offset + frameCount {
      for channel in 0..<channelCount { frames.append(channels[channel][frame]) }
    }
    let written = sndfile.writeFrames(handle, frames, Int64(frameCount))
    guard written == Int64(frameCount), output.failure == nil else { throw failure() }
  }

  private func writeIntegers(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ frameCount: Int,
    _ handle: OpaquePointer
  ) throws(AudioError) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, weaver?.frameCapacity ?? 1)
      let bytes = weaver?.weave(channels, offset: offset + done, frameCount: count)
      guard let words = bytes?.baseAddress?.assumingMemoryBound(to: Int32.self),
        sndfile.writeIntegers(handle, words, Int64(count)) == Int64(count), output.failure == nil
      else { throw failure() }
      done += count
    }
  }

  /// [control thread] Writes what is left, and gives the file its name.
  func finish() throws(AudioError) {
    guard let open = handle else { return }
    handle = nil
    guard sndfile.close(open) == 0, output.failure == nil else { throw failure() }
    try output.file.finish()
  }

  private func failure() -> AudioError {
    if let failure = output.failure { return failure }
    let reason = sndfile.explain(handle).map { String(cString: $0) } ?? "libsndfile refuses"
    return .invalidFile.because("\(output.file.path): cannot be written: \(reason)")
  }
}

/// What libsndfile writes to.
private final class FlacOutput {
  var file: OutputFile
  var failure: AudioError?
  private var position = 0
  private var byteCount = 0

  init(_ file: consuming OutputFile) { self.file = file }

  static let functions = SndFile.Functions(
    length: { Int64(of($0).byteCount) },
    seek: { of($2).seek(Int($0), CInt($1)) },
    read: { of($2).read($0, Int($1)) },
    write: { of($2).write($0, Int($1)) },
    tell: { Int64(of($0).position) })

  private static func of(_ context: UnsafeMutableRawPointer) -> FlacOutput {
    Unmanaged<FlacOutput>.fromOpaque(context).takeUnretainedValue()
  }

  private func seek(_ offset: Int, _ whence: CInt) -> Int64 {
    switch whence {
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    default: position = byteCount + offset
    }
    return Int64(position)
  }

  private func read(_ memory: UnsafeMutableRawPointer, _ count: Int) -> Int64 {
    let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
    let done = (try? file.read(bytes, at: position)) ?? 0
    position += done
    return Int64(done)
  }

  private func write(_ memory: UnsafeRawPointer, _ count: Int) -> Int64 {
    do throws(AudioError) {
      try file.write(UnsafeRawBufferPointer(start: memory, count: count), at: position)
    } catch {
      failure = failure ?? error
      return 0
    }
    position += count
    byteCount = max(byteCount, position)
    return Int64(count)
  }
}
