// SPDX-License-Identifier: Apache-2.0

/// Tones that sound before an onset and may continue under it: finds their share of the sound after
/// the onset.
///
/// Each tone is extrapolated from the last spectrum without the onset: in every frame that contains
/// the onset, it is rotated by its own frequency. The part of the sound after the onset that agrees
/// with it is added to the sound before, which continues in phase; the rest belongs to the onset. A
/// tone that ends there, or is masked, removes nothing. Uses plain memory on the render thread.
struct SteadyTones: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 64 } }
  /// Bins of a tone on each side of its highest bin.
  private static var width: Int { @_noLocks get { 3 } }
  private static var stride: Int { @_noLocks get { 2 * width + 1 } }

  private let channelCount: Int
  private let size: Int
  private let bins: UnsafeMutablePointer<Int>
  /// The rotation of each tone in a hop: cosine and sine.
  private let rotations: UnsafeMutablePointer<(Float, Float)>
  /// The extrapolated spectrum of each tone, at `position`.
  private let spectra: StretchSpectra
  private var count = 0
  private var position = 0
  private var hop = 1
  /// The level of a tone in the bin beside its own.
  private var neighbour: Float = 0.5

  /// [control thread] Makes a list for spectra of `size` samples.
  init(channelCount: Int, size: Int, in memory: OwnedMemory) {
    self.channelCount = channelCount
    self.size = size
    bins = memory.array(Self.capacity, of: 0)
    rotations = memory.array(Self.capacity, of: (1, 0))
    spectra = StretchSpectra(
      channelCount: channelCount, count: Self.capacity * Self.stride, in: memory)
  }

  /// [render thread] Removes all tones, and sets the position of the spectrum from which new ones
  /// are added. Frames are `hop` apart; `neighbour` is the level of a tone in the bin beside its
  /// own, relative to that in its own.
  @_noLocks
  mutating func begin(at position: Int, hop: Int, neighbour: Float) {
    (count, self.position, self.hop, self.neighbour) = (0, position, hop, neighbour)
  }

  /// [render thread] Adds the tone at a peak, which must be at least eight bins from both ends.
  @_noLocks
  mutating func add(_ peak: Int, _ spectrum: StretchSpectra) {
    guard count < Self.capacity else { return }
    var bin = peak
    if power(spectrum, peak - 1) > power(spectrum, bin) { bin = peak - 1 }
    if power(spectrum, peak + 1) > power(spectrum, bin) { bin = peak + 1 }
    let (below, above) = (power(spectrum, bin - 1), power(spectrum, bin + 1))
    // The adjacent bins give the frequency of a tone: with a Hann window exactly, with a bent one
    // within 0.003 bins.
    let ratio = Math.squareRoot(max(below, above) / (power(spectrum, bin) + 1e-30))
    let distance = (ratio - neighbour) / (2 * (1 - neighbour) - 0.5 * (1 - ratio))
    let binOffset = above > below ? distance : -distance
    bins[count] = bin
    rotations[count] = rotation(Double(bin) + Double(binOffset))
    let width = Self.width
    for channel in 0..<channelCount {
      let (from, to) = (spectrum[channel], spectra[channel])
      for index in 0...2 * width {
        to.real[count * Self.stride + index] = from.real[bin - width + index]
        to.imaginary[count * Self.stride + index] = from.imaginary[bin - width + index]
      }
    }
    count += 1
  }

  @_noLocks
  private func power(_ spectrum: StretchSpectra, _ bin: Int) -> Float {
    var sum: Float = 0
    for channel in 0..<channelCount {
      let (real, imaginary) = (spectrum[channel].real[bin], spectrum[channel].imaginary[bin])
      sum += real * real + imaginary * imaginary
    }
    return sum
  }

  /// Cosine and sine of the phase advance of a frequency, in bins, over a hop.
  @_noLocks
  private func rotation(_ bin: Double) -> (Float, Float) {
    let cycles = bin * Double(hop) / Double(size)
    let quarters = 4 * (cycles - Elementary.floor(cycles + 0.5))
    let distance = abs(quarters)
    let sine = Elementary.sine(quarters: distance > 1 ? 2 - distance : distance)
    return (Float(Elementary.sine(quarters: 1 - distance)), Float(quarters < 0 ? -sine : sine))
  }

  /// [render thread] Does a unit of work for the next frame, which was read at a position: moves
  /// the tones' share of `frame` after the onset to `before`, except in bins that are kept anyway.
  @_noLocks
  mutating func advance(
    _ unit: Int, of units: Int, at position: Int, _ frame: StretchSpectra, before: StretchSpectra,
    keep: UnsafePointer<Float>
  ) {
    if unit == 0 {
      // After a jump no tones are tracked.
      if position - self.position != hop { count = 0 }
      self.position = position
    }
    for tone in count * unit / units..<count * (unit + 1) / units {
      let share = track(tone, frame, before)
      let width = Self.width
      for channel in 0..<channelCount {
        let (own, target) = (spectra[channel], before[channel])
        for index in 0...2 * width {
          let (at, bin) = (tone * Self.stride + index, bins[tone] - width + index)
          guard keep[bin] == 0 else { continue }
          target.real[bin] += share * (own.real[at] - target.real[bin])
          target.imaginary[bin] += share * (own.imaginary[at] - target.imaginary[bin])
        }
      }
    }
  }

  /// Advances a tone to the next frame. Returns its share that continues after the onset, from 0 to
  /// 1: the correlation of the sound after the onset with the tone.
  @_noLocks
  private func track(_ tone: Int, _ frame: StretchSpectra, _ before: StretchSpectra) -> Float {
    let (cosine, sine) = rotations[tone]
    let width = Self.width
    var (common, all): (Float, Float) = (0, 0)
    for channel in 0..<channelCount {
      let own = spectra[channel]
      let (whole, past) = (frame[channel], before[channel])
      for index in 0...2 * width {
        let (at, bin) = (tone * Self.stride + index, bins[tone] - width + index)
        let (real, imaginary) = (own.real[at], own.imaginary[at])
        own.real[at] = real * cosine - imaginary * sine
        own.imaginary[at] = real * sine + imaginary * cosine
        let (r, i) = (own.real[at] - past.real[bin], own.imaginary[at] - past.imaginary[bin])
        common += (whole.real[bin] - past.real[bin]) * r
        common += (whole.imaginary[bin] - past.imaginary[bin]) * i
        all += r * r + i * i
      }
    }
    return all > 0 ? min(max(common / all, 0), 1) : 0
  }
}
