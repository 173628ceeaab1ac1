// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The render half of a graphic equaliser: gains at fixed frequencies, and the filter cascade that
/// realises them.
///
/// It owns memory: the kernel that holds it deallocates it.
struct GraphicBands: BitwiseCopyable {
  /// The frequencies of the ten octave bands around 1 kHz, and of the 31 third-octave bands.
  static let octaves = (-5...4).map { 1000 * Math.power(2, Double($0)) }
  static let thirds = (-17...13).map { 1000 * Math.power(2, Double($0) / 3) }

  /// A frequency as equalisers label it: 31.5 Hz, 63 Hz, 125 Hz, and 1k Hz for 1,000 Hz.
  static func name(of frequency: Double) -> String {
    // The preferred numbers for tenths of a decade, which are almost thirds of octaves.
    let preferred = [1.0, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8]
    let tenth = Int((10 * Math.decimalLogarithm(frequency)).rounded())
    let hertz = preferred[tenth % 10] * Math.power(10, Double(tenth / 10))
    let (number, unit) = hertz < 1_000 ? (hertz, "") : (hertz / 1_000, "k")
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    let fraction = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest)"
    return "\(whole)\(fraction)\(unit) Hz"
  }

  /// The largest number of bands.
  static var maximumCount: Int { @_noLocks get { 31 } }

  private let tens: GraphicDesign
  private let thirties: GraphicDesign
  private let cascade: FilterCascade
  private let sampleRate: Double
  private let memory = OwnedMemory()
  private let targetGains: UnsafeMutablePointer<Double>
  private let gains: UnsafeMutablePointer<Double>
  private var isUpToDate = false
  private var hasThirds = false

  init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    tens = GraphicDesign(frequencies: Self.octaves, octaves: 1, sampleRate: sampleRate)
    thirties = GraphicDesign(frequencies: Self.thirds, octaves: 1.0 / 3, sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: Self.maximumCount, channelCount: channelCount, sampleRate: sampleRate)
    targetGains = memory.array(Self.maximumCount, of: 0)
    gains = memory.array(Self.maximumCount, of: 0)
  }

  func deallocate() {
    tens.deallocate()
    thirties.deallocate()
    cascade.deallocate()
    memory.deallocate()
  }

  @_noLocks
  func reset() { cascade.reset() }

  /// [render thread] Sets the gain of a band in decibels; `update` applies it to the filters.
  @_noLocks
  mutating func setGain(_ decibels: Double, band: Int) {
    guard targetGains[band] != decibels else { return }
    targetGains[band] = decibels
    isUpToDate = false
  }

  /// [render thread] Sets whether there are 31 bands rather than ten.
  @_noLocks
  mutating func setThirds(_ thirds: Bool) {
    guard hasThirds != thirds else { return }
    hasThirds = thirds
    isUpToDate = false
  }

  /// [render thread] Sets a linear gain for all bands.
  @_noLocks
  func setOverallGain(_ gain: Double) { cascade.setGain(gain) }

  /// [render thread] Moves the filters to their targets: linearly within `frames` if given, or else
  /// as fast as possible without a click.
  @_noLocks
  mutating func update(within frames: Int? = nil) {
    guard !isUpToDate else { return }
    isUpToDate = true
    for band in 0..<Self.maximumCount { gains[band] = 0 }
    let design = hasThirds ? thirties : tens
    design.solve(gains, targets: targetGains)
    for band in 0..<Self.maximumCount {
      let section =
        hasThirds || band < 10 ? design.section(band, decibels: gains[band]) : FilterSection.flat
      if let frames, !cascade.isFresh {
        cascade.follow(band, to: section, within: frames)
      } else {
        cascade.set(band, to: section)
      }
    }
  }

  /// [render thread] Filters a slice in place.
  @_noLocks
  func process(_ slice: Slice) { cascade.process(slice) }

  /// The tail in seconds of a band with a gain in decibels. The gain of its bell may be more than
  /// twice as large, because neighbouring bands may counteract it.
  @_noLocks
  func tailTime(_ decibels: Double, band: Int, thirds: Bool) -> Double {
    guard decibels != 0 else { return 0 }
    let design = thirds ? thirties : tens
    let section = design.section(
      band,
      decibels: min(
        max(2.7 * decibels, -GraphicDesign.maximumGain), GraphicDesign.maximumGain))
    return section.memoryFrames(decibels: 120) / sampleRate
  }

  /// The filters for gains in decibels, with 31 bands or ten.
  static func sections(_ gains: [Double], hasThirds: Bool, sampleRate: Double) -> [FilterSection] {
    var bands = GraphicBands(sampleRate: sampleRate, channelCount: 1)
    defer { bands.deallocate() }
    for (band, gain) in gains.enumerated() { bands.setGain(gain, band: band) }
    bands.setThirds(hasThirds)
    bands.update()
    let design = hasThirds ? bands.thirties : bands.tens
    return (0..<(hasThirds ? 31 : 10)).map { design.section($0, decibels: bands.gains[$0]) }
  }
}
