// SPDX-License-Identifier: Apache-2.0

/// The impulse response of a converter's low-pass filter as a function of time.
struct FilterResponse {
  /// Number of input frames that the filter can cover.
  private let taps: Int
  /// Half its length in frames, and the limit of the response. For interpolated rows the limit
  /// includes the rows just outside, so that nothing ends abruptly there.
  private let reach: Double
  private let limit: Double
  /// Twice the cut-off frequency, in cycles per frame.
  private let cutoff: Double
  private let edge: FilterEdge
  private let window: KaiserWindow
  /// For minimum phase: the response in `density` samples per frame; otherwise empty.
  private var samples: [Double] = []
  private var density = 0
  /// Gain of the rows.
  private var gain = 1.0
  /// Centre of the response in frames, which is the delay of low frequencies.
  private(set) var centre: Double

  /// Number of samples from which the minimum-phase response is interpolated. It is sampled so
  /// densely that 18 leave an error of -160 dB.
  private static let neighbours = 18

  /// Makes the filter for a shape.
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

  /// Computes the gain and the centre from the mean of sixteen rows.
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

  /// The coefficients for the frames of a window, oldest first, for an output `fraction` of a frame
  /// after the latest; zero beyond the filter's length. The mean of all rows has a DC gain of
  /// exactly one.
  func row(fraction: Double) -> [Double] {
    var row = [Double](repeating: 0, count: taps)
    let first = fraction - Double(taps) / 2
    if samples.isEmpty {
      for tap in row.indices { row[tap] = value(at: Double(taps - 1 - tap) + first) * gain }
    } else {
      // The response begins where the filter begins.
      let position = (first + reach) * Double(density)
      let whole = Int(position.rounded(.down))
      let half = Self.neighbours / 2
      let interpolation = KaiserWindow(attenuation: 160)
      let weights = (0..<Self.neighbours).map { index in
        let time = position - Double(whole + index - half + 1)
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

  /// The linear-phase response at a time in frames after its centre.
  private func value(at time: Double) -> Double {
    guard abs(time) <= limit else { return 0 }
    // Clenshaw's sum of the edge's cosines, whose angles are evenly spaced.
    let step = .pi * FilterEdge.spacing * time / reach
    let angle = .pi * time * (cutoff + FilterEdge.above / reach)
    let factor = 2 * Math.cosine(step)
    var (sum, last) = (0.0, 0.0)
    for gain in edge.gains.reversed() { (sum, last) = (gain + factor * sum - last, sum) }
    let cosines = sum * Math.cosine(angle) - last * Math.cosine(angle + step)
    return window.continued(time / reach)
      * (KaiserWindow.sinc(time * cutoff) + cosines / (reach * cutoff))
  }

  /// The minimum-phase response with the same magnitudes: the whole cepstrum is folded into its
  /// causal part. Magnitudes more than `floor` decibels below the largest are raised to that,
  /// because zero has no logarithm.
  ///
  /// Oppenheim, Schafer, "Discrete-time signal processing", chapter on the cepstrum.
  private static func minimumPhase(_ response: [Double], floor: Double) -> [Double] {
    var count = 1_024
    // Long enough for the cepstrum to decay before it wraps around.
    while count < 32 * response.count { count *= 2 }
    let transform = FourierTransform(count: count)
    var real = response + [Double](repeating: 0, count: count - response.count)
    var imaginary = [Double](repeating: 0, count: count)
    transform.forward(&real, &imaginary)
    var magnitudes = zip(real, imaginary).map { ($0 * $0 + $1 * $1).squareRoot() }
    let least = (magnitudes.max() ?? 1) * Math.power(10, -floor / 20)
    magnitudes = magnitudes.map { max($0, least) }
    // The logarithms are even, so the forward transform is also the inverse.
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
