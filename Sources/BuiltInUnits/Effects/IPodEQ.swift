// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// An equaliser with a choice of named curves, and no parameters.
///
/// A curve preserves the headroom: it is lowered by its largest boost, so that it amplifies no
/// tone. Between the bands a curve may be up to 0.5 dB higher than at them.
struct IPodEQ: FilterKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ, "AUiPodEQ")
  static let channels: [AUChannelInfo]? = [
    .init(inChannels: 1, outChannels: 1), .init(inChannels: 2, outChannels: 2),
  ]

  typealias Parameter = NoParameters

  /// The current curve, which hosts select by preset.
  enum Setting: SettingKey {
    case curve

    var spec: SettingSpec { .own(default: 0) }
  }

  static let factoryPresets = curves.enumerated().map { number, curve in
    FactoryPreset(Int32(clamping: number), curve.name, Setting.curve, Float(number))
  }

  /// Gains in decibels at 31 Hz and each octave above it up to 16 kHz, before `headroom`.
  private static let curves: [(name: String, gains: [Double])] = [
    ("Disabled", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("Acoustic", [5, 5, 4, 1, 2, 2, 3.5, 4, 3.5, 2]),
    ("Bass Booster", [5.5, 4.5, 3.5, 2.5, 1, 0, 0, 0, 0, 0]),
    ("Bass Reducer", [-5.5, -4.5, -3.5, -2.5, -1, 0, 0, 0, 0, 0]),
    ("Classical", [4.5, 4, 3, 2.5, -1.5, -1.5, 0, 2, 3, 4]),
    ("Dance", [3.5, 6.5, 5, 0, 2, 3.5, 5, 4.5, 3.5, 0]),
    ("Deep", [5, 3.5, 2, 1, 3, 2.5, 1.5, -2, -3.5, -4.5]),
    ("Electronic", [4.5, 4, 1, 0, -2, 2, 1, 1, 4, 5]),
    ("Flat", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("Hip Hop", [5, 4, 1.5, 3, -1, -1, 1.5, -0.5, 2, 3]),
    ("Jazz", [4, 3, 1.5, 2, -1.5, -1.5, 0, 1.5, 3, 4]),
    ("Latin", [4.5, 3, 0, 0, -1.5, -1.5, -1.5, 0, 3, 4.5]),
    ("Loudness", [6, 4, 0, 0, -2, 0, -1, -5, 5, 1]),
    ("Lounge", [-3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1]),
    ("Piano", [3, 2, 0, 2.5, 3, 1.5, 3.5, 4.5, 3, 3.5]),
    ("Pop", [-1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5]),
    ("R&B", [2.5, 7, 5.5, 1.5, -2, -1.5, 2.5, 2.5, 3, 4]),
    ("Rock", [5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5]),
    ("Small Speakers", [5.5, 4.5, 3.5, 2.5, 1, 0, -1, -2.5, -3.5, -4.5]),
    ("Spoken Word", [-3.5, -0.5, 0, 0.5, 3.5, 4.5, 5, 4.5, 2.5, 0]),
    ("Treble Booster", [0, 0, 0, 0, 0, 1, 2.5, 3.5, 4.5, 5.5]),
    ("Treble Reducer", [0, 0, 0, 0, 0, -1, -2.5, -3.5, -4.5, -5.5]),
    ("Vocal Booster", [-1.5, -3, -3, 1.5, 3.5, 3.5, 3, 1.5, 0, -1.5]),
  ]

  /// The gain that lowers a curve by its largest boost, and by half a decibel for the ripple
  /// between its bands.
  private static func headroom(_ gains: [Double]) -> Double {
    let boost = gains.max() ?? 0
    return boost > 0 ? Elementary.gain(decibels: -boost - 0.5) : 1
  }

  private var bands: GraphicBands
  private let memory = OwnedMemory()
  /// The gains of all curves, one after another.
  private let table: UnsafeMutablePointer<Double>
  private let headrooms: UnsafeMutablePointer<Double>

  init(_ setup: KernelSetup) {
    bands = GraphicBands(
      sampleRate: setup.format.sampleRate, channelCount: setup.format.channelCount)
    table = memory.array(Self.curves.flatMap(\.gains))
    headrooms = memory.array(Self.curves.map { Self.headroom($0.gains) })
  }

  deinit {
    bands.deallocate()
    memory.deallocate()
  }

  mutating func reset() { bands.reset() }

  func tailTime(_ values: Values) -> Double? {
    let curve = Int(values[.curve])
    var longest = 0.0
    for band in 0..<10 {
      longest = max(
        longest, bands.tailTime(table[curve * 10 + band], band: band, thirds: false))
    }
    return longest
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    let curve = Int(values[.curve])
    for band in 0..<10 { bands.setGain(table[curve * 10 + band], band: band) }
    bands.setOverallGain(headrooms[curve])
    bands.update()
    bands.process(slice)
  }

  static func filters(_ values: Values, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let gains = curves[Int(values[.curve])].gains
    return (
      GraphicBands.sections(gains, hasThirds: false, sampleRate: sampleRate), headroom(gains)
    )
  }
}
