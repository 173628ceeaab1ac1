// SPDX-License-Identifier: Apache-2.0

/// The equalised spectra and the time differences of a measured head, from which filters for any sample rate
/// are made.
///
/// The mean of all directions (the diffuse-field response) is removed, so that the loudspeaker, the
/// microphone and the ear canal do not colour the sound twice. That mean is smoothed over a third
/// of an octave, held constant below 200 Hz and above 14 kHz, where a measurement is unreliable,
/// and limited to within 15 dB.
struct HeadSpectra {
  /// Natural logarithms of the magnitudes: for each direction `binCount` for the left ear, then for
  /// the right ear.
  let logarithms: [Float]
  let binCount: Int
  /// Bin spacing in Hz.
  let spacing: Double
  /// The seconds by which the left ear is later than the right one, for each direction.
  let earDelays: [Double]
  let measurement: HeadMeasurement

  private static let lowest = 200.0
  private static let highest = 14_000.0
  private static let maximumDecibels = 15.0

  /// [control thread]
  init(_ measurement: HeadMeasurement) {
    self.measurement = measurement
    var size = 1_024
    while size < measurement.sampleCount { size *= 2 }
    binCount = size / 2 + 1
    spacing = measurement.sampleRate / Double(size)
    var powers = Self.powers(measurement, size: size)
    let mean = Self.mean(powers, of: measurement, binCount: binCount)
    let correction = Self.correction(mean, spacing: spacing)
    let lowestBin = min(Int((Self.lowest / spacing).rounded(.up)), binCount - 1)
    for response in 0..<2 * measurement.directions.count {
      let first = response * binCount
      for bin in 0..<binCount {
        // Half the logarithm of the power is that of the magnitude; the floor is -120 dB.
        let level = 0.5 * Math.logarithm(Double(max(powers[first + bin], 1e-12)))
        powers[first + bin] = Float(level - correction[bin])
      }
      // A loudspeaker does not produce the lowest frequencies, at which a head hardly shadows.
      for bin in 0..<lowestBin { powers[first + bin] = powers[first + lowestBin] }
    }
    logarithms = powers
    let measure = InterauralDelay(
      sampleRate: measurement.sampleRate, sampleCount: measurement.sampleCount)
    var earDelays: [Double] = []
    for direction in measurement.directions.indices {
      let delays = measurement.directions[direction].delays
      let seconds = measure.seconds(
        left: measurement.response(direction, ear: 0),
        right: measurement.response(direction, ear: 1))
      earDelays.append(seconds + Double(delays.x - delays.y) / measurement.sampleRate)
    }
    self.earDelays = earDelays
  }

  /// The power of every response at every bin. One transform computes both ears.
  private static func powers(_ measurement: HeadMeasurement, size: Int) -> [Float] {
    let transform = FourierTransform(count: size)
    let binCount = size / 2 + 1
    var powers = [Float](repeating: 0, count: 2 * binCount * measurement.directions.count)
    withTransformMemory(size) { real, imaginary in
      for direction in measurement.directions.indices {
        let (left, right) = (
          measurement.response(direction, ear: 0), measurement.response(direction, ear: 1)
        )
        for index in 0..<size {
          let isInside = index < measurement.sampleCount
          real[index] = isInside ? Double(left[left.startIndex + index]) : 0
          imaginary[index] = isInside ? Double(right[right.startIndex + index]) : 0
        }
        transform.forward(real, imaginary)
        let first = 2 * direction * binCount
        for bin in 0..<binCount {
          let other = (size - bin) % size
          let (evenReal, oddReal) = (real[bin] + real[other], real[bin] - real[other])
          let evenImaginary = imaginary[bin] + imaginary[other]
          let oddImaginary = imaginary[bin] - imaginary[other]
          powers[first + bin] = Float((evenReal * evenReal + oddImaginary * oddImaginary) / 4)
          powers[first + binCount + bin] = Float(
            (evenImaginary * evenImaginary + oddReal * oddReal) / 4)
        }
      }
    }
    return powers
  }

  /// The mean power over the sphere: each direction is weighted by the area that is nearest to it.
  private static func mean(
    _ powers: [Float], of measurement: HeadMeasurement, binCount: Int
  ) -> [Double] {
    var shares = [Double](repeating: 0, count: measurement.directions.count)
    for row in 0..<36 {
      let elevation = -87.5 + 5 * Double(row)
      let area = Math.cosine(elevation * .pi / 180)
      for column in 0..<72 {
        let direction = HeadResponses.direction(azimuth: 5 * Double(column), elevation: elevation)
        shares[measurement.nearest(to: direction)] += area
      }
    }
    let sum = 2 * shares.reduce(0, +)
    var mean = [Double](repeating: 0, count: binCount)
    for (direction, share) in shares.enumerated() where share > 0 {
      let first = 2 * direction * binCount
      for bin in 0..<binCount {
        mean[bin] += share / sum * Double(powers[first + bin] + powers[first + binCount + bin])
      }
    }
    return mean
  }

  /// The correction that is subtracted from the logarithm of each bin's magnitude.
  private static func correction(_ mean: [Double], spacing: Double) -> [Double] {
    var sums = [0.0]
    for power in mean { sums.append(sums[sums.count - 1] + power) }
    let (first, last) = (Int(lowest / spacing), Int(highest / spacing))
    let third = Elementary.exp2(1 / 6.0)
    let smooth = mean.indices.map { bin -> Double in
      let middle = Double(min(max(bin, first), min(last, mean.count - 1)))
      let low = Int(middle / third)
      let high = min(max(Int(middle * third), low), mean.count - 1)
      let power = (sums[high + 1] - sums[low]) / Double(high + 1 - low)
      return 0.5 * Math.logarithm(max(power, 1e-12))
    }
    // Limited around the value at 1 kHz.
    let middle = smooth[min(Int(1_000 / spacing), mean.count - 1)]
    let range = maximumDecibels * 0.115_129_254_649_702
    return smooth.map { min(max($0, middle - range), middle + range) }
  }

  /// Provides memory for one transform.
  static func withTransformMemory(
    _ size: Int, _ body: (UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> Void
  ) {
    let memory = UnsafeMutablePointer<Double>.allocate(capacity: 2 * size)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0, count: 2 * size)
    body(memory, memory + size)
  }
}
