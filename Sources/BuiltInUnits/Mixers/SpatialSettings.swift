// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The values of one input of a 3D mixer for a slice.
struct SpatialSettings: BitwiseCopyable {
  /// How a source is passed to the outputs.
  enum Routing: BitwiseCopyable {
    case equalPower, vectorBased, sphere, head, fineHead, passThrough

    /// Whether the source is not placed around the listener.
    var isPassThrough: Bool { @_noLocks get { index == 5 } }

    /// A number for comparisons.
    var index: Int {
      @_noLocks get {
        switch self {
        case .equalPower: 0
        case .vectorBased: 1
        case .sphere: 2
        case .head: 3
        case .fineHead: 4
        case .passThrough: 5
        }
      }
    }
  }

  /// Azimuth and elevation in degrees clockwise and upwards, distance in metres, gain in decibels;
  /// these can ramp.
  var position = SIMD4<Float>.zero
  var isOn: Float = 1
  /// Limits of the gain, linear.
  var minimumGain: Float = 0
  var maximumGain: Float = 10
  /// Decibels, 0 or less.
  var occlusion: Float = 0
  var obstruction: Float = 0
  var algorithm: Float = 0
  /// 1 for headphones, otherwise speakers; for algorithm 7.
  var outputType: Float = 3
  var renderingFlags: Float = 5
  var sourceMode: Float = 0
  var curve: Float = 0
  var referenceDistance: Float = 1
  var maximumDistance: Float = 100
  var maximumAttenuation: Float = 40
  /// How much of the sound is sent to the room, in percent, and whether there is a room.
  var reverbBlend: Float = 0
  var hasRoom = false
  /// The orientation of the listener's head, and the measured head, if there is one.
  var head = HeadOrientation()
  var measuredHead: HeadResponses?

  /// Makes the initial settings.
  @_noLocks
  init() {}

  /// [render thread] Whether any value other than the measured head differs.
  @_noLocks
  func differs(from other: SpatialSettings) -> Bool {
    position != other.position || isOn != other.isOn || minimumGain != other.minimumGain
      || maximumGain != other.maximumGain || occlusion != other.occlusion
      || obstruction != other.obstruction || algorithm != other.algorithm
      || outputType != other.outputType
      || renderingFlags != other.renderingFlags || sourceMode != other.sourceMode
      || curve != other.curve || referenceDistance != other.referenceDistance
      || maximumDistance != other.maximumDistance
      || maximumAttenuation != other.maximumAttenuation || reverbBlend != other.reverbBlend
      || hasRoom != other.hasRoom || head.yaw != other.head.yaw
      || head.pitch != other.head.pitch || head.roll != other.head.roll
  }

  /// The routing of a source with some number of channels to some number of outputs, by the
  /// algorithm of `kAudioUnitProperty_SpatializationAlgorithm`. If there is no measured head, the
  /// sphere is used instead.
  @_noLocks
  func routing(from channels: Int, to outputs: Int) -> Routing {
    let isPlaced = channels == 1 || sourceMode == 2
    if !isPlaced || sourceMode == 1 || algorithm == 5 { return .passThrough }
    let isForSpeakers = algorithm == 7 && outputType != 1
    if algorithm == 4 || isForSpeakers { return .vectorBased }
    guard algorithm == 1 || algorithm == 2 || algorithm == 6 || algorithm == 7 else {
      return .equalPower
    }
    guard outputs == 2 else { return .vectorBased }
    if algorithm == 1 || measuredHead == nil { return .sphere }
    return algorithm == 6 ? .fineHead : .head
  }

  /// The head model and direction for a routing.
  @_noLocks
  func binauralSetup(_ routing: Routing) -> BinauralRenderer.Setup {
    let model: BinauralRenderer.Model =
      switch routing {
      case .sphere: .sphere
      case .head, .fineHead: .measured
      case .equalPower, .vectorBased, .passThrough: .none
      }
    var direction = SIMD3<Float>(0, 1, 0)
    if case .none = model {
    } else {
      direction = head.relativeDirection(
        azimuth: position.x, elevation: min(max(position.y, -90), 90))
    }
    return BinauralRenderer.Setup(
      model: model, direction: direction, delaysEars: delaysEars, head: measuredHead,
      quality: routing.index == 4 ? .fine : .plain)
  }

  private var flags: Int { @_noLocks get { Elementary.whole(Double(renderingFlags)) } }

  /// Whether distance attenuates, and whether the ears receive the sound at different times.
  var attenuates: Bool { @_noLocks get { flags & 4 != 0 } }
  var delaysEars: Bool { @_noLocks get { flags & 1 != 0 } }

  /// The gain of a level in decibels, limited to 20; -120 and less is silence.
  @_noLocks
  static func linear(_ level: Float) -> Float {
    level <= -120 ? 0 : Decibels.gain(ofLevel: min(level, 20))
  }

  /// [render thread] The gain from an input to an output.
  @_noLocks
  func gain(_ input: Slice, _ output: Slice) -> Float {
    gain(isPlaced: !routing(from: input.channelCount, to: output.channelCount).isPassThrough)
  }

  /// The gain of the sound, between its limits.
  @_noLocks
  func gain(isPlaced: Bool) -> Float {
    guard isOn != 0 else { return 0 }
    var gain = Self.linear(position.w)
    if attenuates, isPlaced {
      let attenuation = DistanceAttenuation(
        curve: .init(rawValue: Int32(truncatingIfNeeded: Elementary.whole(Double(curve))))
          ?? .power,
        reference: referenceDistance, maximum: maximumDistance,
        maximumAttenuation: maximumAttenuation)
      gain *= attenuation.gain(at: position.z)
    }
    return min(max(gain, minimumGain), max(minimumGain, maximumGain))
  }

  /// The gains above 5 kHz behind an obstacle or a wall. Obstruction attenuates only the direct
  /// sound; occlusion also attenuates the sound that is sent to the room.
  @_noLocks
  func highFrequencyGains() -> (direct: Float, room: Float) {
    let wall = min(max(occlusion, -100), 0)
    let level = wall + min(max(obstruction, -100), 0)
    return (
      level == 0 ? 1 : Decibels.gain(ofLevel: level), wall == 0 ? 1 : Decibels.gain(ofLevel: wall)
    )
  }

  /// The gains of the direct sound and of the send to the room.
  @_noLocks
  func blend() -> (direct: Float, room: Float) {
    guard hasRoom else { return (1, 0) }
    let mix = EqualPowerMix(percent: reverbBlend)
    return (mix.dry, mix.wet)
  }
}
