// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox

/// A WAV file of what a unit renders, as fast as it can.
struct WaveRecording {
  /// Frames of one render call.
  private static let sliceFrames = 1_024

  let path: String
  let sampleRate: Int
  let channelCount: Int

  /// Writes exactly so many frames of bus 0 of a unit whose format is planar Float32.
  func write(_ unit: AudioUnit, frameCount: Int) throws {
    var buffer = RenderBuffer(channelCount: channelCount, frameCount: Self.sliceFrames)
    var file = try WaveFile(path, sampleRate: Double(sampleRate), channelCount: channelCount)
    var done = 0
    while done < frameCount {
      let frames = min(Self.sliceFrames, frameCount - done)
      try buffer.render(unit, at: done, frames)
      try file.write(buffer.channels, frames)
      done += frames
    }
    try file.finish()
  }
}

/// The library's writer, whose failures are sentences already.
private struct WaveFile: ~Copyable {
  private var writer: WaveFileWriter

  init(_ path: String, sampleRate: Double, channelCount: Int) throws(Failure) {
    do {
      writer = try WaveFileWriter(
        path: path, sampleRate: sampleRate, channelCount: channelCount)
    } catch { throw Failure(error.explanation) }
  }

  mutating func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(Failure) {
    do { try writer.write(channels, frameCount: frameCount) } catch {
      throw Failure(error.explanation)
    }
  }

  mutating func finish() throws(Failure) {
    do { try writer.flush() } catch { throw Failure(error.explanation) }
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
