// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// What `au stats` measures of a sound: figures for each channel, and for all of them together.
struct SoundStatistics: Encodable {
  /// The figures of a channel. Levels are in decibels of full scale; nil for silence.
  struct Channel: Encodable {
    /// The mean, which is 0 unless there is direct current.
    let dcOffset: Double
    let lowest: Double
    let highest: Double
    let peak: Double?
    let truePeak: Double?
    let rms: Double?
    /// The loudest and the quietest 50 ms, as RMS.
    let rmsPeak: Double?
    let rmsTrough: Double?
    /// Peak over RMS, in decibels.
    let crest: Double?
    /// Samples at full scale or beyond.
    let clips: Int
    /// How flat the signal is at its extremes: the mean length of the runs of equal samples there, in
    /// decibels. 0 for a signal that is not clipped.
    let flatFactor: Double
    /// How often the extremes are reached.
    let peakCount: Int
    /// Samples that are not numbers; left out of everything else.
    let notNumbers: Int
  }

  let path: String
  let sampleRate: Double
  let frames: Int
  let seconds: Double
  let channels: [Channel]
  let overall: Channel
  /// EBU R 128, in LUFS and LU; nil if there is too little sound.
  let integratedLoudness: Double?
  let loudnessRange: Double?

  /// Measures a whole sound.
  init(_ path: String, of sound: any SoundStream) throws(Failure) {
    self.path = path
    sampleRate = sound.sampleRate
    let count = sound.channelCount
    let window = max(1, Int(saturating: (sampleRate * 0.05).rounded()))
    var sums = Array(repeating: ChannelSums(window: window), count: count)
    let peaks = (0..<count).map { _ in TruePeakMeter() }
    let meter = LoudnessMeter(
      sampleRate: sampleRate, weights: LoudnessMeter.defaultWeights(channelCount: count))
    let planes = PlanarMemory(channelCount: count, frameCount: BlockMemory.frameCount)
    var frames = 0
    try sound.forEachBlock { block, length in
      block.split(into: planes, length)
      meter.measure(planes.channels, frameCount: length)
      for channel in 0..<count {
        peaks[channel].measure(planes.channels[channel], count: length)
        sums[channel].add(block.samples + channel, stride: count, length)
      }
      frames += length
    }
    self.frames = frames
    seconds = Double(frames) / sampleRate
    let truePeaks = peaks.map { $0.finish() }
    channels = zip(sums, truePeaks).map { $0.figures(truePeak: $1) }
    var all = sums.first ?? ChannelSums(window: window)
    for other in sums.dropFirst() { all.join(other) }
    overall = all.figures(truePeak: truePeaks.compactMap { $0 }.max())
    integratedLoudness = meter.integrated
    loudnessRange = meter.range
  }
}

/// The sums from which the figures of a channel follow.
private struct ChannelSums {
  private let window: Int
  private var count = 0
  private var (sum, power) = (0.0, 0.0)
  private var notNumbers = 0
  private var clips = 0
  private var (windowPower, windowCount) = (0.0, 0)
  private var (loudest, quietest) = (-1.0, Double.infinity)
  private var low = Extreme(sign: -1)
  private var high = Extreme(sign: 1)

  /// The lowest or highest sample, and the runs of samples there.
  private struct Extreme {
    let sign: Double
    var value = -Double.infinity
    var count = 0
    /// The sum of the squares of the lengths of runs.
    var squares = 0
    var run = 0

    init(sign: Double) { self.sign = sign }

    mutating func add(_ sample: Double) {
      let signed = sign * sample
      if signed > value { (value, count, squares, run) = (signed, 0, 0, 0) }
      if signed == value {
        count += 1
        // (n + 1)² - n²
        squares += 2 * run + 1
        run += 1
      } else {
        run = 0
      }
    }

    mutating func join(_ other: Self) {
      if other.value > value {
        self = other
      } else if other.value == value {
        count += other.count
        squares += other.squares
      }
    }
  }

  init(window: Int) { self.window = window }

  mutating func add(_ samples: UnsafePointer<Double>, stride: Int, _ length: Int) {
    for index in 0..<length {
      let sample = samples[index * stride]
      guard sample.isFinite else {
        notNumbers += 1
        continue
      }
      count += 1
      sum += sample
      power += sample * sample
      if abs(sample) >= 1 { clips += 1 }
      low.add(sample)
      high.add(sample)
      windowPower += sample * sample
      windowCount += 1
      if windowCount == window {
        loudest = max(loudest, windowPower / Double(window))
        quietest = min(quietest, windowPower / Double(window))
        (windowPower, windowCount) = (0, 0)
      }
    }
  }

  mutating func join(_ other: Self) {
    count += other.count
    sum += other.sum
    power += other.power
    notNumbers += other.notNumbers
    clips += other.clips
    loudest = max(loudest, other.loudest)
    quietest = min(quietest, other.quietest)
    low.join(other.low)
    high.join(other.high)
  }

  func figures(truePeak: Double?) -> SoundStatistics.Channel {
    func level(_ power: Double) -> Double? {
      power > 0 && power.isFinite ? 10 * log10(power) : nil
    }
    let mean = count > 0 ? power / Double(count) : 0
    let offset = count > 0 ? sum / Double(count) : 0
    let peak = max(abs(low.value), abs(high.value))
    let peakLevel = count > 0 && peak > 0 ? 20 * log10(peak) : nil
    let reached = low.count + high.count
    let flatness = reached > 0 ? Double(low.squares + high.squares) / Double(reached) : 1
    return .init(
      dcOffset: offset.isFinite ? offset : 0, lowest: count > 0 ? -low.value : 0,
      highest: count > 0 ? high.value : 0, peak: peakLevel, truePeak: truePeak, rms: level(mean),
      rmsPeak: level(loudest < 0 ? mean : loudest),
      rmsTrough: level(quietest.isFinite ? quietest : mean),
      crest: peakLevel.flatMap { peak in level(mean).map { peak - $0 } }, clips: clips,
      flatFactor: 20 * log10(flatness), peakCount: reached, notNumbers: notNumbers)
  }
}

extension SoundStatistics {
  /// A table: a row for each figure, a column for all channels and one for each.
  var text: String {
    let isOne = channels.count == 1
    let columns = isOne ? channels : [overall] + channels
    let names = isOne ? ["1"] : ["all"] + (1...max(1, channels.count)).map(String.init)
    var table = TextTable([path] + names)
    func add(_ name: String, _ value: (Channel) -> String) {
      table.add(cells: [name] + columns.map(value))
    }
    func level(_ value: Double?) -> String {
      value.map { Numbers.rounded($0, digits: 2) } ?? "-inf"
    }
    add("DC offset") { Numbers.rounded($0.dcOffset, digits: 6) }
    add("Lowest") { Numbers.rounded($0.lowest, digits: 6) }
    add("Highest") { Numbers.rounded($0.highest, digits: 6) }
    add("Peak dBFS") { level($0.peak) }
    add("True peak dBTP") { level($0.truePeak) }
    add("RMS dBFS") { level($0.rms) }
    add("Loudest 50 ms") { level($0.rmsPeak) }
    add("Quietest 50 ms") { level($0.rmsTrough) }
    add("Crest dB") { $0.crest.map { Numbers.rounded($0, digits: 2) } ?? "-" }
    add("Flat factor dB") { Numbers.rounded($0.flatFactor, digits: 2) }
    add("At the extremes") { "\($0.peakCount)" }
    add("Clips") { "\($0.clips)" }
    if overall.notNumbers > 0 { add("Not numbers") { "\($0.notNumbers)" } }
    let loudness = integratedLoudness.map { "\(Numbers.rounded($0, digits: 1)) LUFS" } ?? "none"
    let range = loudnessRange.map { "\(Numbers.rounded($0, digits: 1)) LU" } ?? "none"
    table.add("Loudness", loudness)
    table.add("Range", range)
    table.add("Length", "\(Numbers.short(seconds, digits: 3)) s")
    table.add("Frames", "\(frames)")
    return table.text
  }
}
