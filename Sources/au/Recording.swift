// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport

/// A sound file of what a unit renders, as fast as it can.
struct Recording {
  /// Frames of one render call.
  private static let sliceFrames = 1_024

  /// Where; its extension says which kind. "-" is the standard output.
  let path: String
  let sampleRate: Int
  let channelCount: Int

  /// What its paths are.
  static let paths = "a path that ends in .wav or .flac, or - for a pipe"

  /// Refuses a path of a kind that cannot be written, before anything is rendered.
  static func check(_ path: String) throws(UsageError) {
    do { _ = try SoundFileKind(path: path) } catch { throw UsageError(error.explanation) }
  }

  /// Writes exactly so many frames of bus 0 of a unit whose format is planar Float32.
  ///
  /// A signal that asks the process to end leaves no file, and an old one as it is.
  func write(_ unit: AudioUnit, frameCount: Int) throws(Failure) {
    let signals = Signals(Signals.ending)
    if let signal = try render(unit, frameCount, until: { signals.next() }) {
      Signals.die(of: signal)
    }
  }

  /// The signal that came before the file was whole, if one did.
  private func render(
    _ unit: AudioUnit, _ frameCount: Int, until signal: () -> Int32?
  ) throws(Failure) -> Int32? {
    var buffer = RenderBuffer(channelCount: channelCount, frameCount: Self.sliceFrames)
    let file = try open(expecting: frameCount)
    var done = 0
    while done < frameCount {
      if let signal = signal() { return signal }
      let frames = min(Self.sliceFrames, frameCount - done)
      try buffer.render(unit, at: done, frames)
      do { try file.write(buffer.channels, frameCount: frames) } catch {
        throw Failure(error.explanation)
      }
      done += frames
    }
    do { try file.finish() } catch { throw Failure(error.explanation) }
    return nil
  }

  private func open(expecting frameCount: Int) throws(Failure) -> SoundFileWriter {
    do {
      return try SoundFileWriter(
        path, sampleRate: Double(sampleRate), channelCount: channelCount, expecting: frameCount)
    } catch { throw Failure(error.explanation) }
  }
}

/// Memory into which a unit is rendered by hand.
private struct RenderBuffer: ~Copyable {
  /// One pointer to the samples of each channel.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let channelCount: Int
  private let list: UnsafeMutableAudioBufferListPointer

  init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    list = AudioBufferList.allocate(maximumBuffers: channelCount)
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      channels.advanced(by: channel).initialize(to: .allocate(capacity: frameCount))
    }
  }

  deinit {
    for channel in 0..<channelCount { channels[channel].deallocate() }
    channels.deallocate()
    free(list.unsafeMutablePointer)
  }

  /// Renders bus 0 of a unit, whose format is planar Float32.
  mutating func render(_ unit: AudioUnit, at frame: Int, _ frameCount: Int) throws(Failure) {
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
