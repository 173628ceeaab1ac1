// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// The initial state: the stored state of the last window, overridden by arguments: --frequency HZ,
/// --level DB, --waveform WAVEFORM, --rate HZ, --cycle FRAMES, --midi SOURCE.
struct InitialState {
  /// The stored state; nil the first time.
  let state: WindowState?
  /// The model, which does not play yet.
  let model: ToneModel
  /// The name of a MIDI source, or a part of it; nil: none.
  let source: String?

  init(_ words: [String]) {
    state = WindowState.load()
    var source: String?
    var tone = state?.tone ?? Tone()
    var preferences = state?.devicePreferences ?? ToneDevicePreferences()
    for (name, value) in zip(words, words.dropFirst()) {
      switch name {
      case "--frequency": tone.frequency = Double(value) ?? tone.frequency
      case "--level": tone.level = Double(value) ?? tone.level
      case "--waveform":
        guard let waveform = ToneWaveform(rawValue: value), waveform != .file else { break }
        (tone.waveform, tone.sound) = (waveform, nil)
      case "--rate": preferences.sampleRate = Double(value) ?? preferences.sampleRate
      case "--cycle": preferences.cycleFrames = Int(value) ?? preferences.cycleFrames
      case "--midi": source = value
      default: break
      }
    }
    self.source = source
    model = ToneModel(tone)
    model.dither = state?.dither
    model.devicePreferences = ToneDevicePreferences(
      sampleRate: preferences.sampleRate, cycleFrames: preferences.cycleFrames)
    model.restoreCalibration(state)
    // A device in the environment takes precedence.
    if ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE", default: ""].isEmpty {
      model.deviceChoice = state?.device
    }
  }
}
