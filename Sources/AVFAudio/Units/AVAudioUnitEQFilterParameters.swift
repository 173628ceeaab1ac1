// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The kinds of filters of a band.
public enum AVAudioUnitEQFilterType: Int, Sendable {
  /// A bell at the frequency, as wide as the bandwidth.
  case parametric = 0
  /// Butterworth, second order.
  case lowPass = 1
  /// Butterworth, second order.
  case highPass = 2
  /// With a resonance that follows from the bandwidth.
  case resonantLowPass = 3
  /// With a resonance that follows from the bandwidth.
  case resonantHighPass = 4
  /// Only what is within the bandwidth around the frequency.
  case bandPass = 5
  /// All but what is within the bandwidth around the frequency.
  case bandStop = 6
  /// Below the frequency by the gain.
  case lowShelf = 7
  /// Above the frequency by the gain.
  case highShelf = 8
  /// With a resonance that follows from the bandwidth.
  case resonantLowShelf = 9
  /// With a resonance that follows from the bandwidth.
  case resonantHighShelf = 10
}

/// The parameters of a filter: a band of an equaliser, or the filter of a reverberation. [any thread]
///
/// A value out of range acts as the nearest in the range; setting NaN or infinity changes nothing.
open class AVAudioUnitEQFilterParameters: NSObject {
  private let parameters: FilterParameters

  init(_ parameters: FilterParameters) { self.parameters = parameters }

  /// The kind of filter; `parametric` at first.
  open var filterType: AVAudioUnitEQFilterType {
    get { AVAudioUnitEQFilterType(rawValue: Int(parameters[.filterType])) ?? .parametric }
    set { parameters[.filterType] = Float(newValue.rawValue) }
  }

  /// The frequency in hertz, from 20 to half the sample rate.
  open var frequency: Float {
    get { parameters[.frequency] }
    set { parameters[.frequency] = newValue }
  }

  /// The bandwidth in octaves, from 0.05 to 5.
  open var bandwidth: Float {
    get { parameters[.bandwidth] }
    set { parameters[.bandwidth] = newValue }
  }

  /// The gain in decibels, from -96 to 24.
  open var gain: Float {
    get { parameters[.gain] }
    set { parameters[.gain] = newValue }
  }

  /// Whether the filter does nothing; true at first for a band of an equaliser.
  open var bypass: Bool {
    get { parameters[.bypass] != 0 }
    set { parameters[.bypass] = newValue ? 1 : 0 }
  }
}

/// The parameters of a unit that belong to one filter.
struct FilterParameters {
  enum Key { case filterType, frequency, bandwidth, gain, bypass }

  /// Reads and sets a value.
  let get: (Key) -> Float
  let set: (Key, Float) -> Void

  subscript(key: Key) -> Float {
    get { get(key) }
    nonmutating set { set(key, newValue) }
  }

  init(get: @escaping (Key) -> Float, set: @escaping (Key, Float) -> Void) {
    self.get = get
    self.set = set
  }

  /// The filter of the room of `kAudioUnitSubType_SpatialMixer`.
  init(roomOf unit: NodeUnit) {
    func id(_ key: Key) -> AudioUnitParameterID {
      switch key {
      case .filterType: kReverbParam_FilterType
      case .frequency: kReverbParam_FilterFrequency
      case .bandwidth: kReverbParam_FilterBandwidth
      case .gain: kReverbParam_FilterGain
      case .bypass: kReverbParam_FilterEnable
      }
    }
    // The unit has the opposite of the bypass.
    self.init(
      get: { key in key == .bypass ? 1 - unit.parameter(id(key)) : unit.parameter(id(key)) },
      set: { key, value in
        unit.set(parameter: id(key), to: key == .bypass ? 1 - value : value)
      })
  }

  /// A band of `kAudioUnitSubType_NBandEQ`.
  init(band: Int, of unit: NodeUnit) {
    func id(_ key: Key) -> AudioUnitParameterID {
      let first =
        switch key {
        case .filterType: kAUNBandEQParam_FilterType
        case .frequency: kAUNBandEQParam_Frequency
        case .bandwidth: kAUNBandEQParam_Bandwidth
        case .gain: kAUNBandEQParam_Gain
        case .bypass: kAUNBandEQParam_BypassBand
        }
      return first + AudioUnitParameterID(band)
    }
    self.init(
      get: { unit.parameter(id($0)) },
      set: { unit.set(parameter: id($0), to: $1) })
  }
}
