// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Tone model")
struct ToneModelTests {
  @Test("begins without playing, far below full scale")
  func beginning() {
    let model = ToneModel()
    #expect(!model.isPlaying)
    #expect(model.frequency == 440)
    #expect(model.level == -20)
    #expect(model.device == nil)
  }

  @Test("keeps frequency and level within their ranges")
  func ranges() {
    let model = ToneModel(Tone(frequency: 0.001, level: 20))
    #expect(model.frequency == 0.01)
    #expect(model.level == 0)
    model.frequency = 1e9
    model.level = -.infinity
    #expect(model.frequency == 384_000)
    #expect(model.level == -90)
    model.frequency = .nan
    #expect(model.frequency == 0.01)
  }

  @Test("twelve semitones are an octave, and a hundred cents one of them")
  func semitones() {
    let model = ToneModel()
    for _ in 1...12 { model.step(semitones: 1) }
    #expect(abs(model.frequency - 880) < 1e-9)
    for _ in 1...1_200 { model.step(semitones: -0.01) }
    #expect(abs(model.frequency - 440) < 1e-9)
  }

  @Test("decimal steps give decimal numbers")
  func steps() {
    let model = ToneModel()
    for _ in 1...10 { model.step(hertz: 0.1) }
    for _ in 1...3 { model.step(decibels: 0.1) }
    #expect(model.frequency == 441)
    #expect(model.level == -19.7)
  }

  @Test("waveforms wrap around")
  func waveforms() {
    var waveform = ToneWaveform.sine
    for _ in ToneWaveform.allCases { waveform = waveform.next }
    #expect(waveform == .sine)
    #expect(waveform.previous == .constant)
    #expect(waveform.next.previous == waveform)
  }

  @Test("requires a confirmation for loud levels, and stays below until then")
  func loud() {
    let model = ToneModel()
    model.level = -3
    #expect(model.level == -6)
    #expect(model.pendingLevel == -3)
    model.confirm(loud: false)
    #expect(model.level == -6)
    #expect(model.pendingLevel == nil)
    model.level = -2
    model.confirm(loud: true)
    #expect(model.level == -2)
    model.level = -1
    #expect(model.level == -1)
    // After a return to a quiet level, a new confirmation is needed.
    model.level = -10
    model.level = -3
    #expect(model.level == -6)
  }

  @Test("the sum of tones is never above full scale, nor loud without a confirmation")
  func sum() {
    let model = ToneModel(Tone(level: -10))
    model.addTone()
    model.level = 0
    #expect(model.pendingLevel != nil)
    func sum() -> Double { Decibels.level(model.tones.map(\.amplitude).reduce(0, +)) }
    #expect(sum() <= -6 + 1e-9)
    model.confirm(loud: true)
    #expect(sum() <= 1e-9)
    #expect(sum() > -1e-6)
    for _ in 1...10 { model.addTone() }
    #expect(model.tones.count == 8)
    #expect(sum() <= 1e-3)
  }

  @Test("sides can be split and linked again")
  func link() {
    let model = ToneModel(Tone(frequency: 500))
    #expect(model.isLinked)
    model.isLinked = false
    #expect(model.tones.map(\.side) == [.left, .right])
    model.select(1)
    model.frequency = 600
    #expect(model.tones.map(\.frequency) == [500, 600])
    model.isLinked = true
    #expect(model.tones.map(\.side) == [.both])
    #expect(model.frequency == 600)
  }

  @Test("notifies every change, but no assignment of an equal value")
  func changes() {
    let model = ToneModel()
    var count = 0
    model.onChange = { count += 1 }
    model.frequency = 500
    #expect(count == 1)
    model.frequency = 500
    model.waveform = .sine
    #expect(count == 1)
    model.a4 = 442
    #expect(count == 2)
  }

  @Test("notes follow the tuning, within its range")
  func tuning() {
    let model = ToneModel(Tone(frequency: 442))
    model.a4 = 442
    #expect(model.note.name == "A4")
    #expect(model.note.cents == 0)
    model.a4 = 1_000
    #expect(model.a4 == 480)
  }

  @Test("moving the slider ends a sweep; in silence the old frequency returns")
  func sweep() {
    let model = ToneModel()
    model.sweep = ToneSweep(from: 0.001, to: 1e6, seconds: 0)
    #expect(model.sweep == ToneSweep(from: 0.01, to: 384_000, seconds: 0.1))
    model.frequency = 700
    #expect(model.sweep == nil)
    #expect(model.frequency == 700)
    model.sweep = ToneSweep(from: 300, to: 400)
    model.sweep = nil
    #expect(model.frequency == 700)
  }
}

@Suite("Tone presets")
struct TonePresetTests {
  @Test("built-in presets are quiet, and have unique names")
  func builtIn() throws {
    #expect(Set(TonePreset.builtIn.map(\.name)).count == TonePreset.builtIn.count)
    for preset in TonePreset.builtIn {
      let model = ToneModel()
      try model.replaceTones(preset.tones)
      #expect(model.tones.map(\.frequency) == preset.tones.map(\.frequency))
      let sum = Decibels.level(model.tones.map(\.amplitude).reduce(0, +))
      #expect(sum <= -6 + 1e-9)
    }
  }

  @Test("twin tones have the ratio of their standard")
  func twins() throws {
    let smpte = try #require(TonePreset.builtIn.first { $0.name.contains("SMPTE") })
    let ratio = smpte.tones[0].amplitude / smpte.tones[1].amplitude
    #expect(abs(ratio - 4) < 1e-3)
    #expect(smpte.tones.map(\.frequency) == [60, 7_000])
  }

  @Test("are stored, replaced and deleted")
  func store() throws {
    let folder = NSTemporaryDirectory() + "presets-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = PresetStore(path: folder + "/deep/presets.json")
    #expect(try store.load().isEmpty)
    var tone = Tone(frequency: 123.456, level: -33, waveform: .square, dutyCycle: 20)
    tone.side = .left
    tone.phase = 45
    tone.isInverted = true
    tone.sweep = ToneSweep(from: 50, to: 60, seconds: 7, shape: .linear, atEnd: .back)
    try store.save(TonePreset("mine", [tone]))
    try store.save(TonePreset("other", [Tone(), tone]))
    #expect(try store.load() == [TonePreset("mine", [tone]), TonePreset("other", [Tone(), tone])])
    try store.save(TonePreset("mine", [Tone()]))
    try store.remove("other")
    #expect(try store.load() == [TonePreset("mine", [Tone()])])
    try "rubbish".write(toFile: store.path, atomically: true, encoding: .utf8)
    #expect(throws: ToneError.self) { try store.load() }
    #expect(throws: ToneError.self) { try store.save(TonePreset("lost", [])) }
  }
}

@Suite("Scope and spectrum")
struct PictureTests {
  @Test("the trace begins at a rising zero crossing")
  func trigger() {
    let samples = Signal.sine(440, count: 4_000).floats
    let span = Scope.span(of: 440, sampleRate: 48_000)
    #expect(span == 327)
    let start = Scope.start(samples, span: span)
    #expect(start + Double(span) < 4_000 && start > 4_000 - Double(span) - 2 * 110)
    let crossing = start * 440 / 48_000
    #expect(abs(crossing - crossing.rounded()) < 1e-3)
  }

  @Test("the curve matches the output of a converter", arguments: [440, 5_000, 15_000] as [Double])
  func curve(frequency: Double) {
    let samples = Signal.sine(frequency, count: 1_000).floats
    let curve = Scope.curve(samples, from: 400.25, span: 24, points: 97)
    for (point, value) in curve.enumerated() {
      let place = 400.25 + 0.25 * Double(point)
      #expect(abs(Double(value) - sin(2 * .pi * frequency * place / 48_000)) < 0.01)
    }
  }

  @Test("the spectrum shows a tone at its frequency and level, and nothing else")
  func spectrum() {
    let analyzer = SpectrumAnalyzer()
    let samples = Signal.sine(1_000, amplitude: 0.1, count: 8_192).floats
    let levels = analyzer.levels(of: samples, sampleRate: 48_000, 240)
    let highest = levels.indices.max { levels[$0] < levels[$1] } ?? 0
    let frequency = 20 * pow(1_000, (Double(highest) + 0.5) / 240)
    #expect(abs(frequency / 1_000 - 1) < 0.03)
    #expect(abs(levels[highest] + 20) < 0.9)
    #expect(levels[..<(highest - 5)].allSatisfy { $0 < -100 })
    #expect(levels[(highest + 5)...].allSatisfy { $0 < -100 })
  }

  @Test("silence is at the floor")
  func silence() {
    let levels = SpectrumAnalyzer().levels(
      of: Array(repeating: 0, count: 8_192), sampleRate: 48_000, 10)
    #expect(levels == Array(repeating: SpectrumAnalyzer.floor, count: 10))
  }
}
