// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Distorts sound in this order: a repeating echo, decimated and rounded samples, a ring modulator,
/// a polynomial, a soft clip. At the end, the unprocessed sound is mixed in.
///
/// The stages from the ring modulator to the clip run at eight times the sample rate
/// (`Oversampler`), which causes the latency. The mixes are linear. A filter at 10 Hz removes the
/// polynomial's DC offset.
struct Distortion: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_Distortion, "AUDistortion")

  static let factoryPresets = DistortionPresets.all

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case delay, decay, delayMix
    case decimation, rounding, decimationMix
    case linearTerm, squaredTerm, cubicTerm, polynomialMix
    case ringModFrequency1, ringModFrequency2, ringModBalance, ringModMix
    case softClipGain, finalMix

    var spec: ParameterSpec {
      switch self {
      case .delay, .decay, .delayMix: ownSpec.inClump(1, "Delay")
      case .decimation, .rounding, .decimationMix: ownSpec.inClump(2, "Decimation")
      case .linearTerm, .squaredTerm, .cubicTerm, .polynomialMix: ownSpec.inClump(3, "Polynomial")
      case .ringModFrequency1, .ringModFrequency2, .ringModBalance, .ringModMix:
        ownSpec.inClump(4, "Ring modulation")
      case .softClipGain, .finalMix: ownSpec
      }
    }

    private var ownSpec: ParameterSpec {
      switch self {
      case .delay:
        .init("delay", .milliseconds, 0.1...500, default: 0.1, display: .flag_DisplayLogarithmic)
      case .decay: .init("decay", .rate, 0.1...50, default: 1, display: .flag_DisplayLogarithmic)
      case .delayMix: .init("delay mix", .percent, 0...100, default: 50)
      case .decimation: .init("decimation", .percent, 0...100, default: 50)
      case .rounding: .init("rounding", .percent, 0...100, default: 0)
      case .decimationMix: .init("decimation mix", .percent, 0...100, default: 50)
      case .linearTerm: .init("linear term", .linearGain, 0...1, default: 1)
      case .squaredTerm: .init("squared term", .linearGain, 0...20, default: 0)
      case .cubicTerm: .init("cubic term", .linearGain, 0...20, default: 0)
      case .polynomialMix: .init("polynomial mix", .percent, 0...100, default: 50)
      case .ringModFrequency1:
        .init(
          "ring mod frequency 1", .hertz, 0.5...8000, default: 100,
          display: .flag_DisplayLogarithmic)
      case .ringModFrequency2:
        .init(
          "ring mod frequency 2", .hertz, 0.5...8000, default: 100,
          display: .flag_DisplayLogarithmic)
      case .ringModBalance: .init("ring mod balance", .percent, 0...100, default: 50)
      case .ringModMix: .init("ring mod mix", .percent, 0...100, default: 0)
      case .softClipGain: .init("soft clip gain", .decibels, -80...20, default: -6)
      case .finalMix: .init("final mix", .percent, 0...100, default: 50)
      }
    }
  }

  /// The lanes of `settings`.
  private enum Lane: Int {
    case delayMix, decimationMix, linear, squared, cubed, polynomialMix, ringBalance, ringMix, clip
    case finalMix
  }

  /// The state of one channel.
  private struct Channel {
    var echo: DecayingEcho
    var held: Float
    var oversampler: Oversampler
    var blocker: DCBlocker
    /// The unprocessed sound, delayed by the latency.
    var dry: UnsafeMutablePointer<Float>
  }

  private let memory = OwnedMemory()
  private let channels: UnsafeMutablePointer<Channel>
  private let channelCount: Int
  private let sampleRate: Float
  private var settings: SettingsRamp
  private var crusher = SampleCrusher()
  /// The phases of the ring modulator, and its gains for even and odd samples.
  private var phase1: UInt64 = 0
  private var phase2: UInt64 = 0
  private let ringGains: UnsafeMutablePointer<Float>
  private let ringGainCount: Int
  /// Frames that are processed at a time, so that memory stays in the cache.
  private static var longestRun: Int { @_noLocks get { 256 } }

  /// Even samples, and odd samples, for each frame at the higher rate.
  private static var samplesPerFrame: Int { @_noLocks get { Oversampler.factor / 2 } }

  /// The memory of the echoes: half a second.
  static func memory(_ setup: KernelSetup) -> Int {
    2 * setup.format.channelCount * Int(setup.format.sampleRate)
  }

  init(_ setup: KernelSetup) {
    let rate = setup.format.sampleRate
    let frames = min(setup.maximumFrames, Self.longestRun)
    sampleRate = Float(rate)
    channelCount = setup.format.channelCount
    settings = SettingsRamp(frames: Int(rate * 0.02))
    let memory = memory
    channels = memory.array(
      (0..<channelCount).map { _ in
        Channel(
          echo: DecayingEcho(longest: Int(rate * 0.5) + 1, fadeFrames: Int(rate * 0.02)), held: 0,
          oversampler: Oversampler(maximumFrames: frames),
          blocker: DCBlocker(frequency: 10, sampleRate: rate),
          dry: memory.array(Oversampler.latencyFrames + frames, of: 0))
      })
    ringGainCount = Self.samplesPerFrame * frames
    ringGains = memory.array(3 * ringGainCount, of: 0)
  }

  deinit {
    for channel in 0..<channelCount {
      channels[channel].echo.deallocate()
      channels[channel].oversampler.deallocate()
    }
    memory.deallocate()
  }

  var latencyFrames: Int { Oversampler.latencyFrames }

  // The time until the echoes and the DC blocker have decayed by 100 dB.
  func tailTime(_ values: Values) -> Double? {
    0.2 + Double(values[.delay]) / 1000 * (1 + 11.6 / Double(values[.decay]))
  }

  mutating func reset() {
    settings.reset()
    crusher.reset()
    phase1 = 0
    phase2 = 0
    for channel in 0..<channelCount {
      channels[channel].echo.reset()
      channels[channel].held = 0
      channels[channel].oversampler.reset()
      channels[channel].blocker.reset()
      channels[channel].dry.initialize(repeating: 0, count: Oversampler.latencyFrames)
    }
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    setTargets(values)
    var start = 0
    while start < slice.frameCount {
      let run = min(settings.run(of: slice.frameCount - start), Self.longestRun)
      let isRingOn = modulate(run, values)
      let crushed = crusher
      for channel in 0..<slice.channelCount {
        let samples = slice[channel] + start
        Samples.discardUnusable(samples, count: run)
        let dry = storeDry(samples, channel, run)
        addEcho(samples, channel, run, values)
        let next = crushed.crush(
          samples, count: run, setting: crusherSetting(values), mix: ramp(.decimationMix),
          held: &channels[channel].held)
        if channel == 0 { crusher = next }
        shape(samples, channel, run, isRingOn: isRingOn)
        channels[channel].blocker.process(samples, count: run)
        mix(samples, dry, run)
        Samples.move(dry + run, to: dry, count: Oversampler.latencyFrames)
      }
      settings.advance(by: run)
      start += run
    }
  }

  /// Sets the targets of the settings.
  @_noLocks
  private mutating func setTargets(_ values: Values) {
    func part(_ percent: Float) -> Float { percent / 100 }
    var target = SIMD16<Float>.zero
    target[Lane.delayMix.rawValue] = part(values[.delayMix])
    target[Lane.decimationMix.rawValue] = part(values[.decimationMix])
    target[Lane.linear.rawValue] = values[.linearTerm]
    target[Lane.squared.rawValue] = values[.squaredTerm]
    target[Lane.cubed.rawValue] = values[.cubicTerm]
    target[Lane.polynomialMix.rawValue] = part(values[.polynomialMix])
    target[Lane.ringBalance.rawValue] = part(values[.ringModBalance])
    target[Lane.ringMix.rawValue] = part(values[.ringModMix])
    target[Lane.clip.rawValue] = Elementary.exp2(
      values[.softClipGain] / Elementary.decibelsPerOctave)
    target[Lane.finalMix.rawValue] = part(values[.finalMix])
    settings.move(to: target)
  }

  /// The ramp of a setting over the next frames.
  @_noLocks
  private func ramp(_ lane: Lane) -> Waveshaper.Line {
    Waveshaper.Line(settings.values[lane.rawValue], step: settings.steps[lane.rawValue])
  }

  /// The ramp of a setting over the next even samples at the higher rate.
  @_noLocks
  private func oversampledRamp(_ lane: Lane) -> Waveshaper.Line {
    let line = ramp(lane)
    return Waveshaper.Line(line.start, step: line.step / Float(Self.samplesPerFrame))
  }

  /// Computes the gains of the ring modulator for even and odd samples; false if it is off.
  @_noLocks
  private mutating func modulate(_ count: Int, _ values: Values) -> Bool {
    let (first, second) = (values[.ringModFrequency1], values[.ringModFrequency2])
    let step1 = increment(first)
    let step2 = increment(second)
    let length = Self.samplesPerFrame * count
    let isOn = !settings.isConstant || settings.values[Lane.ringMix.rawValue] > 0
    if isOn {
      let (mix, balance) = (oversampledRamp(.ringMix), oversampledRamp(.ringBalance))
      let scratch = ringGains + 2 * ringGainCount
      for half in 0..<2 {
        let target = ringGains + half * ringGainCount
        let offset = UInt64(bitPattern: Int64(half))
        SineKernel.render(
          into: target, count: length, phase: phase1 &+ offset &* step1, increment: 2 &* step1,
          amplitude: 1)
        SineKernel.render(
          into: scratch, count: length, phase: phase2 &+ offset &* step2, increment: 2 &* step2,
          amplitude: 1)
        for index in 0..<length {
          let place = Float(index)
          let part = balance.start + balance.step * place
          let carrier = target[index] + (scratch[index] - target[index]) * part
          target[index] = 1 + (carrier - 1) * (mix.start + mix.step * place)
        }
      }
    }
    phase1 &+= UInt64(bitPattern: Int64(2 * length)) &* step1
    phase2 &+= UInt64(bitPattern: Int64(2 * length)) &* step2
    return isOn
  }

  /// Phase increment per sample at the higher rate; a cycle is 2^64.
  @_noLocks
  private func increment(_ frequency: Float) -> UInt64 {
    // At most half a cycle, in case the sample rate is extremely low.
    let cycles = Double(frequency) / (Double(Oversampler.factor) * Double(sampleRate))
    return UInt64(min(cycles, 0.5) * 0x1p64)
  }

  /// Stores the unprocessed sound; returns it delayed by the latency.
  @_noLocks
  private func storeDry(_ samples: UnsafePointer<Float>, _ channel: Int, _ count: Int)
    -> UnsafeMutablePointer<Float>
  {
    let dry = channels[channel].dry
    Samples.copy(samples, to: dry + Oversampler.latencyFrames, count: count)
    return dry
  }

  @_noLocks
  private func addEcho(
    _ samples: UnsafeMutablePointer<Float>, _ channel: Int, _ count: Int,
    _ values: Values
  ) {
    channels[channel].echo.process(
      samples, count: count, delay: max(1, Int(values[.delay] / 1000 * sampleRate + 0.5)),
      feedback: Elementary.exp2(values[.decay] * -1.442_695), mix: ramp(.delayMix))
  }

  @_noLocks
  private func crusherSetting(_ values: Values) -> SampleCrusher.Setting {
    SampleCrusher.Setting(
      decimation: values[.decimation] / 100, rounding: values[.rounding] / 100,
      sampleRate: sampleRate)
  }

  @_noLocks
  private func shape(
    _ samples: UnsafeMutablePointer<Float>, _ channel: Int, _ count: Int, isRingOn: Bool
  ) {
    let shaper = Waveshaper(
      linear: oversampledRamp(.linear), squared: oversampledRamp(.squared),
      cubed: oversampledRamp(.cubed), mix: oversampledRamp(.polynomialMix),
      gain: oversampledRamp(.clip))
    let oversampler = channels[channel].oversampler
    let length = Self.samplesPerFrame * count
    oversampler.upsample(samples, count: count)
    if isRingOn {
      LinkedLevel.scale(oversampler.evenSamples, by: ringGains, count: length)
      LinkedLevel.scale(oversampler.oddSamples, by: ringGains + ringGainCount, count: length)
    }
    shaper.shape(oversampler.evenSamples, count: length)
    shaper.atOddSamples.shape(oversampler.oddSamples, count: length)
    channels[channel].oversampler.downsample(samples, count: count)
  }

  @_noLocks
  private func mix(
    _ samples: UnsafeMutablePointer<Float>, _ dry: UnsafePointer<Float>, _ count: Int
  ) {
    let mix = ramp(.finalMix)
    for index in 0..<count {
      samples[index] =
        dry[index] + (samples[index] - dry[index]) * (mix.start + mix.step * Float(index))
    }
  }
}
