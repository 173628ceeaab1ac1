// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import SignalProcessing

/// A sound file of what a unit renders, as fast as it can.
struct Recording {
  /// Frames of one render call.
  private static let sliceFrames = 1_024

  /// Where; its extension says which kind. "-" is the standard output.
  let path: String
  let sampleRate: Int
  let channelCount: Int
  /// What the samples of the file are.
  var samples = SoundFileSamples.native

  /// What its paths end in: ".wav, .flac, …".
  static let endings = SoundFileKind.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
  /// What its paths are.
  static let paths = "a path that ends in \(endings), or - for a pipe"

  /// Refuses a path of a kind that cannot be written, before anything is rendered.
  static func check(_ path: String) throws(UsageError) {
    do { _ = try SoundFileKind(path: path) } catch { throw UsageError(error.explanation) }
  }

  /// Writes exactly so many frames of bus 0 of a unit whose format is planar Float32.
  ///
  /// A signal that asks the process to end leaves no file, and an old one as it is.
  ///
  /// - Parameters:
  ///   - unit: What is rendered.
  ///   - frameCount: How many frames are written.
  ///   - skip: Frames that are rendered before them and left out.
  /// - Throws: When the unit or the file fails, and why.
  func write(_ unit: AudioUnit, frameCount: Int, skipping skip: Int = 0) throws(Failure) {
    var buffer = RenderBuffer(channelCount: channelCount)
    try write(frameCount: frameCount, skipping: skip) { channels, frame, count throws(Failure) in
      try buffer.render(unit, channels, at: frame, count)
    }
  }

  /// Renders frames into one buffer for each channel: from which frame on, and how many.
  typealias Render = (
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frame: Int, _ count: Int
  ) throws(Failure) -> Void

  /// Writes exactly so many frames of what `body` renders.
  func write(frameCount: Int, skipping skip: Int = 0, _ body: Render) throws(Failure) {
    let signals = Signals(Signals.ending)
    if let signal = try render(skip, frameCount, until: { signals.next() }, body) {
      Signals.die(of: signal)
    }
  }

  /// The signal that came before the file was whole, if one did.
  private func render(
    _ skip: Int, _ frameCount: Int, until signal: () -> Int32?, _ body: Render
  ) throws(Failure) -> Int32? {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let channels = memory.array(
      (0..<channelCount).map { _ in memory.room(Self.sliceFrames, for: Float.self) })
    let file = try open(expecting: frameCount)
    var progress = Progress()
    defer { progress.clear() }
    var done = -skip
    while done < frameCount {
      if let signal = signal() { return signal }
      let frames = min(Self.sliceFrames, done < 0 ? -done : frameCount - done)
      try body(channels, done + skip, frames)
      if done >= 0 {
        do { try file.write(channels, frameCount: frames) } catch {
          throw Failure(error.explanation)
        }
      }
      done += frames
      progress.show(done, of: frameCount)
    }
    do { try file.finish() } catch { throw Failure(error.explanation) }
    return nil
  }

  private func open(expecting frameCount: Int) throws(Failure) -> SoundFileWriter {
    do {
      return try SoundFileWriter(
        path, sampleRate: Double(sampleRate), channelCount: channelCount, expecting: frameCount,
        samples: samples)
    } catch { throw Failure(error.explanation) }
  }
}

/// Renders a unit by hand.
private struct RenderBuffer: ~Copyable {
  private let channelCount: Int
  private let list: UnsafeMutableAudioBufferListPointer

  init(channelCount: Int) {
    self.channelCount = channelCount
    list = AudioBufferList.allocate(maximumBuffers: channelCount)
  }

  deinit { free(list.unsafeMutablePointer) }

  /// Renders bus 0 of a unit, whose format is planar Float32.
  mutating func render(
    _ unit: AudioUnit, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    at frame: Int, _ frameCount: Int
  ) throws(Failure) {
    for channel in 0..<channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frameCount * MemoryLayout<Float>.size),
        mData: UnsafeMutableRawPointer(channels[channel]))
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(frame)
    time.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags()
    try Failure.check(
      AudioUnitRender(
        unit, &flags, &time, 0, UInt32(frameCount), list.unsafeMutablePointer),
      "Can't render")
  }
}
