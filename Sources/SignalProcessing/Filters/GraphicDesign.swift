// SPDX-License-Identifier: Apache-2.0

/// Peaking filters whose gains at their own frequencies are exact, whatever their neighbours'
/// gains.
///
/// The bells overlap, so that gains set one by one add up to too much. How much of each is heard at
/// the others' frequencies is a matrix, whose inverse gives the gains of the bells; four shortened steps
/// of Newton's method with the same inverse make up for what is not linear in decibels. After V. Välimäki
/// and J. Liski, "Accurate Cascade Graphic Equalizer" (2017). As theirs, the bells are wider than the
/// distance from one to the next, so that gains that are equal are so between the bands too.
public struct GraphicDesign: BitwiseCopyable, @unchecked Sendable {
  private let design: FilterDesign
  /// Bands below half the sample rate; those above are flat.
  private let count: Int
  private let memory = OwnedMemory()
  private let frequencies: UnsafeMutablePointer<Double>
  private let qualities: UnsafeMutablePointer<Double>
  private let inverse: UnsafeMutablePointer<Double>
  /// By frequency and bell: (1 - x^2)^2 and x^2, with x the frequency over the bell's, both warped.
  private let distances: UnsafeMutablePointer<Double>
  private let squares: UnsafeMutablePointer<Double>
  private let errors: UnsafeMutablePointer<Double>

  /// The most decibels of a bell.
  public static var greatestGain: Double { @_noLocks get { 54 } }

  /// [control thread] Bands at `frequencies` in Hz, so many octaves from one to the next.
  public init(frequencies centres: [Double], octaves: Double, sampleRate: Double) {
    design = FilterDesign(sampleRate: sampleRate)
    let centres = centres.filter { $0 < 0.48 * sampleRate }
    count = centres.count
    frequencies = memory.array(max(count, 1), of: 0)
    qualities = memory.array(max(count, 1), of: 0)
    inverse = memory.array(max(count * count, 1), of: 0)
    distances = memory.array(max(count * count, 1), of: 0)
    squares = memory.array(max(count * count, 1), of: 0)
    errors = memory.array(max(count, 1), of: 0)
    let warped = centres.map { Elementary.tangent(halfTurns: $0 / sampleRate) }
    for bell in 0..<count {
      frequencies[bell] = centres[bell]
      qualities[bell] = design.q(centres[bell], octaves: 1.5 * octaves)
      for place in 0..<count {
        let square = (warped[place] / warped[bell]) * (warped[place] / warped[bell])
        squares[place * count + bell] = square
        distances[place * count + bell] = (1 - square) * (1 - square)
      }
    }
    let typical = 12.0
    let shares = (0..<count * count).map { index in
      level(place: index / count, bell: index % count, decibels: typical) / typical
    }
    let solved = Self.inverted(shares, count)
    for index in solved.indices { inverse[index] = solved[index] }
  }

  /// [control thread] Frees the memory; copies of it share it.
  public func deallocate() {
    memory.deallocate()
  }

  /// Decibels of a bell at the frequency of a band.
  @_noLocks
  private func level(place: Int, bell: Int, decibels: Double) -> Double {
    let a = Elementary.gain(decibels: decibels / 2)
    let (distance, square) = (distances[place * count + bell], squares[place * count + bell])
    let width = square / (qualities[bell] * qualities[bell])
    let ratio = (distance + width * a * a) / (distance + width / (a * a))
    return 3.010_299_956_639_812 * Elementary.log2(ratio)
  }

  /// [render thread] Turns the gains in decibels at the bands' frequencies into those of the bells, in
  /// place.
  @_noLocks
  public func solve(_ gains: UnsafeMutablePointer<Double>, wanted: UnsafePointer<Double>) {
    for bell in 0..<count { gains[bell] = 0 }
    for step in 0..<5 {
      for place in 0..<count {
        var level = 0.0
        if step > 0 {
          for bell in 0..<count {
            level += self.level(place: place, bell: bell, decibels: gains[bell])
          }
        }
        errors[place] = wanted[place] - level
      }
      for bell in 0..<count {
        var correction = 0.0
        for place in 0..<count { correction += inverse[bell * count + place] * errors[place] }
        if step > 0 { correction *= 0.7 }
        let gain = gains[bell] + correction
        gains[bell] = min(max(gain, -Self.greatestGain), Self.greatestGain)
      }
    }
  }

  /// [render thread] The bell of a band, flat where the band lies too high.
  @_noLocks
  public func section(_ bell: Int, decibels: Double) -> FilterSection {
    guard bell < count else { return .flat }
    return design.bell(frequencies[bell], q: qualities[bell], decibels: decibels)
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
