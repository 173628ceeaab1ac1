// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// A parameter of a unit of the catalogue.
struct MovedParameter: Sendable {
  var scope: AudioUnitScope
  var id: AudioUnitParameterID
  var name: String
  var unit: AudioUnitParameterUnit
  var range: ClosedRange<Float>
  var value: Float
  var isLogarithmic: Bool

  /// The value at a part of the range, from 0 to 1.
  func value(at part: Float) -> Float {
    let (low, high) = (range.lowerBound, range.upperBound)
    if isLogarithmic, low > 0 { return low * pow(min(high, 20_000) / low, part) }
    let value = low + part * (high - low)
    return unit == .indexed || unit == .boolean ? value.rounded() : value
  }

  /// Its name, and its scope if that is not the global one.
  var title: String {
    switch scope {
    case kAudioUnitScope_Input: name + " of an input"
    case kAudioUnitScope_Output: name + " of an output"
    default: name
    }
  }

  /// Whether its values are names or switches, which cannot be swept.
  var isChoice: Bool { unit == .indexed || unit == .boolean }
}

/// A unit of the catalogue whose parameters move while it sounds.
final class MovedUnit {
  /// A unit, and the values at which its parameters can be heard.
  struct Case: CustomTestStringConvertible, Sendable {
    let definition: UnitDefinition
    var testDescription: String { definition.identity.name }
  }

  /// Every unit that sounds without files or notes. The instruments are not among them: their samples
  /// contain sound above 8 kHz.
  static let cases = Catalogue.kernels.filter {
    $0.identity.type != kAudioUnitType_MusicDevice
      && $0.identity.subType != kAudioUnitSubType_AudioFilePlayer
      && $0.identity.subType != kAudioUnitSubType_ScheduledSoundPlayer
  }.map(Case.init)

  /// A change at a frame: immediate, or a ramp from one value to another.
  struct Change {
    var parameter: MovedParameter
    var frame: Int
    var from: Float?
    var to: Float
    var duration = 0
  }

  static let rate = 48_000.0
  let host: MixerHost
  let parameters: [MovedParameter]
  private let channels: Int

  /// Makes a unit whose inputs play `sound` in a loop.
  init(_ unit: Case, sound: [Float]) throws {
    let identity = unit.definition.identity
    host = try MixerHost(
      identity.subType, type: identity.type, manufacturer: identity.manufacturer)
    try host.unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(4_096))
    let inputs = try host.unit.get(
      kAudioUnitProperty_ElementCount, as: UInt32(0), kAudioUnitScope_Input)
    let spatial = [kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer].map { OSType($0) }
    for bus in 0..<min(inputs, 2) {
      let shift = Int(bus) * 96
      let isPlaced = spatial.contains(identity.subType) && bus == 0
      try host.unit.setFormat(
        .linear(Self.rate, channels: isPlaced ? 1 : 2), kAudioUnitScope_Input, bus)
      try host.unit.setCallback(
        HostCallback { moment in
          // By its time: inputs that are off are not pulled.
          let start = Int(moment.time.pointee.mSampleTime) - moment.position
          moment.fill { channel, frame in
            let place = max(frame + start, 0)
            // The sound fades in: its beginning is no click, also where it is repeated later.
            let level = place < 4_800 ? Float(fadeWeight(Double(place) / 4_800)) : 1
            return level * sound[(place + shift + 144 * channel) % sound.count]
          }
          return noErr
        }, bus: bus)
    }
    if identity.subType == kAudioUnitSubType_NBandEQ {
      for (id, value) in [(1000, 0), (4000, 12), (3000, 1_200)] as [(UInt32, Float)] {
        try host.set(id, value, kAudioUnitScope_Global)
      }
    }
    let settings: [OSType: [(AudioUnitParameterID, Float)]] = [
      kAudioUnitSubType_ParametricEQ: [(kParametricEQParam_Gain, 12)],
      kAudioUnitSubType_HighShelfFilter: [
        (kHighShelfParam_Gain, -12), (kHighShelfParam_CutOffFrequency, 2_000),
      ],
      kAudioUnitSubType_LowShelfFilter: [(kAULowShelfParam_Gain, 12)],
      kAudioUnitSubType_MatrixReverb: [(kReverbParam_FilterGain, 12)],
      kAudioUnitSubType_Distortion: [
        (kDistortionParam_DelayMix, 30), (kDistortionParam_RingModMix, 0),
        (kDistortionParam_PolynomialMix, 0), (kDistortionParam_DecimationMix, 0),
        (kDistortionParam_SoftClipGain, -20), (kDistortionParam_FinalMix, 100),
      ],
      kAudioUnitSubType_ToneGenerator: [(0, 1_000), (1, 0.25)],
    ]
    for (id, value) in settings[identity.subType] ?? [] {
      try? host.set(id, value, kAudioUnitScope_Global)
    }
    if identity.subType == kAudioUnitSubType_MatrixMixer {
      // Every volume, and the crosspoints of the first channels.
      for (scope, element) in [
        (kAudioUnitScope_Global, UInt32.max), (kAudioUnitScope_Input, 0),
        (kAudioUnitScope_Input, 1), (kAudioUnitScope_Output, 0), (kAudioUnitScope_Output, 1),
        (kAudioUnitScope_Global, 0), (kAudioUnitScope_Global, 0x1_0001),
      ] { try? host.set(kMatrixMixerParam_Volume, 1, scope, element) }
    }
    try host.initialize()
    channels = Int(try host.unit.format(kAudioUnitScope_Output).mChannelsPerFrame)
    parameters = try Self.parameters(of: host.unit)
  }

  private static func parameters(of unit: HostedUnit) throws -> [MovedParameter] {
    let scopes = [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output]
    return try scopes.flatMap { scope -> [MovedParameter] in
      let ids = try? unit.getArray(
        kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0), scope, 0)
      return try (ids ?? []).compactMap { id -> MovedParameter? in
        let info = try unit.get(
          kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), scope, id)
        var name = "\(id)"
        if let text = info.__cfNameString {
          name = "\(Unmanaged<NSString>.fromOpaque(text).takeRetainedValue())"
        }
        guard info.flags.contains(.flag_IsWritable) else { return nil }
        // One band of an equaliser is like the others.
        if id >= 1_000, id % 1_000 > 0 { return nil }
        var value: Float = 0
        try check(AudioUnitGetParameter(unit.handle, id, scope, 0, &value))
        // The ranges of some gains are far larger than usual values.
        var (low, high) = (info.minValue, info.maxValue)
        if info.unit == .decibels { (low, high) = (max(low, -40), min(high, 20)) }
        return MovedParameter(
          scope: scope, id: id, name: name, unit: info.unit, range: low...max(low, high),
          value: value, isLogarithmic: info.flags.contains(.flag_DisplayLogarithmic))
      }
    }
  }

  private var rendered = 0

  /// Renders frames in slices of `slice` frames, with changes at their frames, which are sorted.
  /// A change at the start of a slice is set, others are scheduled. Returns each channel.
  func play(_ frames: Int, slice: Int, _ changes: [Change] = []) throws -> [[Double]] {
    var output = [[Double]](repeating: [], count: channels)
    var done = 0
    var next = 0
    while done < frames {
      let count = min(slice, frames - done)
      while next < changes.count, changes[next].frame < done + count {
        let change = changes[next]
        let offset = change.frame - done
        next += 1
        if change.from == nil, offset == 0 {
          try host.set(change.parameter.id, change.to, change.parameter.scope)
        } else {
          try host.schedule(
            change.parameter.id, from: change.from, to: change.to, at: offset,
            frames: change.duration, change.parameter.scope)
        }
      }
      let piece = try host.render(count, slices: [count], channels: channels)
      for channel in 0..<channels { output[channel] += piece[channel].samples }
      done += count
    }
    return output
  }
}
