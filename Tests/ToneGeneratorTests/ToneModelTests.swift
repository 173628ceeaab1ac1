// SPDX-License-Identifier: Apache-2.0
import Testing
import ToneModel

@Suite("Tone model")
struct ToneModelTests {
  @Test("begins in silence, far below full scale")
  func beginning() {
    let model = ToneModel()
    #expect(!model.isPlaying)
    #expect(model.frequency == 440)
    #expect(model.level == -20)
    #expect(model.device == nil)
  }

  @Test("keeps frequency and level within their ranges")
  func ranges() {
    let model = ToneModel(Tone(frequency: 5, level: 20))
    #expect(model.frequency == 20)
    #expect(model.level == 0)
    model.frequency = 1e9
    model.level = -.infinity
    #expect(model.frequency == 20_000)
    #expect(model.level == -90)
    model.frequency = .nan
    #expect(model.frequency == 20)
  }

  @Test("twelve semitones are an octave, and a hundred cents one of them")
  func semitones() {
    let model = ToneModel()
    for _ in 1...12 { model.step(semitones: 1) }
    #expect(abs(model.frequency - 880) < 1e-9)
    for _ in 1...1_200 { model.step(semitones: -0.01) }
    #expect(abs(model.frequency - 440) < 1e-9)
  }

  @Test("decimal steps leave decimal numbers")
  func steps() {
    let model = ToneModel()
    for _ in 1...10 { model.step(hertz: 0.1) }
    for _ in 1...3 { model.step(decibels: 0.1) }
    #expect(model.frequency == 441)
    #expect(model.level == -19.7)
  }

  @Test("waveforms come round")
  func waveforms() {
    var waveform = ToneWaveform.sine
    for _ in ToneWaveform.allCases { waveform = waveform.next }
    #expect(waveform == .sine)
    #expect(waveform.previous == .pinkNoise)
    #expect(waveform.next.previous == waveform)
  }
}
