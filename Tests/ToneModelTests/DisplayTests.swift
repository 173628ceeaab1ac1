// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import ToneModel

@Suite("Display of a tone")
struct DisplayTests {
  @Test(
    "the scale of the scope is a round number that contains the signal",
    arguments: [(1.0, 1.0), (0.1, 0.1), (0.11, 0.2), (0.3, 0.5), (0.0013, 0.002), (0, 1)])
  func scale(peak: Double, expected: Double) {
    var scale = ScopeScale()
    #expect(abs(scale.next(peak: peak) / expected - 1) < 1e-9)
  }

  @Test("the scale of the scope stays while the signal fits, or if it was chosen")
  func steadyScale() {
    var scale = ScopeScale()
    #expect(scale.next(peak: 0.15) == 0.2)
    #expect(scale.next(peak: 0.07) == 0.2)
    #expect(scale.next(peak: 0.05) == 0.05)
    scale.choice = 0.5
    #expect(scale.next(peak: 0.05) == 0.5)
  }

  @Test(
    "the peak of a spectrum is found between the bins", arguments: [97.3, 440, 1_000, 9_871.6])
  func peak(frequency: Double) throws {
    let analyzer = SpectrumAnalyzer()
    let samples = (0..<SpectrumAnalyzer.frameCount).map {
      Float(0.1 * sin(2 * .pi * frequency * Double($0) / 48_000))
    }
    _ = analyzer.levels(of: samples, sampleRate: 48_000, 100)
    let peak = try #require(analyzer.peak(sampleRate: 48_000))
    #expect(abs(peak.frequency - frequency) < 0.1)
    #expect(abs(peak.level + 20) < 0.1)
    let elsewhere = analyzer.peak(in: 3_000...4_000, sampleRate: 48_000)
    #expect((elsewhere?.level ?? -.infinity) < -90)
  }

  @Test("one measured point calibrates every level")
  func calibration() throws {
    let pressure = try #require(Calibration(unit: .soundPressure, measured: 74, at: -20))
    #expect(pressure.fullScale == 94)
    #expect(pressure.value(of: -26) == 68)
    let volts = try #require(Calibration(unit: .volts, measured: 0.5, at: -6.020599913279624))
    #expect(abs(volts.value(of: 0) - 1) < 1e-12)
    #expect(Calibration(unit: .volts, measured: 0, at: 0) == nil)
    #expect(Calibration(unit: .soundPressure, measured: .nan, at: 0) == nil)
  }

  @Test("the window's state is restored from its file, but not from a broken one")
  func state() throws {
    let path = NSTemporaryDirectory() + "state-\(UUID().uuidString)/window.json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(WindowState.load(from: path) == nil)
    let model = ToneModel(Tone(frequency: 123.5, level: -31, waveform: .saw))
    var state = WindowState(model)
    (state.width, state.height, state.scopeScale) = (700, 650, 0.2)
    try state.save(to: path)
    #expect(WindowState.load(from: path) == state)
    #expect(state.tone == Tone(frequency: 123.5, level: -31, waveform: .saw))
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    #expect(WindowState.load(from: path) == nil)
  }

  @Test("a window that was closed while it was loud opens quietly")
  func quietStart() {
    #expect(WindowState(ToneModel(Tone(level: -1))).tone.level == ToneModel.loudLevel)
  }
}
