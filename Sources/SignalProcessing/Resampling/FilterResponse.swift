// SPDX-License-Identifier: Apache-2.0

/// The impulse response of a converter's low-pass filter at any time.
struct FilterResponse {
  /// Frames that can lie in the filter.
  private let taps: Int
  /// Half its length, in frames, and what lies within: where rows are interpolated, also the rows just
  /// outside, in which nothing may end abruptly.
  private let reach: Double
  private let limit: Double
  /// Twice the cut-off frequency, in cycles per frame.
  private let cutoff: Double
  private let edge: FilterEdge
  private let window: KaiserWindow
  /// Of minimum phase: the response at `density` places per frame; else empty.
  private var samples: [Double] = []
  private var density = 0
  /// The factor of the rows.
  private var gain = 1.0
  /// Where the response has its centre, which is the delay of low frequencies, in frames.
  private(set) var centre: Double

  /// Neighbours from which the response of minimum phase is interpolated. It is sampled so densely that
  /// 18 leave an error of -160 dB.
  private static let neighbours = 18

  /// Makes the filter of a shape.
  init(_ shape: FilterShape) {
    let design = shape.design
    let lowerRate = min(1, 1 / shape.ratio)
    taps = shape.taps
    reach = shape.length / 2
    limit = shape.up == 0 ? reach + 1 : reach
    edge = design.edge
    window = KaiserWindow(beta: edge.beta)
    cutoff = lowerRate * design.stop - 2 * edge.cutoff / shape.length
    centre = Double(taps) / 2
    if case .minimum = design.phase {
      let density = max(1, Int((8 * lowerRate).rounded(.up)))
      let linear = (0..<taps * density).map { index in
        value(at: Double(index) / Double(density) - Double(taps) / 2) * cutoff / Double(density)
      }
      samples = Self.minimumPhase(linear, floor: design.attenuation + 30)
      self.density = density
    }
    measure()
  }

  /// Finds the gain and the centre from the mean of sixteen rows.
  private mutating func measure() {
    var (sum, moment) = (0.0, 0.0)
    for phase in 0..<16 {
      let fraction = Double(phase) / 16
      for (tap, value) in row(fraction: fraction).enumerated() {
        sum += value / 16
        moment += value / 16 * (Double(taps - 1 - tap) + fraction)
      }
    }
    gain = 1 / sum
    centre = moment / sum
  }

  /// Coefficients of the frames of a window, the oldest first, for an output that lies `fraction` of a
  /// frame after the latest; zero for those beyond the filter's length. The mean of all rows passes a
  /// constant at exactly one.
  func row(fraction: Double) -> [Double] {
    var row = [Double](repeating: 0, count: taps)
    let first = fraction - Double(taps) / 2
    if samples.isEmpty {
      for tap in row.indices { row[tap] = value(at: Double(taps - 1 - tap) + first) * gain }
    } else {
      // The response begins where the filter does.
      let place = (first + reach) * Double(density)
      let whole = Int(place.rounded(.down))
      let half = Self.neighbours / 2
      let interpolation = KaiserWindow(attenuation: 160)
      let weights = (0..<Self.neighbours).map { index in
        let time = place - Double(whole + index - half + 1)
        return KaiserWindow.sinc(time) * interpolation(time / Double(half))
      }
      for tap in row.indices where abs(Double(taps - 1 - tap) + first) <= limit {
        let first = (taps - 1 - tap) * density + whole - half + 1
        for (index, weight) in weights.enumerated() where samples.indices.contains(first + index) {
          row[tap] += samples[first + index] * weight * gain
        }
      }
    }
    return row
  }

  /// The response of linear phase, so many frames after its centre.
  private func value(at time: Double) -> Double {
    guard abs(time) <= limit else { return 0 }
    // Clenshaw's sum of the edge's cosines, whose angles lie evenly apart.
    let step = .pi * FilterEdge.spacing * time / reach
    let angle = .pi * time * (cutoff + FilterEdge.above / reach)
    let factor = 2 * Math.cosine(step)
    var (sum, last) = (0.0, 0.0)
    for gain in edge.gains.reversed() { (sum, last) = (gain + factor * sum - last, sum) }
    let cosines = sum * Math.cosine(angle) - last * Math.cosine(angle + step)
    return window.continued(time / reach)
      * (KaiserWindow.sinc(time * cutoff) + cosines / (reach * cutoff))
  }

  /// A response of the same magnitudes that comes as early as possible: the causal part of the cepstrum
  /// takes it all. Magnitudes more than `floor` decibels below the largest are lifted there, as they
  /// have no logarithm where they are zero.
  ///
  /// Oppenheim, Schafer, "Discrete-time signal processing", chapter on the cepstrum.
  private static func minimumPhase(_ response: [Double], floor: Double) -> [Double] {
    var count = 1_024
    // So long that the cepstrum has died away before it meets itself.
    while count < 32 * response.count { count *= 2 }
    let transform = FourierTransform(count: count)
    var real = response + [Double](repeating: 0, count: count - response.count)
    var imaginary = [Double](repeating: 0, count: count)
    transform.forward(&real, &imaginary)
    var magnitudes = zip(real, imaginary).map { ($0 * $0 + $1 * $1).squareRoot() }
    let least = (magnitudes.max() ?? 1) * Math.power(10, -floor / 20)
    magnitudes = magnitudes.map { max($0, least) }
    // The logarithms are even, so that the transform is its own inverse.
    real = magnitudes.map { Math.logarithm($0) / Double(count) }
    imaginary = [Double](repeating: 0, count: count)
    transform.forward(&real, &imaginary)
    for index in 1..<count / 2 { real[index] *= 2 }
    for index in count / 2 + 1..<count { real[index] = 0 }
    imaginary = [Double](repeating: 0, count: count)
    transform.forward(&real, &imaginary)
    for index in 0..<count {
      let gain = Math.exponential(real[index]) / Double(count)
      // Conjugate, so that the next transform is the inverse.
      (real[index], imaginary[index]) = (
        gain * Math.cosine(imaginary[index]), -gain * Math.sine(imaginary[index])
      )
    }
    transform.forward(&real, &imaginary)
    return Array(real.prefix(response.count))
  }
}
