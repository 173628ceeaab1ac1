// SPDX-License-Identifier: Apache-2.0

/// Peaking filters whose gains at their own frequencies are exact, whatever the gains of their
/// neighbours.
///
/// The bells overlap, so that gains set independently add up to too much. A matrix holds the effect
/// of each bell at the others' frequencies; its inverse gives the gains of the bells. Four damped
/// steps of Newton's method with the same inverse correct what is not linear in decibels. After V.
/// Välimäki and J. Liski, "Accurate Cascade Graphic Equalizer" (2017). As in theirs, the bells are
/// wider than the band spacing, so that equal gains are also flat between the bands.
public struct GraphicDesign: BitwiseCopyable, @unchecked Sendable {
  private let design: FilterDesign
  /// Bands below half the sample rate; higher ones are flat.
  private let count: Int
  private let memory = OwnedMemory()
  private let frequencies: UnsafeMutablePointer<Double>
  private let qFactors: UnsafeMutablePointer<Double>
  private let inverse: UnsafeMutablePointer<Double>
  /// By frequency and bell: (1 - x^2)^2 and x^2, with x the frequency over the bell's, both warped.
  private let distances: UnsafeMutablePointer<Double>
  private let squares: UnsafeMutablePointer<Double>
  private let errors: UnsafeMutablePointer<Double>

  /// Maximum gain of a bell in decibels.
  public static var maximumGain: Double { @_noLocks get { 54 } }

  /// [control thread] Makes bands at `frequencies` in Hz, which are `octaves` apart.
  public init(frequencies centres: [Double], octaves: Double, sampleRate: Double) {
    design = FilterDesign(sampleRate: sampleRate)
    let centres = centres.filter { $0 < 0.48 * sampleRate }
    count = centres.count
    frequencies = memory.array(max(count, 1), of: 0)
    qFactors = memory.array(max(count, 1), of: 0)
    inverse = memory.array(max(count * count, 1), of: 0)
    distances = memory.array(max(count * count, 1), of: 0)
    squares = memory.array(max(count * count, 1), of: 0)
    errors = memory.array(max(count, 1), of: 0)
    let warped = centres.map { Elementary.tangent(halfTurns: $0 / sampleRate) }
    for bell in 0..<count {
      frequencies[bell] = centres[bell]
      qFactors[bell] = design.q(centres[bell], octaves: 1.5 * octaves)
      for band in 0..<count {
        let square = (warped[band] / warped[bell]) * (warped[band] / warped[bell])
        squares[band * count + bell] = square
        distances[band * count + bell] = (1 - square) * (1 - square)
      }
    }
    let typical = 12.0
    let shares = (0..<count * count).map { index in
      level(band: index / count, bell: index % count, decibels: typical) / typical
    }
    let solved = Self.inverted(shares, count)
    for index in solved.indices { inverse[index] = solved[index] }
  }

  /// [control thread] Frees the memory, which copies share.
  public func deallocate() {
    memory.deallocate()
  }

  /// The gain of a bell at the frequency of a band, in decibels.
  @_noLocks
  private func level(band: Int, bell: Int, decibels: Double) -> Double {
    let a = Elementary.gain(decibels: decibels / 2)
    let (distance, square) = (distances[band * count + bell], squares[band * count + bell])
    let width = square / (qFactors[bell] * qFactors[bell])
    let ratio = (distance + width * a * a) / (distance + width / (a * a))
    return 3.010_299_956_639_812 * Elementary.log2(ratio)
  }

  /// [render thread] Computes the gains of the bells from the target gains at the bands'
  /// frequencies, all in decibels.
  @_noLocks
  public func solve(_ gains: UnsafeMutablePointer<Double>, targets: UnsafePointer<Double>) {
    for bell in 0..<count { gains[bell] = 0 }
    for step in 0..<5 {
      for band in 0..<count {
        var level = 0.0
        if step > 0 {
          for bell in 0..<count {
            level += self.level(band: band, bell: bell, decibels: gains[bell])
          }
        }
        errors[band] = targets[band] - level
      }
      for bell in 0..<count {
        var correction = 0.0
        for band in 0..<count { correction += inverse[bell * count + band] * errors[band] }
        if step > 0 { correction *= 0.7 }
        let gain = gains[bell] + correction
        gains[bell] = min(max(gain, -Self.maximumGain), Self.maximumGain)
      }
    }
  }

  /// [render thread] The bell of a band, or flat where the band is too high.
  @_noLocks
  public func section(_ bell: Int, decibels: Double) -> FilterSection {
    guard bell < count else { return .flat }
    return design.bell(frequencies[bell], q: qFactors[bell], decibels: decibels)
  }

  /// The inverse of a matrix whose diagonal dominates, by Gauss and Jordan.
  private static func inverted(_ matrix: [Double], _ count: Int) -> [Double] {
    var left = matrix
    var right = (0..<count * count).map { $0 / max(count, 1) == $0 % max(count, 1) ? 1.0 : 0 }
    for pivot in 0..<count {
      let scale = 1 / left[pivot * count + pivot]
      for column in 0..<count {
        left[pivot * count + column] *= scale
        right[pivot * count + column] *= scale
      }
      for row in 0..<count where row != pivot {
        let factor = left[row * count + pivot]
        for column in 0..<count {
          left[row * count + column] -= factor * left[pivot * count + column]
          right[row * count + column] -= factor * right[pivot * count + column]
        }
      }
    }
    return right
  }
}
