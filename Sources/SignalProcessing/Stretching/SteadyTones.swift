// SPDX-License-Identifier: Apache-2.0

/// Tones that sound before a hit and may go on under it: what of the sound after the hit is theirs.
///
/// Each is followed from the last spectrum without the hit: in every frame that holds the hit it is
/// where its own frequency has turned it to. As much of what comes after the hit as agrees with
/// that is counted to the sound before, which continues in phase; the rest is the hit. A tone that
/// ends there, or drowns, takes nothing with it. Plain memory for the render thread.
struct SteadyTones: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 64 } }
  /// Bins of a tone: at most so many on each side of its highest.
  private static var widest: Int { @_noLocks get { 6 } }
  private static var stride: Int { @_noLocks get { 2 * widest + 1 } }

  private let channelCount: Int
  private let size: Int
  private let bins: UnsafeMutablePointer<Int>
  /// By how much each turns in a hop: cosine and sine.
  private let turns: UnsafeMutablePointer<(Float, Float)>
  /// What each is by itself, at `place`.
  private let spectra: StretchSpectra
  private var count = 0
  private var place = 0
  private var hop = 1
  /// By how many bins the zeroes of the window lie apart.
  private var spacing = 1

  /// [control thread] For spectra of `size` samples.
  init(channelCount: Int, size: Int, in memory: OwnedMemory) {
    self.channelCount = channelCount
    self.size = size
    bins = memory.array(Self.capacity, of: 0)
    turns = memory.array(Self.capacity, of: (1, 0))
    spectra = StretchSpectra(
      channelCount: channelCount, count: Self.capacity * Self.stride, in: memory)
  }

  /// [render thread] Forgets the tones, for those of spectra that were read at a place, of frames that are
  /// `hop` apart; their windows' zeroes lie `spacing` bins apart, at most two.
  @_noLocks
  mutating func begin(at place: Int, hop: Int, spacing: Int) {
    (count, self.place, self.hop, self.spacing) = (0, place, hop, spacing)
  }

  /// [render thread] Adds the tone at a peak; eight bins on both sides must be there.
  @_noLocks
  mutating func add(_ peak: Int, _ spectrum: StretchSpectra) {
    guard count < Self.capacity else { return }
    var bin = peak
    if power(spectrum, peak - 1) > power(spectrum, bin) { bin = peak - 1 }
    if power(spectrum, peak + 1) > power(spectrum, bin) { bin = peak + 1 }
    let (below, above) = (power(spectrum, bin - spacing), power(spectrum, bin + spacing))
    // Of Hann's window the bins beside a tone tell where between them it lies.
    let ratio = Math.squareRoot(max(below, above) / (power(spectrum, bin) + 1e-30))
    let away = (2 * ratio - 1) / (1 + ratio) * Float(above > below ? spacing : -spacing)
    bins[count] = bin
    turns[count] = turn(Double(bin) + Double(away))
    let width = 3 * spacing
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

  /// Cosine and sine of the angle by which a frequency, in bins, turns in a hop.
  @_noLocks
  private func turn(_ bin: Double) -> (Float, Float) {
    let turns = bin * Double(hop) / Double(size)
    let quarters = 4 * (turns - Elementary.floor(turns + 0.5))
    let distance = abs(quarters)
    let sine = Elementary.sine(quarters: distance > 1 ? 2 - distance : distance)
    return (Float(Elementary.sine(quarters: 1 - distance)), Float(quarters < 0 ? -sine : sine))
  }

  /// [render thread] Does a unit of the next frame's work, which was read at a place: moves to `before` what
  /// the tones have of `frame` after the hit, in the bins that are not kept anyway.
  @_noLocks
  mutating func advance(
    _ unit: Int, of units: Int, at place: Int, _ frame: StretchSpectra, before: StretchSpectra,
    keep: UnsafePointer<Float>
  ) {
    if unit == 0 {
      // After a jump no tones are followed.
      if place - self.place != hop { count = 0 }
      self.place = place
    }
    for tone in count * unit / units..<count * (unit + 1) / units {
      let share = follow(tone, frame, before)
      let width = 3 * spacing
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

  /// Turns a tone on to the next frame. Which share of it continues after the hit, from 0 to 1:
  /// what the sound after it and that of the tone have in common.
  @_noLocks
  private func follow(_ tone: Int, _ frame: StretchSpectra, _ before: StretchSpectra) -> Float {
    let (cosine, sine) = turns[tone]
    let width = 3 * spacing
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
