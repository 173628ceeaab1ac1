// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import SignalProcessing

/// The conversion of one file.
struct Conversion: Sendable {
  /// What a conversion has written.
  struct Outcome: Sendable {
    /// The number of frames.
    var frames = 0
    /// The samples that the output could not hold as they were.
    var repairs = SampleRepairs()
    /// Whether the input was complete; nil if that is unknown.
    var condition: SoundFileCondition?
  }

  /// The part of a file to write, and the gain.
  private struct Plan {
    var range = 0..<Int.max
    var gain: Float = 1
  }

  let settings: ConversionSettings

  // MARK: Converting

  /// Converts a file and returns what was written; nil if `isStopped` returned true.
  func convert(
    _ task: ConversionList.Task, until isStopped: () -> Bool
  ) throws(Failure) -> Outcome? {
    let encoding = try settings.encoding(for: task.output)
    var plan = Plan()
    if settings.trims || settings.normalizedPeak != nil {
      let source = try ConversionSource(task.input, settings, encoding, isFloat: true)
      guard let measured = try measure(source, until: isStopped) else { return nil }
      plan = measured
    }
    let source = try ConversionSource(task.input, settings, encoding, isFloat: plan.gain != 1)
    return try write(source, to: task.output, encoding, plan, until: isStopped)
  }

  /// Finds what the settings remove from a file, and how much they amplify it.
  private func measure(
    _ source: ConversionSource, until isStopped: () -> Bool
  ) throws(Failure) -> Plan? {
    let samples = source.memory.assumingMemoryBound(to: Float.self)
    let peaks = (0..<source.channelCount).map { _ in TruePeakMeter() }
    var channel: [Float] = []
    var (position, firstLoud, lastLoud) = (0, Int.max, -1)
    while true {
      if isStopped() { return nil }
      let count = try source.read()
      if count == 0 { break }
      for index in 0..<source.channelCount {
        channel = (0..<count).map { samples[$0 * source.channelCount + index] }
        peaks[index].measure(channel, count: count)
        for frame in 0..<count where abs(channel[frame]) >= 0.001 {
          firstLoud = min(firstLoud, position + frame)
          lastLoud = max(lastLoud, position + frame)
        }
      }
      position += count
    }
    var plan = Plan()
    if settings.trims { plan.range = lastLoud < 0 ? 0..<0 : firstLoud..<lastLoud + 1 }
    if let level = settings.normalizedPeak, let peak = peaks.map(\.peak).max(), peak > 0 {
      plan.gain = Float(Decibels.gain(level)) / peak
    }
    return plan
  }

  private func write(
    _ source: ConversionSource, to path: String, _ given: SoundFileEncoding, _ plan: Plan,
    until isStopped: () -> Bool
  ) throws(Failure) -> Outcome? {
    let range = plan.range
    var encoding = given
    if settings.bits == nil, encoding.codec == kAudioFormatLinearPCM || source.bits != nil {
      encoding.bits = source.bits ?? 16
    }
    var metadata = source.metadata
    let included = Double(range.lowerBound) / source.ratio..<Double(range.upperBound) / source.ratio
    metadata.move(to: included, ratio: source.ratio)
    let target = try ConversionTarget(
      path, sampleRate: source.sampleRate, channelCount: source.channelCount, encoding,
      from: source.frameFormat, sourceBits: source.keptBits, metadata: metadata,
      expecting: range.upperBound == .max ? source.frameCount : range.count)
    var (position, outcome) = (0, Outcome())
    while position < range.upperBound {
      if isStopped() { return nil }
      let count = try source.read()
      if count == 0 { break }
      let included = (position..<position + count).clamped(to: range)
      if !included.isEmpty {
        if plan.gain != 1 {
          let samples = source.memory.assumingMemoryBound(to: Float.self)
          for index in 0..<count * source.channelCount { samples[index] *= plan.gain }
        }
        let first = (included.lowerBound - position) * source.frameFormat.bytesPerFrame
        try target.write(interleaved: source.memory + first, included.count)
        outcome.frames += included.count
      }
      position += count
    }
    try target.finish()
    outcome.repairs = target.repairs
    outcome.condition = source.condition
    return outcome
  }
}
