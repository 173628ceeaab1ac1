// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CheckedNumbers
import Foundation

/// The samples of a whole sound file, at its own rate.
struct SoundSamples {
  /// The most samples of all channels: 256 MiB, or 23 minutes of one channel at 48 kHz.
  static let mostSamples = 1 << 26
  /// The most channels: as many as a mix may have.
  private static let mostChannels = 64
  private static let sliceFrames = 8_192

  /// In Hz.
  let sampleRate: Double
  /// At least one, each with equally many samples, all of which are finite.
  private(set) var channels: [[Float]] = []
  /// The largest sample, above zero.
  private(set) var peak: Float = 0

  /// [control thread] Reads a file.
  ///
  /// - Throws: If it cannot be read, is empty, silent or too long, with the reason.
  init(path: String) throws(ToneError) {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let reading = "Can't read “\(name)”"
    var opened: ExtAudioFileRef?
    let url = URL(fileURLWithPath: path) as CFURL
    try ToneError.check(ExtAudioFileOpenURL(url, &opened), reading)
    guard let file = opened else { throw ToneError(reading) }
    defer { ExtAudioFileDispose(file) }
    var format = AudioStreamBasicDescription()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    try ToneError.check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &format), reading)
    let channelCount = Int(format.mChannelsPerFrame)
    guard (1...Self.mostChannels).contains(channelCount) else {
      throw ToneError(
        "\(reading): it has \(channelCount) channels; expected at most \(Self.mostChannels)")
    }
    sampleRate = format.mSampleRate
    var client = floatFormat(sampleRate: sampleRate, channelCount: channelCount)
    try ToneError.check(
      ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat,
        UInt32(clamping: MemoryLayout.size(ofValue: client)), &client), reading)
    channels = Array(repeating: [], count: channelCount)
    try read(file, name, reading)
    try measure(name)
  }

  /// The number of frames.
  var frameCount: Int { channels[0].count }

  /// The RMS of the loudest channel.
  var largestRMS: Double {
    let powers = channels.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
    return ((powers.max() ?? 0) / Double(max(frameCount, 1))).squareRoot()
  }

  private mutating func read(
    _ file: ExtAudioFileRef, _ name: String, _ reading: String
  ) throws(ToneError) {
    let count = channels.count
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count * Self.sliceFrames)
    memory.initialize(repeating: 0, count: count * Self.sliceFrames)
    let list = AudioBufferList.allocate(maximumBuffers: count)
    defer {
      memory.deallocate()
      free(list.unsafeMutablePointer)
    }
    while true {
      for channel in 0..<count {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(clamping: 4 * Self.sliceFrames),
          mData: memory + channel * Self.sliceFrames)
      }
      var frames = UInt32(clamping: Self.sliceFrames)
      try ToneError.check(ExtAudioFileRead(file, &frames, list.unsafeMutablePointer), reading)
      guard frames > 0 else { return }
      guard (frameCount + Int(frames)) * count <= Self.mostSamples else {
        throw ToneError(
          "“\(name)” is too long for a signal that repeats: one channel at 48 kHz may have 23 "
            + "minutes, two 11")
      }
      for channel in 0..<count {
        let start = memory + channel * Self.sliceFrames
        channels[channel] += UnsafeBufferPointer(start: start, count: Int(frames))
      }
    }
  }

  /// Replaces what is no number by silence, and finds the peak.
  private mutating func measure(_ name: String) throws(ToneError) {
    guard frameCount > 0 else { throw ToneError("“\(name)” has no samples") }
    for channel in channels.indices {
      for frame in channels[channel].indices {
        let sample = channels[channel][frame]
        if !sample.isFinite { channels[channel][frame] = 0 } else { peak = max(peak, abs(sample)) }
      }
    }
    guard peak > 0 else { throw ToneError("“\(name)” is silent: it has no level") }
  }
}
