// SPDX-License-Identifier: Apache-2.0

// How the filters of a head are made of its measurement: a fifth of a second of work at 48 kHz.
extension HeadResponses {
  /// Works out the filters of a measured head at a sample rate. [control thread]
  ///
  /// Of each direction of the grid the logarithms of the equalised magnitudes are taken from the
  /// nearest measured ones, and made minimum-phase through the cepstrum (Oppenheim and Schafer,
  /// "Discrete-time signal processing", 1989). What the onset of that response lacks to the
  /// measured one is the delay; of the delays only the difference between both ears counts.
  public init(_ measurement: HeadMeasurement, sampleRate: Double) {
    let taps = Self.taps(at: sampleRate)
    var size = 1_024
    while size < 8 * taps { size *= 2 }
    let designer = FilterDesigner(HeadSpectra(measurement), sampleRate: sampleRate, size: size)
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
            // All directions of a pole are one.
            let first = row * Self.columns
            Samples.copy(filters + 2 * taps * first, to: filter, count: 2 * taps)
            delays[index] = delays[first]
            continue
          }
          let place = Self.place(
            azimuth: 5 * Double(column), elevation: 10 * Double(row) - 90)
          delays[index] = designer.design(place, filter, taps: taps, real, imaginary)
        }
      }
    }
    self.init(filters: filters, delays: delays, taps: taps, in: memory)
  }
}

/// Makes filters of the spectra of a head.
private struct FilterDesigner: ~Copyable {
  private let spectra: HeadSpectra
  private let sampleRate: Double
  private let transform: FourierTransform
  /// Where each bin of the filter lies among those of the measurement.
  private let places: [(bin: Int, part: Float)]

  init(_ spectra: HeadSpectra, sampleRate: Double, size: Int) {
    self.spectra = spectra
    self.sampleRate = sampleRate
    transform = FourierTransform(count: size)
    // Near half the rate of the measurement its own filters fall: what is there holds beyond.
    let last = Int(Double(spectra.binCount - 1) * 0.9)
    places = (0...size / 2).map { bin in
      let frequency = Double(bin) * sampleRate / Double(size)
      let place = min(frequency / spectra.spacing, Double(last))
      return (min(Int(place), last), Float(place - Double(min(Int(place), last))))
    }
  }

  /// Writes both ears' filters for a direction, backwards in time. Answers with the frames by which the
  /// left ear is later than the middle of both.
  func design(
    _ place: SIMD3<Float>, _ filter: UnsafeMutablePointer<Float>, taps: Int,
    _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>
  ) -> Float {
    let size = transform.count
    let shares = shares(of: place)
    // The left ear's logarithms as the real part, the right one's as the imaginary part.
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
    var seconds = SIMD2<Double>.zero
    for (direction, share) in shares { seconds += spectra.onsets[direction] * share }
    let own = SIMD2(
      HeadMeasurement.onset((0..<taps).map { filter[taps - 1 - $0] }),
      HeadMeasurement.onset((0..<taps).map { filter[2 * taps - 1 - $0] }))
    let frames = seconds * sampleRate - own
    let most = HeadResponses.mostSeconds * sampleRate
    return Float(min(max((frames.x - frames.y) / 2, -most), most))
  }

  private func logarithms(_ bin: Int, _ shares: [(direction: Int, share: Double)]) -> (
    Double, Double
  ) {
    let (place, part) = places[bin]
    let next = min(place + 1, spectra.binCount - 1)
    var (left, right) = (0.0, 0.0)
    for (direction, share) in shares {
      let first = 2 * direction * spectra.binCount
      let second = first + spectra.binCount
      let (a, b) = (spectra.logarithms[first + place], spectra.logarithms[first + next])
      let (c, d) = (spectra.logarithms[second + place], spectra.logarithms[second + next])
      left += share * Double(a + (b - a) * part)
      right += share * Double(c + (d - c) * part)
    }
    return (left, right)
  }

  /// How much the measured directions near a place count: by Franke and Little's weights, which fall
  /// from the place to a little beyond the sixth nearest. One that was measured counts alone.
  private func shares(of place: SIMD3<Float>) -> [(direction: Int, share: Double)] {
    let directions = spectra.measurement.directions
    // A thousandth of a radian is the precision of the angles.
    let first = spectra.measurement.nearest(to: place)
    if (directions[first].place * place).sum() > 1 - 2e-6 { return [(first, 1)] }
    let distances = directions.map { Double(Elementary.arcCosine(($0.place * place).sum())) }
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

  /// Replaces two logarithms of magnitudes by two responses: one as the real part, one as the imaginary
  /// part.
  private func makeMinimumPhase(
    _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>
  ) {
    let size = transform.count
    // Both are even, so that forwards is backwards but for the scale.
    transform.forward(real, imaginary)
    let scale = 1 / Double(size)
    for index in 0..<size {
      let isDouble = index > 0 && index < size / 2
      let factor = index > size / 2 ? 0 : isDouble ? 2 * scale : scale
      real[index] *= factor
      imaginary[index] *= factor
    }
    transform.forward(real, imaginary)
    // Their spectra apart, to the power of e, and together again; conjugate, so that forwards is
    // backwards.
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
