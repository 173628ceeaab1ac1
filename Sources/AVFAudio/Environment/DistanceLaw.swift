// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// How sources become quieter with their distance, and the settings of the spatial mixer for it.
///
/// The mixer has curves between a reference distance and a maximum distance, with an attenuation
/// there. Each law is one of these curves, up to a distance where the law itself has that
/// attenuation.
struct DistanceLaw: Equatable {
  var model = AVAudioEnvironmentDistanceAttenuationModel.inverse
  /// Distances in metres.
  var reference: Float = 1
  var maximum: Float = 100_000
  var rolloff: Float = 1

  /// The limits of the mixer: metres, and decibels.
  private static let farthest = 10_000.0
  private static let nearest = 0.001
  private static let most = 200.0

  /// The gain at a distance; at most 1.
  func gain(at distance: Double) -> Double {
    let (reference, rolloff) = (Double(reference), Double(rolloff))
    guard distance > reference else { return 1 }
    let gain =
      switch model {
      case .exponential: pow(distance / reference, -rolloff)
      case .inverse: reference / (reference + rolloff * (distance - reference))
      case .linear:
        1 - rolloff * (min(distance, Double(maximum)) - reference)
          / (Double(maximum) - reference)
      }
    return gain.isNaN ? 1 : min(max(gain, 0), 1)
  }

  /// The settings of an input of the mixer.
  var settings: (curve: AUSpatialMixerAttenuationCurve, parameters: MixerDistanceParams) {
    let curve: AUSpatialMixerAttenuationCurve =
      switch model {
      case .exponential: .spatialMixerAttenuationCurve_Power
      case .inverse: .spatialMixerAttenuationCurve_Inverse
      case .linear: .spatialMixerAttenuationCurve_Linear
      }
    let near = min(max(Double(reference), Self.nearest), Self.farthest)
    let far = end.isNaN ? Self.farthest : min(max(end, near * 1.001), Self.farthest)
    let decibels = min(max(-20 * log10(max(gain(at: far), 1e-10)), 0), Self.most)
    return (
      curve,
      MixerDistanceParams(
        mReferenceDistance: Float(near), mMaxDistance: Float(far), mMaxAttenuation: Float(decibels))
    )
  }

  /// The distance where the curve of the mixer ends.
  private var end: Double {
    let (reference, rolloff) = (Double(reference), Double(rolloff))
    guard rolloff > 0 else { return Self.farthest }
    return switch model {
    // Where the law reaches the limit of the attenuation, if that is near.
    case .exponential: reference * pow(10, Self.most / 20 / rolloff)
    case .inverse: reference + reference / rolloff * pow(10, Self.most / 20)
    case .linear:
      reference + (Double(maximum) - reference) / max(rolloff, 1)
    }
  }
}
