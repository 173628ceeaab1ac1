// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// An equaliser with ten octave bands or 31 third-octave bands. At the frequency of a band the gain
/// is exactly the band's, whatever the neighbouring bands are set to.
struct GraphicEQ: FilterKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, kAudioUnitSubType_GraphicEQ, "AUGraphicEQ")

  /// The gains of the bands, then the number of bands.
  struct Parameter: ParameterKey {
    static let numberOfBands = Parameter(band: 31)

    let band: UInt8

    @_noLocks
    init(band: Int) { self.band = UInt8(truncatingIfNeeded: band) }

    init?(rawValue: AudioUnitParameterID) {
      guard rawValue < 31 || rawValue == kGraphicEQParam_NumberOfBands else { return nil }
      self.init(band: rawValue < 31 ? Int(rawValue) : 31)
    }

    var rawValue: AudioUnitParameterID {
      band < 31 ? AudioUnitParameterID(band) : kGraphicEQParam_NumberOfBands
    }

    var slot: Int { @_noLocks get { Int(band) } }

    static let allCases = (0...31).map { Parameter(band: $0) }

    /// The frequency of the band; for the first ten bands also the frequency when there are ten.
    private var name: String {
      let third = GraphicBands.name(of: GraphicBands.thirds[Int(band)])
      guard band < 10 else { return third }
      return "\(third) (of 10 bands: \(GraphicBands.name(of: GraphicBands.octaves[Int(band)])))"
    }

    var spec: ParameterSpec {
      band < 31
        ? .init(name, .decibels, -20...20, default: 0, shortRamps: true)
        : .init(
          "number of bands", .indexed, 0...1, default: 1, valueNames: ["10 bands", "31 bands"])
    }
  }

  private var bands: GraphicBands

  init(_ setup: KernelSetup) {
    bands = GraphicBands(
      sampleRate: setup.format.sampleRate, channelCount: setup.format.channelCount)
  }

  deinit { bands.deallocate() }

  mutating func reset() { bands.reset() }

  func tailTime(_ values: Values) -> Double? {
    let thirds = values[Parameter(band: 31)] >= 0.5
    var longest = 0.0
    for band in 0..<31 where thirds || band < 10 {
      let gain = Double(values[Parameter(band: band)])
      longest = max(longest, bands.tailTime(gain, band: band, thirds: thirds))
    }
    return longest
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    if values.beginsPiece { follow(values) }
    bands.process(slice)
  }

  @_noLocks
  private mutating func follow(_ values: Values) {
    var ramps = false
    for band in 0..<31 {
      let key = Parameter(band: band)
      let step = values.step(key)
      if step != 0 { ramps = true }
      let end = values[key] + step * Float(values.pieceFrames)
      bands.setGain(Double(end), band: band)
    }
    bands.setThirds(values[Parameter(band: 31)] >= 0.5)
    bands.update(within: ramps ? values.pieceFrames : nil)
  }

  static func filters(_ values: Values, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let gains = (0..<31).map { Double(values[Parameter(band: $0)]) }
    return (
      GraphicBands.sections(
        gains, hasThirds: values[.numberOfBands] >= 0.5, sampleRate: sampleRate), 1
    )
  }
}
