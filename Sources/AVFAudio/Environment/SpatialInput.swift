// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// An input of the spatial mixer of an environment node.
struct SpatialInput {
  let unit: NodeUnit
  let element: UInt32

  /// The radius of a head in metres: a source that is nearer is inside.
  private static let headRadius: Float = 0.09

  /// [any thread] Sets everything that a source and its listener determine.
  func set(
    _ values: MixingValues, for listener: Listener,
    _ distance: (curve: AUSpatialMixerAttenuationCurve, parameters: MixerDistanceParams)
  ) {
    let source = values.spatial
    let place = listener.direction(of: source.position)
    set(kSpatialMixerParam_Azimuth, place.azimuth)
    set(kSpatialMixerParam_Elevation, place.elevation)
    set(kSpatialMixerParam_Distance, place.distance)
    set(kSpatialMixerParam_Gain, Self.decibels(values.volume))
    set(kSpatialMixerParam_PlaybackRate, min(max(source.rate, 0.5), 2))
    set(kSpatialMixerParam_ReverbBlend, 100 * min(max(source.reverbBlend, 0), 1))
    set(kSpatialMixerParam_OcclusionAttenuation, min(max(source.occlusion, -100), 0))
    set(kSpatialMixerParam_ObstructionAttenuation, min(max(source.obstruction, -100), 0))
    set(kAudioUnitProperty_SpatializationAlgorithm, number: UInt32(source.algorithm.rawValue))
    set(kAudioUnitProperty_SpatialMixerSourceMode, number: mode(source, place.distance))
    set(kAudioUnitProperty_SpatialMixerAttenuationCurve, number: distance.curve.rawValue)
    let old = value(kAudioUnitProperty_SpatialMixerDistanceParams, MixerDistanceParams())
    let new = distance.parameters
    if old.mReferenceDistance != new.mReferenceDistance || old.mMaxDistance != new.mMaxDistance
      || old.mMaxAttenuation != new.mMaxAttenuation
    {
      unit.set(
        kAudioUnitProperty_SpatialMixerDistanceParams, kAudioUnitScope_Input, element, new)
    }
  }

  private func mode(_ source: SpatialValues, _ distance: Float) -> UInt32 {
    let passes =
      source.mode == .pointSource && source.inHeadMode == .bypass && distance < Self.headRadius
    let mode: AVAudio3DMixingSourceMode = passes ? .bypass : source.mode
    return UInt32(mode.rawValue)
  }

  /// A volume in decibels; the lowest is silence.
  static func decibels(_ volume: Float) -> Float {
    volume > 1e-6 ? min(20 * log10f(volume), 20) : -120
  }

  private func set(_ id: AudioUnitParameterID, _ value: Float) {
    unit.set(parameter: id, kAudioUnitScope_Input, element, value)
  }

  /// Sets a property, unless it has the value: some take time to set.
  private func set(_ id: AudioUnitPropertyID, number: UInt32) {
    guard value(id, UInt32.max) != number else { return }
    unit.set(id, kAudioUnitScope_Input, element, number)
  }

  private func value<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, _ initial: Value) -> Value {
    var value = initial
    _ = unit.get(id, kAudioUnitScope_Input, element, &value)
    return value
  }
}
