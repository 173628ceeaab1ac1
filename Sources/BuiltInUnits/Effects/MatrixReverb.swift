// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Two rooms in parallel, a small one for the early sound and a large one for the late sound. Their
/// delays are modulated at an adjustable rate, and an equaliser filters their sum.
///
/// Apple documents the names and ranges of the parameters; their exact effect is this unit's own.
/// Sizes and delays are times. Densities are the gains of the diffusers. Delay ranges spread the
/// lengths of a room's delay lines. Brightnesses are the ratio of the highest frequencies' decay
/// time to the lowest ones'.
struct MatrixReverb: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_MatrixReverb, "AUMatrixReverb")
  static let channels: [AUChannelInfo]? = [
    .init(inChannels: 1, outChannels: 1), .init(inChannels: 1, outChannels: 2),
    .init(inChannels: 2, outChannels: 2),
  ]

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case dryWetMix, smallLargeMix, smallSize, largeSize, preDelay, largeDelay
    case smallDensity, largeDensity, largeDelayRange, smallBrightness, largeBrightness
    case smallDelayRange, modulationRate, modulationDepth
    case filterFrequency, filterBandwidth, filterGain

    var spec: ParameterSpec {
      switch self {
      case .dryWetMix, .smallLargeMix, .preDelay: ownSpec
      case .smallSize, .smallDensity, .smallBrightness, .smallDelayRange:
        ownSpec.inClump(1, "Small room")
      case .largeSize, .largeDelay, .largeDensity, .largeBrightness, .largeDelayRange:
        ownSpec.inClump(2, "Large room")
      case .modulationRate, .modulationDepth: ownSpec.inClump(3, "Modulation")
      case .filterFrequency, .filterBandwidth, .filterGain: ownSpec.inClump(4, "Filter")
      }
    }

    private var ownSpec: ParameterSpec {
      switch self {
      case .dryWetMix: .init("dry/wet mix", .equalPowerCrossfade, 0...100, default: 100)
      case .smallLargeMix: .init("small/large mix", .equalPowerCrossfade, 0...100, default: 50)
      case .smallSize: .init("small size", .seconds, 0.005...0.02, default: 0.006)
      case .largeSize: .init("large size", .seconds, 0.4...10, default: 3.07)
      case .preDelay: .init("pre-delay", .seconds, 0.001...0.03, default: 0.025)
      case .largeDelay: .init("large delay", .seconds, 0.001...0.1, default: 0.035)
      case .smallDensity: .init("small density", .generic, 0...1, default: 0.28)
      case .largeDensity: .init("large density", .generic, 0...1, default: 0.82)
      case .largeDelayRange: .init("large delay range", .generic, 0...1, default: 0.3)
      case .smallBrightness: .init("small brightness", .generic, 0.1...1, default: 0.96)
      case .largeBrightness: .init("large brightness", .generic, 0.1...1, default: 0.49)
      case .smallDelayRange: .init("small delay range", .generic, 0...1, default: 0.5)
      case .modulationRate: .init("modulation rate", .hertz, 0.001...2, default: 1)
      case .modulationDepth: .init("modulation depth", .generic, 0...1, default: 0.2)
      case .filterFrequency:
        .init(
          "filter frequency", .hertz, 10...20_000, default: 800, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic)
      case .filterBandwidth: .init("filter bandwidth", .octaves, 0.05...4, default: 3)
      case .filterGain: .init("filter gain", .decibels, -18...18, default: 0)
      }
    }
  }

  static let factoryPresets: [FactoryPreset] = RoomPreset.allCases.map { room in
    let values = room.matrixReverb
    return FactoryPreset(
      room.rawValue, room.name,
      [
        kReverbParam_DryWetMix: values.mix,
        kReverbParam_SmallLargeMix: values.smallLargeMix,
        kReverbParam_SmallSize: values.smallSize,
        kReverbParam_LargeSize: values.largeSize,
        kReverbParam_PreDelay: values.preDelay,
        kReverbParam_LargeDelay: values.largeDelay,
        kReverbParam_SmallDensity: 0.6,
        kReverbParam_LargeDensity: 0.85,
        kReverbParam_LargeDelayRange: 0.6,
        kReverbParam_LargeBrightness: values.largeBrightness,
      ])
  }

  /// The delays of the input to the small room and to the large one.
  private var early: IntegerDelay
  private var late: IntegerDelay
  private var small: LateReverberation
  private var large: LateReverberation
  /// Mixes the two rooms, and then the rooms with the input.
  private var rooms: WetMixer
  private var mixer: WetMixer
  private let filter: FilterCascade
  private let design: FilterDesign
  private var designValues = SIMD4<Float>(repeating: .nan)
  private let memory = OwnedMemory()
  /// Memory for both channels of the delayed input.
  private let input: UnsafeMutablePointer<Float>
  private let sides: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let sampleRate: Double

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    early = IntegerDelay(
      channelCount: 2, longestDelay: Int(0.03 * sampleRate) + 1, sampleRate: sampleRate,
      isOffline: setup.isOffline)
    late = IntegerDelay(
      channelCount: 2, longestDelay: Int(0.1 * sampleRate) + 1, sampleRate: sampleRate,
      isOffline: setup.isOffline)
    small = LateReverberation(
      longest: 0.05, sampleRate: sampleRate, isOffline: setup.isOffline)
    large = LateReverberation(longest: 0.2, sampleRate: sampleRate, isOffline: setup.isOffline)
    rooms = WetMixer(sampleRate: sampleRate)
    mixer = WetMixer(sampleRate: sampleRate)
    design = FilterDesign(sampleRate: sampleRate)
    filter = .allocate(sectionCount: 1, channelCount: 2, sampleRate: sampleRate)
    input = memory.array(2 * Self.runFrames, of: 0)
    sides = memory.array([input, input + Self.runFrames])
  }

  deinit {
    early.deallocate()
    late.deallocate()
    small.deallocate()
    large.deallocate()
    rooms.deallocate()
    mixer.deallocate()
    filter.deallocate()
    memory.deallocate()
  }

  private static var runFrames: Int { @_noLocks get { FilterCascade.maximumFrames } }

  func tailTime(_ values: Values) -> Double? {
    let rooms = max(
      LateReverberation.tailTime(Self.small(values)),
      Double(values[.largeDelay]) + LateReverberation.tailTime(Self.large(values)))
    let filter = Self.section(values, design).memoryFrames(decibels: 120) / sampleRate
    return Double(values[.preDelay]) + rooms + filter
  }

  mutating func reset() {
    early.reset()
    late.reset()
    small.reset()
    large.reset()
    rooms.reset()
    mixer.reset()
    filter.reset()
    designValues = SIMD4(repeating: .nan)
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    apply(values)
    slice.silenceInvalidSamples()
    let left = slice[0]
    let right = slice[slice.channelCount > 1 ? 1 : 0]
    var done = 0
    while done < slice.frameCount {
      let run = min(slice.frameCount - done, Self.runFrames)
      Samples.copy(left + done, to: sides[0], count: run)
      Samples.copy(right + done, to: sides[1], count: run)
      early.render(sides, offset: 0, count: run)
      small.render(sides[0], sides[1], into: mixer.left, mixer.right, count: run)
      late.render(sides, offset: 0, count: run)
      large.render(sides[0], sides[1], into: rooms.left, rooms.right, count: run)
      rooms.mix(into: mixer.left, mixer.right, count: run)
      equalise(run)
      mixer.mix(into: left + done, right + done, count: run)
      done += run
    }
  }

  @_noLocks
  private mutating func apply(_ values: Values) {
    early.set(Int(Double(values[.preDelay]) * sampleRate))
    late.set(Int(Double(values[.largeDelay]) * sampleRate))
    small.set(Self.small(values))
    large.set(Self.large(values))
    let sizes = EqualPowerMix(percent: values[.smallLargeMix])
    rooms.set(dry: sizes.dry, wet: sizes.wet)
    let mix = EqualPowerMix(percent: values[.dryWetMix])
    mixer.set(dry: mix.dry, wet: mix.wet)
    let section = SIMD4(
      values[.filterFrequency], values[.filterBandwidth], values[.filterGain], 0)
    if any(section .!= designValues) {
      designValues = section
      filter.set(0, to: Self.section(values, design))
    }
  }

  @_noLocks
  private func equalise(_ count: Int) {
    let (left, right) = (filter.samples(0), filter.samples(1))
    for index in 0..<count {
      left[index] = Double(mixer.left[index])
      right[index] = Double(mixer.right[index])
    }
    filter.run(count)
    for index in 0..<count {
      mixer.left[index] = Float(left[index])
      mixer.right[index] = Float(right[index])
    }
  }

  // MARK: From parameters to settings

  /// The small room: its size is the time of its middle delay line; it decays in twenty times that.
  @_noLocks
  private static func small(_ values: Values) -> LateReverberation.Settings {
    let size = Double(values[.smallSize])
    return room(
      middle: size, range: values[.smallDelayRange], decay: 20 * size,
      brightness: values[.smallBrightness], density: values[.smallDensity], values)
  }

  /// The large room: its size is its decay time; its delay lines are longer in a larger room.
  @_noLocks
  private static func large(_ values: Values) -> LateReverberation.Settings {
    let size = Double(values[.largeSize])
    return room(
      middle: 0.02 + 0.006 * size, range: values[.largeDelayRange], decay: size,
      brightness: values[.largeBrightness], density: values[.largeDensity], values)
  }

  @_noLocks
  private static func room(
    middle: Double, range: Float, decay: Double, brightness: Float, density: Float,
    _ values: Values
  ) -> LateReverberation.Settings {
    var settings = LateReverberation.Settings()
    // Lines of equal length would ring, so part of the range is always applied.
    let spread = 0.3 + 0.5 * Double(range)
    settings.shortest = middle * (1 - spread)
    settings.longest = middle * (1 + spread)
    settings.lowDecay = decay
    settings.highDecay = decay * Double(brightness)
    settings.diffusion = 0.7 * density
    settings.motionRate = Double(values[.modulationRate])
    settings.motionDepth = Double(values[.modulationDepth])
    return settings
  }

  @_noLocks
  private static func section(_ values: Values, _ design: FilterDesign)
    -> FilterSection
  {
    let frequency = Double(values[.filterFrequency])
    return design.bell(
      frequency, q: design.q(frequency, octaves: Double(values[.filterBandwidth])),
      decibels: Double(values[.filterGain]))
  }
}
