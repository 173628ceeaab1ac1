// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The crest factor of several tones: the peak of their sum relative to its RMS, which depends on
/// their phases.
///
/// The sum repeats after one over the greatest common divisor of the frequencies. If that takes two
/// seconds or more, the tones drift through all relative phases anyway, and their initial phases
/// hardly matter.
public struct ToneCrest {
  /// The target for the phases.
  public enum Target: Equatable, Sendable {
    /// The lowest peak that a search finds.
    case lowest
    /// All peaks together, at the beginning.
    case highest
    /// The crest factor in decibels.
    case decibels(Double)
  }

  /// The most points of the sum; there are at least sixteen per period of the highest tone, if that
  /// many fit.
  private static let mostPoints = 131_072

  private let amplitudes: [Double]
  /// The cosine and the sine of each tone at each point.
  private let cosines: [[Float]]
  private let sines: [[Float]]
  private let pointCount: Int

  /// [control thread] Prepares the search for some tones.
  ///
  /// - Throws: If there are fewer than two tones, or if one of them is not a plain sine.
  public init(_ tones: [Tone]) throws(ToneError) {
    guard tones.count > 1 else { throw ToneError("A crest needs at least two tones") }
    guard tones.allSatisfy({ $0.waveform == .sine && $0.sweep == nil && $0.burst == nil }) else {
      throw ToneError("A crest can only be set for sines without sweeps and bursts")
    }
    amplitudes = tones.map(\.amplitude)
    let seconds = Self.period(of: tones.map(\.frequency))
    let highest = tones.map(\.frequency).max() ?? 0
    let pointCount = min(max(Int(16 * highest * seconds), 1_024), Self.mostPoints)
    self.pointCount = pointCount
    let angles = tones.map { 2 * .pi * $0.frequency * seconds / Double(pointCount) }
    cosines = angles.map { angle in (0..<pointCount).map { Float(cos(angle * Double($0))) } }
    sines = angles.map { angle in (0..<pointCount).map { Float(sin(angle * Double($0))) } }
  }

  /// The seconds after which the sum repeats, 2 at most.
  private static func period(of frequencies: [Double]) -> Double {
    var divisor = 0
    for frequency in frequencies {
      var (a, b) = (Int((frequency * 1_000).rounded()), divisor)
      while b != 0 { (a, b) = (b, a % b) }
      divisor = a
    }
    return min(1_000 / Double(max(divisor, 1)), 2)
  }

  /// The crest factor in decibels for these initial phases in degrees.
  public func level(at phases: [Double]) -> Double {
    let sum = zip(amplitudes.indices, phases).reduce([Float](repeating: 0, count: pointCount)) {
      add($1.0, at: $1.1, to: $0)
    }
    let power = amplitudes.reduce(0) { $0 + $1 * $1 / 2 }
    return Decibels.level(Self.peak(sum) / power.squareRoot())
  }

  /// [control thread] The initial phases in degrees for a crest factor. It takes a fraction of a
  /// second, and the result is reproducible.
  ///
  /// - Throws: If the crest factor is not possible, with those that are.
  public func phases(for target: Target) throws(ToneError) -> [Double] {
    let aligned = [Double](repeating: 90, count: amplitudes.count)
    if case .highest = target { return aligned }
    let lowest = lowestPhases
    guard case .decibels(let level) = target else { return lowest }
    return try between(aligned, lowest, level)
  }

  // MARK: The lowest crest

  /// Begins with the phases of Newman and of Schroeder (IEEE Transactions on Information Theory 16,
  /// 1970), and turns each tone to the phase with the lowest peak.
  private var lowestPhases: [Double] {
    let count = amplitudes.count
    let newman = (0..<count).map { 180 * Double($0 * $0) / Double(count) }
    let power = amplitudes.reduce(0) { $0 + $1 * $1 }
    var schroeder: [Double] = []
    var (phase, share) = (0.0, 0.0)
    for amplitude in amplitudes {
      schroeder.append(phase)
      share += amplitude * amplitude / power
      phase -= 360 * share
    }
    let found = [newman, schroeder].map(improved)
    let best = level(at: found[0]) <= level(at: found[1]) ? found[0] : found[1]
    return best.map(Self.wrapped)
  }

  private func improved(_ start: [Double]) -> [Double] {
    var phases = start
    var sum = phases.enumerated().reduce([Float](repeating: 0, count: pointCount)) {
      add($1.offset, at: $1.element, to: $0)
    }
    var reach = 180.0
    for _ in 0..<7 {
      // The first tone stays, because only relative phases matter.
      for tone in 1..<amplitudes.count {
        let others = add(tone, at: phases[tone] + 180, to: sum)
        var best = (phase: phases[tone], peak: Self.peak(sum), sum: sum)
        for step in -6...6 where step != 0 {
          let phase = phases[tone] + reach * Double(step) / 6
          let tried = add(tone, at: phase, to: others)
          let peak = Self.peak(tried)
          if peak < best.peak { best = (phase, peak, tried) }
        }
        (phases[tone], sum) = (best.phase, best.sum)
      }
      reach /= 2
    }
    return phases
  }

  /// Phases between those of a high and a low crest factor.
  private func between(
    _ high: [Double], _ low: [Double], _ target: Double
  ) throws(ToneError) -> [Double] {
    func mixed(_ part: Double) -> [Double] {
      zip(high, low).map { Self.wrapped($0 + part * Self.wrapped($1 - $0)) }
    }
    let (most, least) = (level(at: high), level(at: low))
    guard (least...most).contains(target) else {
      func text(_ level: Double) -> String { String(format: "%.2f", level) }
      throw ToneError(
        "These tones can have crests from \(text(least)) to \(text(most)) dB, not \(text(target))")
    }
    // The interpolation is not monotonic: the target lies after the last step above it.
    let steps = 32
    let parts = (0...steps).map { Double($0) / Double(steps) }
    let last = parts.last { level(at: mixed($0)) >= target } ?? 0
    var (above, below) = (last, min(last + 1 / Double(steps), 1))
    for _ in 0..<16 {
      let middle = (above + below) / 2
      if level(at: mixed(middle)) >= target { above = middle } else { below = middle }
    }
    return mixed((above + below) / 2)
  }

  // MARK: Sums

  /// A sum plus one tone with an initial phase.
  private func add(_ tone: Int, at phase: Double, to sum: [Float]) -> [Float] {
    let angle = phase * .pi / 180
    let (sine, cosine) = (
      Float(amplitudes[tone] * cos(angle)), Float(amplitudes[tone] * sin(angle))
    )
    var result = sum
    let (sines, cosines) = (sines[tone], cosines[tone])
    for point in 0..<pointCount {
      result[point] += sine * sines[point] + cosine * cosines[point]
    }
    return result
  }

  private static func peak(_ sum: [Float]) -> Double {
    var peak: Float = 0
    for sample in sum { peak = max(peak, abs(sample)) }
    return Double(peak)
  }

  /// The equivalent angle from -180 to 180 degrees.
  private static func wrapped(_ degrees: Double) -> Double {
    degrees - 360 * (degrees / 360).rounded()
  }
}

extension ToneModel {
  /// Sets initial phases for a crest factor; during playback the tones restart, after a fade.
  ///
  /// It lasts until a frequency changes or a tone is added or removed.
  ///
  /// - Returns: The new crest factor, in decibels.
  /// - Throws: If the tones cannot have it, with the reason.
  @discardableResult
  public func setCrest(_ target: ToneCrest.Target) throws(ToneError) -> Double {
    let crest = try ToneCrest(tones)
    let phases = try crest.phases(for: target)
    let wasPlaying = isPlaying
    stop()
    var turned = tones
    for (index, phase) in phases.enumerated() { turned[index].startPhase = phase }
    tones = turned
    if wasPlaying { try play() }
    return crest.level(at: phases)
  }
}
