// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

/// How an environment node places a mono source.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
  /// Between the two speakers next to its direction.
  case equalPowerPanning = 0
  /// For headphones, with a spherical head.
  case sphericalHead = 1
  /// For headphones, with a measured head; with a spherical one if there is none.
  case HRTF = 2
  /// Not at all.
  case stereoPassThrough = 5
  /// As `HRTF`, finer.
  case HRTFHQ = 6
  /// With a head for headphones, else between speakers: by the `outputType` of the node.
  case auto = 7
}

/// Which sources an environment node places.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
  /// Mono sources; others pass through.
  case spatializeIfMono = 0
  /// None: the source passes through.
  case bypass = 1
  /// Also other sources, as one point.
  case pointSource = 2
}

/// What becomes of a point source inside the listener's head.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
  /// Its channels are mixed to one.
  case mono = 0
  /// Its channels pass through.
  case bypass = 1
}

/// How an environment node places a source. Other mixers ignore these values. A value that is not a
/// number changes nothing.
public protocol AVAudio3DMixing: NSObjectProtocol {
  /// How the source is placed; `equalPowerPanning` at first.
  var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
  /// Whether the source is placed; `spatializeIfMono` at first.
  var sourceMode: AVAudio3DMixingSourceMode { get set }
  /// What becomes of a point source inside the head; `mono` at first.
  var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }
  /// The speed and pitch of the source, from 0.5 to 2; 1 at first.
  var rate: Float { get set }
  /// How much of the source goes to the reverberation, from 0 to 1; 0 at first.
  var reverbBlend: Float { get set }
  /// The attenuation of the direct sound by an obstacle in decibels, from -100 to 0; 0 at first.
  var obstruction: Float { get set }
  /// The attenuation of all sound by a wall in decibels, from -100 to 0; 0 at first.
  var occlusion: Float { get set }
  /// Where the source is, in metres; at the origin at first.
  var position: AVAudio3DPoint { get set }
}

/// The values of `AVAudio3DMixing`.
struct SpatialValues: Equatable {
  var algorithm = AVAudio3DMixingRenderingAlgorithm.equalPowerPanning
  var mode = AVAudio3DMixingSourceMode.spatializeIfMono
  var inHeadMode = AVAudio3DMixingPointSourceInHeadMode.mono
  var rate: Float = 1
  var reverbBlend: Float = 0
  var obstruction: Float = 0
  var occlusion: Float = 0
  var position = SIMD3<Float>.zero
}
