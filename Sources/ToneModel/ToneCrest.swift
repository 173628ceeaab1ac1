// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The crest of several tones at once: how far the peak of their sum lies above its RMS, which their
/// phases decide.
///
/// Frequencies repeat together after one over their greatest common divisor. Tones that repeat after
/// two seconds or later come into every position towards each other by themselves, and their phases
/// decide little.
public struct ToneCrest {
  /// What is wanted of the phases.
  public enum Wish: Equatable, Sendable {
    /// The lowest peak that a search finds.
    case lowest
    /// All peaks at once, at the beginning.
    case highest
    /// So many decibels between the peak and the RMS.
    case decibels(Double)
  }

  /// The most points at which the sum is looked at; there are at least sixteen in a period of the
  /// highest tone, where there is room for them.
  private static let mostPoints = 131_072

  private let amplitudes: [Double]
  /// A cosine and a sine of each tone, at each point.
  private let cosines: [[Float]]
  private let sines: [[Float]]
  private let pointCount: Int

  /// [control thread] Lays out what sounds together.
  ///
  /// - Throws: Where there are no two tones, or one of them is no sine.
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

  /// Seconds after which frequencies repeat together, 2 at most.
  private static func period(of frequencies: [Double]) -> Double {
    var divisor = 0
    for frequency in frequencies {
      var (a, b) = (Int((frequency * 1_000).rounded()), divisor)
      while b != 0 { (a, b) = (b, a % b) }
      divisor = a
    }
    return min(1_000 / Double(max(divisor, 1)), 2)
  }

  /// Decibels between peak and RMS of the tones, when they begin at so many degrees.
  public func level(at phases: [Double]) -> Double {
    let sum = zip(amplitudes.indices, phases).reduce([Float](repeating: 0, count: pointCount)) {
      add($1.0, at: $1.1, to: $0)
    }
    let power = amplitudes.reduce(0) { $0 + $1 * $1 / 2 }
    return Decibels.level(Self.peak(sum) / power.squareRoot())
  }

  /// [control thread] Degrees at which the tones begin, for the crest that is wanted. It takes parts of a
  /// second, and finds the same every time.
  ///
  /// - Throws: When there is no such crest, and which there are.
  public func phases(for wish: Wish) throws(ToneError) -> [Double] {
    let aligned = [Double](repeating: 90, count: amplitudes.count)
    if case .highest = wish { return aligned }
    let lowest = lowestPhases
    guard case .decibels(let wanted) = wish else { return lowest }
    return try between(aligned, lowest, wanted)
  }

  // MARK: The lowest crest

  /// Begins with the phases of Newman and of Schroeder (IEEE Transactions on Information Theory 16,
  /// 1970), and turns one tone after the other to where the peak is lowest.
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
      // The first tone stays: only the others' places beside it count.
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

  /// Phases on the way from one crest to a lower one.
  private func between(
    _ high: [Double], _ low: [Double], _ wanted: Double
  ) throws(ToneError) -> [Double] {
    func mixed(_ part: Double) -> [Double] {
      zip(high, low).map { Self.wrapped($0 + part * Self.wrapped($1 - $0)) }
    }
    let (most, least) = (level(at: high), level(at: low))
    guard (least...most).contains(wanted) else {
      func text(_ level: Double) -> String { String(format: "%.2f", level) }
      throw ToneError(
        "These tones can have crests from \(text(least)) to \(text(most)) dB, not \(text(wanted))")
    }
    // The way is not monotonous: the last step that is above what is wanted has it within.
    let steps = 32
    let parts = (0...steps).map { Double($0) / Double(steps) }
    let last = parts.last { level(at: mixed($0)) >= wanted } ?? 0
    var (above, below) = (last, min(last + 1 / Double(steps), 1))
    for _ in 0..<16 {
      let middle = (above + below) / 2
      if level(at: mixed(middle)) >= wanted { above = middle } else { below = middle }
    }
    return mixed((above + below) / 2)
  }

  // MARK: Sums

  /// A sum and a tone that begins at so many degrees.
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

  /// The same angle, from -180 to 180 degrees.
  private static func wrapped(_ degrees: Double) -> Double {
    degrees - 360 * (degrees / 360).rounded()
  }
}

extension ToneModel {
  /// Lets the tones begin where they have the crest that is wanted; what plays begins anew, after a fade.
  ///
  /// It lasts until a frequency changes or a tone comes or goes.
  ///
  /// - Returns: The crest that they have now, in decibels.
  /// - Throws: Why they cannot have it.
  @discardableResult
  public func setCrest(_ wish: ToneCrest.Wish) throws(ToneError) -> Double {
    let crest = try ToneCrest(tones)
    let phases = try crest.phases(for: wish)
    let wasPlaying = isPlaying
    stop()
    var turned = tones
    for (index, phase) in phases.enumerated() { turned[index].startPhase = phase }
    tones = turned
    if wasPlaying { try play() }
    return crest.level(at: phases)
  }
}
