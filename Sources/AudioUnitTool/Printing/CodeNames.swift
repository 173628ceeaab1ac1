// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The names of the library's codes.
enum CodeNames {
  /// The name of a unit type.
  static func type(_ code: OSType) -> String { types[code] ?? "" }

  /// The names of all types.
  static var typeNames: [String] { types.values.map { $0.lowercased() }.sorted() }

  /// The unit type with this name, in the singular or the plural.
  static func type(named text: String) -> OSType? {
    let word = text.lowercased()
    return types.first { [$0.value.lowercased(), $0.value.lowercased() + "s"].contains(word) }?.key
  }

  /// The name of a manufacturer.
  static func manufacturer(_ code: OSType) -> String {
    switch code {
    case kAudioUnitManufacturer_Apple: "Apple"
    case kAudioUnitManufacturer_SwiftAudioToolbox: "swift-audiotoolbox"
    default: ""
    }
  }

  /// The name of a scope.
  static func scope(_ scope: AudioUnitScope) -> String {
    switch scope {
    case kAudioUnitScope_Global: "global"
    case kAudioUnitScope_Input: "input"
    case kAudioUnitScope_Output: "output"
    case kAudioUnitScope_Group: "group"
    case kAudioUnitScope_Part: "part"
    default: "scope \(scope)"
    }
  }

  /// The symbol of a parameter's unit of measure, as written after a number.
  static func unit(_ unit: AudioUnitParameterUnit) -> String { units[unit] ?? "" }

  /// The names of a parameter's flags, without those of no interest to users.
  static func flags(_ flags: AudioUnitParameterOptions) -> [String] {
    flagWords.filter { flags.contains($0.0) }.map(\.1)
  }

  private static let types: [OSType: String] = [
    kAudioUnitType_Output: "output",
    kAudioUnitType_MusicDevice: "instrument",
    kAudioUnitType_MusicEffect: "music effect",
    kAudioUnitType_FormatConverter: "format converter",
    kAudioUnitType_Effect: "effect",
    kAudioUnitType_Mixer: "mixer",
    kAudioUnitType_Panner: "panner",
    kAudioUnitType_Generator: "generator",
    kAudioUnitType_OfflineEffect: "offline effect",
    kAudioUnitType_MIDIProcessor: "MIDI processor",
  ]

  private static let units: [AudioUnitParameterUnit: String] = [
    .indexed: "choice",
    .boolean: "on/off",
    .percent: "%",
    .seconds: "s",
    .sampleFrames: "frames",
    .phase: "degrees",
    .rate: "× speed",
    .hertz: "Hz",
    .cents: "cents",
    .relativeSemiTones: "semitones",
    .decibels: "dB",
    .linearGain: "gain",
    .degrees: "degrees",
    .equalPowerCrossfade: "crossfade",
    .mixerFaderCurve1: "fader",
    .pan: "pan",
    .meters: "m",
    .absoluteCents: "absolute cents",
    .octaves: "octaves",
    .BPM: "BPM",
    .beats: "beats",
    .milliseconds: "ms",
    .ratio: ": 1",
  ]

  private static let flagWords: [(AudioUnitParameterOptions, String)] = [
    (.flag_IsReadable, "read"), (.flag_IsWritable, "write"), (.flag_CanRamp, "ramps"),
    (.flag_DisplayLogarithmic, "logarithmic"), (.flag_MeterReadOnly, "meter"),
    (.flag_ExpertMode, "expert"), (.flag_IsHighResolution, "fine"),
    (.flag_NonRealTime, "not in real time"), (.flag_OmitFromPresets, "not in presets"),
  ]
}
