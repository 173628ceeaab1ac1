// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// What a host says of one input of a 3D mixer, as it holds for a slice.
struct SpatialSettings: BitwiseCopyable {
  /// How a source gets to the outputs.
  enum Way: BitwiseCopyable {
    case equalPower, vectorBased, sphere, head, fineHead, passThrough

    /// Whether nothing is placed.
    var passes: Bool { @_noLocks get { number == 5 } }

    /// Tells one from the other.
    var number: Int {
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

  /// Degrees clockwise and upwards, metres, decibels: lanes 0 to 3, which ramp.
  var place = SIMD4<Float>.zero
  var isOn: Float = 1
  /// Limits of the gain, linear.
  var minimumGain: Float = 0
  var maximumGain: Float = 10
  /// Decibels, 0 or less.
  var occlusion: Float = 0
  var obstruction: Float = 0
  var algorithm: Float = 0
  /// Headphones 1, else speakers: what algorithm 7 asks for.
  var outputType: Float = 3
  var renderingFlags: Float = 5
  var sourceMode: Float = 0
  var curve: Float = 0
  var referenceDistance: Float = 1
  var maximumDistance: Float = 100
  var maximumAttenuation: Float = 40
  /// How much of the sound fills the room, in percent, and whether there is a room.
  var reverbBlend: Float = 0
  var hasRoom = false
  /// How the listener's head is turned, and the head that was measured, if there is one.
  var head = HeadOrientation()
  var measuredHead: HeadResponses?

  /// As they are at first.
  @_noLocks
  init() {}

  /// [render thread] Whether something was changed.
  @_noLocks
  func differs(from other: SpatialSettings) -> Bool {
    place != other.place || isOn != other.isOn || minimumGain != other.minimumGain
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

  /// How a source of so many channels gets to so many outputs, by the algorithm that
  /// `kAudioUnitProperty_SpatializationAlgorithm` numbers. Where there is no measured head, the sphere
  /// stands in for it.
  @_noLocks
  func way(from channels: Int, to outputs: Int) -> Way {
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

  /// Where the sound comes from for the ears of a way.
  @_noLocks
  func aim(_ way: Way) -> SpatialEars.Aim {
    let model: SpatialEars.Model =
      switch way {
      case .sphere: .sphere
      case .head, .fineHead: .measured
      case .equalPower, .vectorBased, .passThrough: .none
      }
    var direction = SIMD3<Float>(0, 1, 0)
    if case .none = model {
    } else {
      direction = head.relativeDirection(azimuth: place.x, elevation: min(max(place.y, -90), 90))
    }
    return SpatialEars.Aim(
      model: model, place: direction, delaysEars: delaysEars, head: measuredHead,
      quality: way.number == 4 ? .fine : .plain)
  }

  private var flags: Int { @_noLocks get { Elementary.whole(Double(renderingFlags)) } }

  /// Whether distance attenuates, and whether the ears hear at different times.
  var attenuates: Bool { @_noLocks get { flags & 4 != 0 } }
  var delaysEars: Bool { @_noLocks get { flags & 1 != 0 } }

  /// Gain of a level in decibels, from -120 (and silence) to 20.
  @_noLocks
  static func linear(_ level: Float) -> Float {
    level <= -120 ? 0 : Decibels.gain(ofLevel: min(level, 20))
  }

  /// [render thread] The gain of an input on its way to an output.
  @_noLocks
  func gain(_ input: Slice, _ output: Slice) -> Float {
    gain(isPlaced: !way(from: input.channelCount, to: output.channelCount).passes)
  }

  /// The gain of the sound, between its limits.
  @_noLocks
  func gain(isPlaced: Bool) -> Float {
    guard isOn != 0 else { return 0 }
    var gain = Self.linear(place.w)
    if attenuates, isPlaced {
      let attenuation = DistanceAttenuation(
        curve: .init(rawValue: Int32(truncatingIfNeeded: Elementary.whole(Double(curve))))
          ?? .power,
        reference: referenceDistance, maximum: maximumDistance,
        maximumAttenuation: maximumAttenuation)
      gain *= attenuation.gain(at: place.z)
    }
    return min(max(gain, minimumGain), max(minimumGain, maximumGain))
  }

  /// Gain above 5 kHz of what stands between the source and the listener: of the direct sound, and of
  /// what fills the room, which goes around an obstacle but not through a wall.
  @_noLocks
  func shades() -> (direct: Float, room: Float) {
    let wall = min(max(occlusion, -100), 0)
    let level = wall + min(max(obstruction, -100), 0)
    return (
      level == 0 ? 1 : Decibels.gain(ofLevel: level), wall == 0 ? 1 : Decibels.gain(ofLevel: wall)
    )
  }

  /// The parts that are heard directly and from the room.
  @_noLocks
  func blend() -> (direct: Float, room: Float) {
    guard hasRoom else { return (1, 0) }
    let mix = EqualPowerMix(percent: reverbBlend)
    return (mix.dry, mix.wet)
  }
}
