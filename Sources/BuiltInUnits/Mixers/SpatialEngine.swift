// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// What the 3D mixers have in common: their sources, the speakers or the head, and the output's gain.
///
/// Plain memory; whoever made it deallocates it.
struct SpatialEngine {
  /// What they have in common before there is one.
  static let elements = ElementCounts(inputs: 8, outputs: 1, inputRange: 1...1024)
  static let channels: [AUChannelInfo]? = (1...8).map { .init(inChannels: -1, outChannels: $0) }
  /// Seconds for which a head still sounds.
  static let tailTime = 0.005

  private let sources: UnsafeMutablePointer<SpatialSource>
  private let count: Int
  private let around: SpatialSource.Surroundings
  private let tailFrames: Int
  private var output = Fader()

  /// [control thread]
  init(_ setup: KernelSetup) {
    let rate = setup.format.sampleRate
    let head = SphericalHead(sampleRate: rate)
    count = setup.inputFormats.count
    sources = .allocate(capacity: max(count, 1))
    for index in 0..<count {
      (sources + index).initialize(to: SpatialSource(longestDelay: head.longestDelay))
    }
    let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 3 * SpatialSource.pieceFrames)
    scratch.initialize(repeating: 0, count: 3 * SpatialSource.pieceFrames)
    around = SpatialSource.Surroundings(
      speakers: SpeakerRing(channelCount: setup.format.channelCount), head: head,
      fade: Fader.frames(at: rate),
      shadeFactor: Self.shadeFactor(at: rate),
      scratch: scratch)
    tailFrames = Int((Self.tailTime * rate).rounded(.up))
  }

  /// [control thread] The factor of a low-pass filter at 5 kHz in its trapezoidal form.
  private static func shadeFactor(at sampleRate: Double) -> Float {
    let slope = Math.tangent(.pi * min(5_000 / sampleRate, 0.45))
    return Float(slope / (1 + slope))
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() {
    for index in 0..<count { sources[index].deallocate() }
    sources.deallocate()
    around.speakers.deallocate()
    around.scratch.deallocate()
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() {
    for index in 0..<count { sources[index].reset() }
    output.reset()
  }

  /// In what the limits of the gain are given.
  enum GainLimits: BitwiseCopyable { case decibels, linear }

  /// [render thread] Adds an input as its settings have it; `steps` is how its place changes per frame.
  @_noLocks
  func add(
    _ input: Slice, _ bus: Int, _ settings: SpatialSettings, steps: SIMD4<Float>, to target: Slice
  ) {
    if input.isSilent, sources[bus].isQuiet(input.frameCount, after: tailFrames) { return }
    if !input.isSilent { sources[bus].wake() }
    sources[bus].render(input, to: target, settings, steps: steps, around)
  }

  /// [render thread] Applies the output's gain in decibels.
  @_noLocks
  mutating func finish(_ target: Slice, gain: Float, step: Float) {
    var frame = 0
    if step == 0 {
      output.follow(
        SpatialSettings.linear(gain), step: 0, frames: target.frameCount, fade: around.fade)
      if !output.isMoving, output.value == 1 { return }
    }
    while frame < target.frameCount {
      var piece = target.frameCount - frame
      if step != 0 {
        piece = min(piece, 16)
        let start = SpatialSettings.linear(gain + step * Float(frame))
        let end = SpatialSettings.linear(gain + step * Float(frame + piece))
        output.follow(start, step: (end - start) / Float(piece), frames: piece, fade: around.fade)
      } else if output.isMoving {
        piece = min(piece, output.framesRemaining)
      }
      for channel in 0..<target.channelCount {
        MixKernel.scale(
          target[channel] + frame, count: piece, gain: output.value, step: output.step)
      }
      output.advance(piece)
      frame += piece
    }
  }
}

extension ParameterSpec {
  /// Parameters that both 3D mixers have on their inputs.
  static let azimuth = input("azimuth", .degrees, -180...180, 0, ramps: true)
  static let elevation = input("elevation", .degrees, -90...90, 0, ramps: true)
  static let distance = input("distance", .meters, 0...10_000, 0, ramps: true)
  static let playbackRate = input("playback rate", .rate, 0.5...2, 1)
  static let enabled = input("enable", .boolean, 0...1, 1)
  static let occlusion = input("occlusion attenuation", .decibels, -100...0, 0)
  static let obstruction = input("obstruction attenuation", .decibels, -100...0, 0)
  /// Of inputs and of the output.
  static let decibelGain = Self("gain", .decibels, -120...20, default: 0, ramps: true)
    .on(kAudioUnitScope_Input, kAudioUnitScope_Output)

  /// A parameter of input elements.
  static func input(
    _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
    _ defaultValue: Float, ramps: Bool = false
  ) -> Self {
    Self(name, unit, range, default: defaultValue, scope: kAudioUnitScope_Input, ramps: ramps)
  }
}

extension KernelProperty {
  /// The properties of the inputs of both 3D mixers, kept under these keys.
  static func spatial<Key: ParameterKey>(
    algorithm: Key, flags: Key, sourceMode: Key, curve: Key, distances: (Key, Key, Key)
  ) -> [KernelProperty] {
    let inputs = [kAudioUnitScope_Input]
    return [
      .choice(
        kAudioUnitProperty_SpatializationAlgorithm, algorithm, of: [0, 1, 2, 4, 5, 6], in: inputs),
      .choice(kAudioUnitProperty_SpatialMixerRenderingFlags, flags, of: [0, 1, 4, 5], in: inputs),
      .choice(kAudioUnitProperty_SpatialMixerSourceMode, sourceMode, of: [0, 1, 2], in: inputs),
      .choice(
        kAudioUnitProperty_SpatialMixerAttenuationCurve, curve, of: [0, 1, 2, 3], in: inputs),
      .numbers(
        kAudioUnitProperty_SpatialMixerDistanceParams,
        [
          (distances.0, 0.001...10_000), (distances.1, 0.001...10_000), (distances.2, 0...200),
        ], typeName: "MixerDistanceParams", in: inputs),
    ]
  }
}
