// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CheckedNumbers
import CommandSupport
import SignalProcessing

/// A sound file that a unit is rendered to, as fast as possible.
struct Recording {
  /// Frames per render call.
  private static let pieceFrames = 1_024

  /// The path; its extension chooses the file type. "-" is standard output.
  let path: String
  let sampleRate: Int
  let channelCount: Int
  /// The sample format of the file.
  var samples = SoundFileSamples.native

  /// The sample formats of files.
  typealias Samples = SoundFileSamples
  /// The file types.
  typealias Kind = SoundFileKind
  /// The extensions of the file types.
  static let kinds = SoundFileKind.allCases.map(\.rawValue)
  /// The possible extensions: ".wav, .flac, …".
  static let endings = SoundFileKind.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
  /// The description of a path, for help and errors.
  static let paths = "a path that ends in \(endings), or - for a pipe"
  /// What help says about it.
  static let limits = ", whose name ends in \(endings), or - for a pipe"

  /// Refuses a file type that cannot be written, before anything is rendered; `kind` is that of a file whose
  /// name does not say it.
  static func check(_ path: String, kind: Kind? = nil) throws(UsageError) {
    do { _ = try Kind(path: path, requested: kind) } catch { throw UsageError(error.explanation) }
  }

  /// The file type with an extension; `option` is where it was given.
  ///
  /// - Throws: If such files cannot be written.
  static func kind(_ ending: String, of option: String) throws(UsageError) -> Kind {
    do { return try Kind(extension: ending.lowercased(), of: option) } catch {
      throw UsageError(error.explanation)
    }
  }

  /// Writes exactly `frameCount` frames of bus 0 of a unit whose format is planar Float32.
  ///
  /// A signal that ends the process leaves no incomplete file; an older file stays as it is.
  ///
  /// - Parameters:
  ///   - unit: The unit to render.
  ///   - frameCount: The number of frames to write.
  ///   - skip: The number of frames to render before them and discard.
  /// - Returns: The samples that the file could not hold as they were.
  /// - Throws: If the unit or the file fails.
  @discardableResult
  func write(
    _ unit: AudioUnit, frameCount: Int, skipping skip: Int = 0
  ) throws(Failure) -> SampleRepairs {
    var buffer = RenderBuffer(channelCount: channelCount)
    return try write(frameCount: frameCount, skipping: skip) {
      channels, frame, count throws(Failure) in
      try buffer.render(unit, channels, at: frame, count)
    }
  }

  /// Renders `count` frames, beginning with `frame`, into one buffer per channel.
  typealias Render = (
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frame: Int, _ count: Int
  ) throws(Failure) -> Void

  /// Writes exactly `frameCount` frames that `body` renders; returns the samples that the file could
  /// not hold as they were.
  @discardableResult
  func write(
    frameCount: Int, skipping skip: Int = 0, _ body: Render
  ) throws(Failure) -> SampleRepairs {
    let signals = Signals(Signals.ending)
    var repairs = SampleRepairs()
    if let signal = try render(skip, frameCount, &repairs, until: { signals.next() }, body) {
      Signals.endProcess(by: signal)
    }
    return repairs
  }

  /// Returns the signal that interrupted the rendering, if one did.
  private func render(
    _ skip: Int, _ frameCount: Int, _ repairs: inout SampleRepairs, until signal: () -> Int32?,
    _ body: Render
  ) throws(Failure) -> Int32? {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let channels = memory.array(
      (0..<channelCount).map { _ in memory.room(Self.pieceFrames, for: Float.self) })
    let file = try open(expecting: frameCount)
    var progress = Progress()
    defer { progress.clear() }
    var done = -skip
    while done < frameCount {
      if let signal = signal() { return signal }
      let frames = min(Self.pieceFrames, done < 0 ? -done : frameCount - done)
      try body(channels, done + skip, frames)
      if done >= 0 {
        do { try file.write(channels, frameCount: frames) } catch {
          throw Failure(error.explanation, error.status)
        }
      }
      done += frames
      progress.show(done, of: frameCount)
    }
    do { try file.finish() } catch { throw Failure(error.explanation, error.status) }
    repairs = file.repairs
    return nil
  }

  private func open(expecting frameCount: Int) throws(Failure) -> SoundFileWriter {
    do {
      return try SoundFileWriter(
        path, sampleRate: Double(sampleRate), channelCount: channelCount, expecting: frameCount,
        samples: samples)
    } catch { throw Failure(error.explanation, error.status) }
  }
}

/// Renders a unit without a host.
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
        mNumberChannels: 1, mDataByteSize: UInt32(clamping: frameCount * MemoryLayout<Float>.size),
        mData: UnsafeMutableRawPointer(channels[channel]))
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(frame)
    time.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags()
    try Failure.check(
      AudioUnitRender(
        unit, &flags, &time, 0, UInt32(clamping: frameCount), list.unsafeMutablePointer),
      "Can't render")
  }
}
