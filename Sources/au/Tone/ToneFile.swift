// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import ToneModel

/// A WAV file of a tone, rendered without a device.
struct ToneFile {
  /// Frames of one render call.
  private static let sliceFrames = 1_024

  let path: String
  let sampleRate: Int
  let channelCount: Int

  /// Writes exactly `seconds` of a tone, as fast as it can.
  func write(_ tone: Tone, seconds: Double, fade: Double) throws -> ToneStatistics {
    let start = ContinuousClock.now
    let source = try ToneSource(
      tone, sampleRate: Double(sampleRate), channelCount: channelCount, fade: fade)
    let frameCount = Int((seconds * Double(sampleRate)).rounded())
    source.end(atFrame: frameCount)
    try render(source, frameCount)
    let elapsed = ContinuousClock.now - start
    let peak = source.takePeak()
    return ToneStatistics(
      destination: path, sampleRate: Double(sampleRate), channelCount: channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1))
  }

  private func render(_ source: ToneSource, _ frameCount: Int) throws {
    var buffer = RenderBuffer(channelCount: channelCount, frameCount: Self.sliceFrames)
    var file = try WaveFile(path, sampleRate: Double(sampleRate), channelCount: channelCount)
    var done = 0
    while done < frameCount {
      let frames = min(Self.sliceFrames, frameCount - done)
      try buffer.render(source.unit, at: done, frames)
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
      "Can't render the tone")
  }
}
