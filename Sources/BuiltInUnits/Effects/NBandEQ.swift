// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Up to 64 filters of eleven kinds in series, and a gain.
///
/// A bypassed band costs no time. Any change of a band is free of clicks, even of its type or its
/// bypass.
struct NBandEQ: FilterKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ, "AUNBandEQ")
  static let maximumBandCount = 64

  /// The global gain, then the parameters of the bands by kind. An identifier is 1000 times the
  /// kind plus the number of the band.
  struct Parameter: ParameterKey {
    enum Kind: UInt8, CaseIterable { case globalGain, bypass, type, frequency, gain, bandwidth }

    let kind: Kind
    let band: UInt8

    @_noLocks
    init(_ kind: Kind, _ band: Int = 0) {
      self.kind = kind
      self.band = UInt8(truncatingIfNeeded: band)
    }

    init?(rawValue: AudioUnitParameterID) {
      let (kind, band) = (rawValue / 1000, rawValue % 1000)
      guard kind < 6, let known = Kind(rawValue: UInt8(clamping: kind)),
        band < (kind == 0 ? 1 : NBandEQ.maximumBandCount)
      else { return nil }
      self.init(known, Int(band))
    }

    var rawValue: AudioUnitParameterID { UInt32(kind.rawValue) * 1000 + UInt32(band) }

    var slot: Int {
      @_noLocks get {
        let row = Int(kind.rawValue)
        return row == 0 ? 0 : 1 + (row - 1) * NBandEQ.bands + Int(band)
      }
    }

    static let allCases: [Parameter] =
      [.init(.globalGain)]
      + Kind.allCases.dropFirst().flatMap { kind in
        (0..<NBandEQ.maximumBandCount).map { Parameter(kind, $0) }
      }

    var spec: ParameterSpec {
      switch kind {
      case .globalGain:
        .init("global gain", .decibels, -96...24, default: 0, shortRamps: true)
      default: bandSpec.inClump(UInt32(band) + 1, "Band \(band + 1)")
      }
    }

    private var bandSpec: ParameterSpec {
      switch kind {
      case .globalGain, .bypass: .init("bypass \(band + 1)", .boolean, 0...1, default: 1)
      case .type:
        .init(
          "type \(band + 1)", .indexed, 0...10, default: 0, valueNames: BandFilter.typeNames)
      case .frequency:
        .filterFrequency("frequency \(band + 1)", 20...384_000, default: 1000)
      case .gain: .init("gain \(band + 1)", .decibels, -96...24, default: 0, shortRamps: true)
      case .bandwidth:
        .init("bandwidth \(band + 1)", .octaves, 0.05...5, default: 0.5, shortRamps: true)
      }
    }
  }

  private static var bands: Int { @_noLocks get { 64 } }

  private let cascade: FilterCascade
  private let design: FilterDesign
  private let sampleRate: Double
  /// The generation of the parameters from which the filters were designed, and the values of each
  /// band.
  private var generation: UInt32 = 0
  private let known: UnsafeMutablePointer<SIMD8<Float>>

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    design = FilterDesign(sampleRate: sampleRate)
    cascade = .allocate(
      sectionCount: Self.maximumBandCount, channelCount: setup.format.channelCount,
      sampleRate: sampleRate)
    known = .allocate(capacity: Self.maximumBandCount)
    known.initialize(repeating: SIMD8(repeating: .nan), count: Self.maximumBandCount)
  }

  deinit {
    cascade.deallocate()
    known.deallocate()
  }

  mutating func reset() { cascade.reset() }

  func tailTime(_ values: Values) -> Double? {
    // The tails of sections in series add up.
    var frames = 0.0
    for band in 0..<Self.bands {
      frames += Self.section(Self.bandValues(band, values), design).memoryFrames(decibels: 100)
    }
    return frames / sampleRate
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    if values.beginsPiece, generation != values.generation {
      generation = values.generation
      for band in 0..<Self.bands { update(band, values, values.pieceFrames) }
      let (gain, step) = (values[Parameter(.globalGain)], values.step(Parameter(.globalGain)))
      if step == 0 {
        cascade.setGain(Self.gain(gain))
      } else {
        cascade.followGain(
          from: Self.gain(gain), to: Self.gain(gain + step * Float(values.pieceFrames)),
          within: values.pieceFrames)
      }
    }
    cascade.process(slice)
  }

  /// Designs a band again if one of its parameters has changed or ramps within a piece of these frames.
  @_noLocks
  private func update(_ band: Int, _ values: Values, _ frames: Int) {
    let now = Self.bandValues(band, values)
    let steps = SIMD8(
      0, 0, values.step(Parameter(.frequency, band)), values.step(Parameter(.gain, band)),
      values.step(Parameter(.bandwidth, band)), 0, 0, 0)
    if any(steps .!= 0) {
      known[band] = SIMD8(repeating: .nan)
      cascade.begin(band, at: Self.section(now, design))
      cascade.follow(
        band, to: Self.section(now + steps * Float(frames), design), within: frames)
    } else if any(now .!= known[band]) {
      known[band] = now
      cascade.set(band, to: Self.section(now, design))
    }
  }

  @_noLocks
  private static func gain(_ decibels: Float) -> Double {
    FilterDesign.q(resonance: Double(decibels))
  }

  /// Bypass, type, frequency, gain and bandwidth of a band.
  @_noLocks
  private static func bandValues(_ band: Int, _ values: Values) -> SIMD8<Float> {
    SIMD8(
      values[Parameter(.bypass, band)], values[Parameter(.type, band)],
      values[Parameter(.frequency, band)], values[Parameter(.gain, band)],
      values[Parameter(.bandwidth, band)], 0, 0, 0)
  }

  /// The filter of a band for its values.
  @_noLocks
  private static func section(_ bandValues: SIMD8<Float>, _ design: FilterDesign) -> FilterSection {
    guard bandValues[0] == 0 else { return .flat }
    return BandFilter.section(
      Int32(bandValues[1]), Double(bandValues[2]), decibels: Double(bandValues[3]),
      octaves: Double(bandValues[4]), design)
  }

  static func filters(_ values: Values, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) {
    let design = FilterDesign(sampleRate: sampleRate)
    return (
      (0..<maximumBandCount).map { section(bandValues($0, values), design) },
      gain(values[Parameter(.globalGain)])
    )
  }
}

/// The unit of `NBandEQ`: hosts can set its number of bands.
final class NBandEQUnit: FilterUnit, @unchecked Sendable {
  private var bandCount = 16

  override init(component: Component, definition: UnitDefinition, filters: @escaping Filters) {
    super.init(component: component, definition: definition, filters: filters)
    parametersChanged()
  }

  override var properties: [UnitProperty] { super.properties + Self.bandProperties }

  override var ownState: [String: PropertyList] { [Self.bandsKey: .integer(bandCount)] }

  override func restoreOwnState(_ state: PropertyList) throws(AudioError) {
    guard let count = state[Self.bandsKey]?.integer, count != bandCount else { return }
    guard (1...NBandEQ.maximumBandCount).contains(count) else {
      throw .invalidPropertyValue.because(
        "the state has \(count) bands; expected 1 to \(NBandEQ.maximumBandCount)")
    }
    guard !isInitialized else {
      throw .initialized.because(
        "the state has \(count) bands, the unit \(bandCount); uninitialize the unit first")
    }
    bandCount = count
    parametersChanged()
  }

  private static let bandsKey = "number-of-bands"

  override func hasParameter(_ id: AudioUnitParameterID) -> Bool {
    id < 1000 || id % 1000 < AudioUnitParameterID(clamping: bandCount)
  }

  private static let bandProperties = PropertyRow<NBandEQUnit>.rows([
    .value(
      kAUNBandEQProperty_NumberOfBands, in: [kAudioUnitScope_Global],
      writable: .uninitialized(
        .initialized.because(
          "the number of bands is fixed while the unit is initialized; uninitialize the unit first"
        )
      ),
      get: { unit, _ in UInt32(clamping: unit.bandCount) },
      set: { (unit, _, count) throws(AudioError) in
        guard (1...UInt32(clamping: NBandEQ.maximumBandCount)).contains(count) else {
          throw .invalidPropertyValue.because(
            "\(count) bands; expected 1 to \(NBandEQ.maximumBandCount)")
        }
        unit.bandCount = Int(count)
        unit.parametersChanged()
      }),
    .value(
      kAUNBandEQProperty_MaxNumberOfBands, in: [kAudioUnitScope_Global],
      reading: { _ in UInt32(clamping: NBandEQ.maximumBandCount) }),
    .array(
      kAUNBandEQProperty_BiquadCoefficients, in: [kAudioUnitScope_Global],
      get: { unit, _ in
        unit.presentFilters().sections.prefix(unit.bandCount).flatMap { section -> [Float64] in
          let biquad = section.biquad
          return [biquad.b0, biquad.b1, biquad.b2, biquad.a1, biquad.a2]
        }
      }),
  ])
}

extension UnitDefinition {
  /// The equaliser with up to 64 bands.
  static var bandEqualizer: Self {
    var definition = Self.effect(NBandEQ.self)
    definition.makeUnit = { component, definition in
      NBandEQUnit(component: component, definition: definition) { values, rate in
        NBandEQ.filters(KernelValues(values), sampleRate: rate)
      }
    }
    return definition
  }
}
