// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import SignalProcessing

/// The conversion of one file.
struct Conversion: Sendable {
  private static let sliceFrames = 8_192

  let settings: ConversionSettings

  // MARK: Converting

  /// Converts a file and returns the number of frames written; nil if `isStopped` returned true.
  func convert(
    _ task: ConversionList.Task, until isStopped: () -> Bool
  ) throws(Failure) -> Int? {
    var encoding = try settings.encoding(for: task.output)
    let source = try ConversionSource(task.input, settings, encoding)
    if settings.bits == nil, encoding.codec == kAudioFormatLinearPCM || source.bits != nil {
      encoding.bits = source.bits ?? 16
    }
    var (first, end) = (0, Int.max)
    var gain: Float = 1
    if settings.trims || settings.normalizedPeak != nil {
      let memory = PlanarMemory(channelCount: source.channelCount, frameCount: Self.sliceFrames)
      let peaks = (0..<source.channelCount).map { _ in TruePeakMeter() }
      var (position, firstLoud, lastLoud) = (0, Int.max, -1)
      while true {
        if isStopped() { return nil }
        let count = try source.read(memory.channels, Self.sliceFrames)
        if count == 0 { break }
        for channel in 0..<source.channelCount {
          peaks[channel].measure(memory.channels[channel], count: count)
          for frame in 0..<count where abs(memory.channels[channel][frame]) >= 0.001 {
            firstLoud = min(firstLoud, position + frame)
            lastLoud = max(lastLoud, position + frame)
          }
        }
        position += count
      }
      try source.rewind()
      if settings.trims { (first, end) = lastLoud < 0 ? (0, 0) : (firstLoud, lastLoud + 1) }
      if let level = settings.normalizedPeak, let peak = peaks.map(\.peak).max(), peak > 0 {
        gain = Float(Decibels.gain(level)) / peak
      }
    }
    return try write(
      source, to: task.output, encoding, first..<max(first, end), gain, until: isStopped)
  }

  private func write(
    _ source: ConversionSource, to path: String, _ encoding: SoundFileEncoding,
    _ range: Range<Int>, _ gain: Float, until isStopped: () -> Bool
  ) throws(Failure) -> Int? {
    var metadata = source.metadata
    let included = Double(range.lowerBound) / source.ratio..<Double(range.upperBound) / source.ratio
    metadata.move(to: included, ratio: source.ratio)
    let target = try ConversionTarget(
      path, sampleRate: source.sampleRate, channelCount: source.channelCount, encoding,
      metadata: metadata, expecting: range.upperBound == .max ? source.frameCount : range.count)
    let memory = PlanarMemory(channelCount: source.channelCount, frameCount: Self.sliceFrames)
    let part = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(1, source.channelCount))
    defer { part.deallocate() }
    var (position, written) = (0, 0)
    while position < range.upperBound {
      if isStopped() { return nil }
      let count = try source.read(memory.channels, Self.sliceFrames)
      if count == 0 { break }
      let included = (position..<position + count).clamped(to: range)
      if !included.isEmpty {
        for channel in 0..<source.channelCount {
          let samples = memory.channels[channel] + (included.lowerBound - position)
          if gain != 1 { for frame in 0..<included.count { samples[frame] *= gain } }
          (part + channel).initialize(to: samples)
        }
        try target.write(part, included.count)
        written += included.count
      }
      position += count
    }
    try target.finish()
    return written
  }
}
