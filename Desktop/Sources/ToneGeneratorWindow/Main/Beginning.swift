// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// What to begin with: what the window was like when it was closed, but for what pairs of words say:
/// --frequency HZ, --level DB, --waveform WAVEFORM, --rate HZ, --cycle FRAMES.
struct Beginning {
  /// What was kept; nil the first time.
  let state: WindowState?
  /// The tone, in silence.
  let model: ToneModel

  init(_ words: [String]) {
    state = WindowState.load()
    var tone = state?.tone ?? Tone()
    var wishes = state?.deviceWishes ?? ToneDeviceWishes()
    for (name, value) in zip(words, words.dropFirst()) {
      switch name {
      case "--frequency": tone.frequency = Double(value) ?? tone.frequency
      case "--level": tone.level = Double(value) ?? tone.level
      case "--waveform": tone.waveform = ToneWaveform(rawValue: value) ?? tone.waveform
      case "--rate": wishes.sampleRate = Double(value) ?? wishes.sampleRate
      case "--cycle": wishes.cycleFrames = Int(value) ?? wishes.cycleFrames
      default: break
      }
    }
    model = ToneModel(tone)
    model.deviceWishes = ToneDeviceWishes(
      sampleRate: wishes.sampleRate, cycleFrames: wishes.cycleFrames)
    model.calibration = state?.calibration
    // Whoever names a device means that one.
    if ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE", default: ""].isEmpty {
      model.deviceChoice = state?.device
    }
  }
}
