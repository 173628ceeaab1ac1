// SPDX-License-Identifier: Apache-2.0

// Computes the filters of a head from its measurement, which takes a fifth of a second at 48 kHz.
extension HeadResponses {
  /// Computes the filters of a measured head at a sample rate. [control thread]
  ///
  /// For each direction of the grid, the logarithms of the equalised magnitudes are interpolated
  /// from the nearest measured ones, and made minimum-phase through the cepstrum (Oppenheim and
  /// Schafer, "Discrete-time signal processing", 1989). The delay between both ears is what that of
  /// the measured responses (`InterauralDelay`) exceeds that of these responses by.
  public init(_ measurement: HeadMeasurement, sampleRate: Double) {
    let taps = Self.taps(at: sampleRate)
    var size = 1_024
    while size < 8 * taps { size *= 2 }
    let designer = FilterDesigner(
      HeadSpectra(measurement), sampleRate: sampleRate, size: size, taps: taps)
    let count = Self.columns * Self.rows
    let memory = OwnedMemory()
    let filters = memory.array(2 * taps * count, of: Float(0))
    let delays = memory.array(count, of: Float(0))
    HeadSpectra.withTransformMemory(size) { real, imaginary in
      for row in 0..<Self.rows {
        let isPole = row == 0 || row == Self.rows - 1
        for column in 0..<Self.columns {
          let index = row * Self.columns + column
          let filter = filters + 2 * taps * index
          if isPole, column > 0 {
            // All columns of a pole are the same direction.
            let first = row * Self.columns
            Samples.copy(filters + 2 * taps * first, to: filter, count: 2 * taps)
            delays[index] = delays[first]
            continue
          }
          let vector = Self.direction(
            azimuth: 5 * Double(column), elevation: 10 * Double(row) - 90)
          delays[index] = designer.design(vector, filter, taps: taps, real, imaginary)
        }
      }
    }
    self.init(filters: filters, delays: delays, taps: taps, in: memory)
  }
}

/// Makes filters from the spectra of a head.
private struct FilterDesigner: ~Copyable {
  private let spectra: HeadSpectra
  private let earDelay: InterauralDelay
  private let sampleRate: Double
  private let transform: FourierTransform
  /// Position of each bin of the filter among the bins of the measurement.
  private let binPositions: [(bin: Int, part: Float)]

  init(_ spectra: HeadSpectra, sampleRate: Double, size: Int, taps: Int) {
    self.spectra = spectra
    earDelay = InterauralDelay(sampleRate: sampleRate, sampleCount: taps)
    self.sampleRate = sampleRate
    transform = FourierTransform(count: size)
    // Near half the rate of the measurement, its own filters fall: the value there is used above
    // it.
    let last = Int(Double(spectra.binCount - 1) * 0.9)
    binPositions = (0...size / 2).map { bin in
      let frequency = Double(bin) * sampleRate / Double(size)
      let position = min(frequency / spectra.spacing, Double(last))
      return (min(Int(position), last), Float(position - Double(min(Int(position), last))))
    }
  }

  /// Writes both ears' filters for a direction, reversed in time. Returns the frames by which the
  /// left ear is later than the mean of both.
  func design(
    _ vector: SIMD3<Float>, _ filter: UnsafeMutablePointer<Float>, taps: Int,
    _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>
  ) -> Float {
    let size = transform.count
    let shares = shares(of: vector)
    // The left ear's logarithms are the real part, the right ear's the imaginary part.
    for bin in 0...size / 2 {
      let (left, right) = logarithms(bin, shares)
      (real[bin], imaginary[bin]) = (left, right)
      if bin > 0 { (real[size - bin], imaginary[size - bin]) = (left, right) }
    }
    makeMinimumPhase(real, imaginary)
    for tap in 0..<taps {
      let weight = HeadResponses.tail(tap, of: taps)
      filter[taps - 1 - tap] = Float(real[tap] * weight)
      filter[2 * taps - 1 - tap] = Float(imaginary[tap] * weight)
    }
    var seconds = shares.reduce(0) { $0 + spectra.earDelays[$1.direction] * $1.share }
    seconds -= earDelay.seconds(
      left: (0..<taps).lazy.map { filter[taps - 1 - $0] },
      right: (0..<taps).lazy.map { filter[2 * taps - 1 - $0] })
    let limit = HeadResponses.maximumDelay
    return Float(min(max(seconds / 2, -limit), limit) * sampleRate)
  }

  private func logarithms(_ bin: Int, _ shares: [(direction: Int, share: Double)]) -> (
    Double, Double
  ) {
    let (measuredBin, part) = binPositions[bin]
    let next = min(measuredBin + 1, spectra.binCount - 1)
    var (left, right) = (0.0, 0.0)
    for (direction, share) in shares {
      let first = 2 * direction * spectra.binCount
      let second = first + spectra.binCount
      let (a, b) = (spectra.logarithms[first + measuredBin], spectra.logarithms[first + next])
      let (c, d) = (spectra.logarithms[second + measuredBin], spectra.logarithms[second + next])
      left += share * Double(a + (b - a) * part)
      right += share * Double(c + (d - c) * part)
    }
    return (left, right)
  }

  /// The weights of the measured directions near a direction: Franke and Little's, which fall to
  /// zero a little beyond the sixth nearest. A direction that was measured has all the weight.
  private func shares(of vector: SIMD3<Float>) -> [(direction: Int, share: Double)] {
    let directions = spectra.measurement.directions
    // The angles are precise to a thousandth of a radian.
    let first = spectra.measurement.nearest(to: vector)
    if (directions[first].vector * vector).sum() > 1 - 2e-6 { return [(first, 1)] }
    let distances = directions.map { Double(Elementary.arcCosine(($0.vector * vector).sum())) }
    let nearest = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
    let reach = distances[nearest[min(5, nearest.count - 1)]] * 1.2
    var shares: [(direction: Int, share: Double)] = []
    for direction in nearest {
      guard distances[direction] < reach else { break }
      let weight = (reach - distances[direction]) / (reach * distances[direction])
      shares.append((direction, weight * weight))
    }
    let sum = shares.reduce(0) { $0 + $1.share }
    return shares.map { ($0.direction, $0.share / sum) }
  }

  /// Replaces two logarithms of magnitudes by two responses: one in the real part, one in the
  /// imaginary part.
  private func makeMinimumPhase(
    _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>
  ) {
    let size = transform.count
    // Both are even, so that the forward transform is the inverse except for the scale.
    transform.forward(real, imaginary)
    let scale = 1 / Double(size)
    for index in 0..<size {
      let isDouble = index > 0 && index < size / 2
      let factor = index > size / 2 ? 0 : isDouble ? 2 * scale : scale
      real[index] *= factor
      imaginary[index] *= factor
    }
    transform.forward(real, imaginary)
    // Separates the two spectra, exponentiates them, and recombines them; conjugated, so that the
    // forward transform is the inverse.
    for bin in 0...size / 2 {
      let other = (size - bin) % size
      let left = Self.exponential(
        (real[bin] + real[other]) / 2, (imaginary[bin] - imaginary[other]) / 2)
      let right = Self.exponential(
        (imaginary[bin] + imaginary[other]) / 2, (real[other] - real[bin]) / 2)
      real[bin] = (left.real - right.imaginary) * scale
      imaginary[bin] = -(left.imaginary + right.real) * scale
      real[other] = (left.real + right.imaginary) * scale
      imaginary[other] = (left.imaginary - right.real) * scale
    }
    transform.forward(real, imaginary)
    for index in 0..<size { imaginary[index] = -imaginary[index] }
  }

  private static func exponential(_ real: Double, _ imaginary: Double) -> (
    real: Double, imaginary: Double
  ) {
    let magnitude = Math.exponential(real)
    return (magnitude * Math.cosine(imaginary), magnitude * Math.sine(imaginary))
  }
}
