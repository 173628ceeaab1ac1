// SPDX-License-Identifier: Apache-2.0
import ToneModel

/// The tone to begin with, as pairs of words say it: --frequency HZ, --level DB, --waveform WAVEFORM.
struct Beginning {
  private(set) var tone = Tone()

  init(_ words: [String]) {
    for (name, value) in zip(words, words.dropFirst()) {
      switch name {
      case "--frequency": tone.frequency = Double(value) ?? tone.frequency
      case "--level": tone.level = Double(value) ?? tone.level
      case "--waveform": tone.waveform = ToneWaveform(rawValue: value) ?? tone.waveform
      default: break
      }
    }
  }
}
