// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox

/// How sources become quieter with their distance d, beyond the reference distance r, with the
/// rolloff factor f and the maximum distance m.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
  /// By (d / r) to the power of -f.
  case exponential = 1
  /// By r / (r + f (d - r)).
  case inverse = 2
  /// By 1 - f (d - r) / (m - r), until m.
  case linear = 3
}

/// How an environment node attenuates sources with their distance. [any thread]
///
/// Stereo sources, which are not placed, are not attenuated. Setting a number below 0, NaN or infinity
/// changes nothing. Where a law has no value, there is no attenuation.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject, @unchecked Sendable {
  private let law = Guarded(DistanceLaw())
  private let changed: @Sendable () -> Void

  init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

  /// The law.
  var current: DistanceLaw { law.withLock { $0 } }

  private func set<Value>(_ member: WritableKeyPath<DistanceLaw, Value>, to value: Value) {
    law.withLock { $0[keyPath: member] = value }
    changed()
  }

  private func set(_ member: WritableKeyPath<DistanceLaw, Float>, toNumber value: Float) {
    if value.isFinite, value >= 0 { set(member, to: value) }
  }

  /// The law; `inverse` at first.
  open var distanceAttenuationModel: AVAudioEnvironmentDistanceAttenuationModel {
    get { current.model }
    set { set(\.model, to: newValue) }
  }

  /// Up to this distance in metres there is no attenuation; 1 at first.
  open var referenceDistance: Float {
    get { current.reference }
    set { set(\.reference, toNumber: newValue) }
  }

  /// Beyond this distance in metres, the linear law attenuates no further; 100,000 at first.
  open var maximumDistance: Float {
    get { current.maximum }
    set { set(\.maximum, toNumber: newValue) }
  }

  /// How fast the sound becomes quieter; 1 at first.
  open var rolloffFactor: Float {
    get { current.rolloff }
    set { set(\.rolloff, toNumber: newValue) }
  }
}

/// The reverberation of an environment node: a room, to which sources send by their `reverbBlend`.
/// [any thread]
open class AVAudioEnvironmentReverbParameters: NSObject, @unchecked Sendable {
  private let mixer: NodeUnit
  private let filter: AVAudioUnitEQFilterParameters

  init(_ mixer: NodeUnit) {
    self.mixer = mixer
    filter = AVAudioUnitEQFilterParameters(FilterParameters(roomOf: mixer))
  }

  /// The filter of what the sources send to the room. It is on at first, but has no gain; its gain
  /// is from -18 to 18 decibels, its bandwidth from 0.05 to 4 octaves.
  open var filterParameters: AVAudioUnitEQFilterParameters { filter }

  /// Whether there is reverberation; false at first.
  open var enable: Bool {
    get { mixer[flag: kAudioUnitProperty_UsesInternalReverb] }
    set { mixer[flag: kAudioUnitProperty_UsesInternalReverb] = newValue }
  }

  /// The level of the reverberation in decibels, from -40 to 40; 0 at first.
  open var level: Float {
    get { mixer.parameter(kSpatialMixerParam_GlobalReverbGain) }
    set { mixer.set(parameter: kSpatialMixerParam_GlobalReverbGain, to: newValue) }
  }

  /// Selects the room; a small one at first.
  open func loadFactoryReverbPreset(_ preset: AVAudioUnitReverbPreset) {
    mixer.set(
      kAudioUnitProperty_ReverbRoomType, kAudioUnitScope_Global, 0, UInt32(preset.rawValue))
  }
}
