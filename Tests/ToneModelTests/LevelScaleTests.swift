// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Units of levels")
struct LevelScaleTests {
  private let volts = Calibration(unit: .volts, measured: 2, at: 0)
  private let pressure = Calibration("94dBSPL@-20")

  @Test(
    "a level is typed in each unit",
    arguments: [
      ("-20", -20.0, LevelUnit.peak), ("-20 dBFS", -20, .peak), ("-23dBrms", -23, .rms),
      ("74dBSPL", 74, .soundPressure), ("100 mPa", 0.1, .pascals), ("1.5V", 1.5, .volts),
      ("250mV", 0.25, .volts), ("500mVrms", 0.5, .rmsVolts), ("+4dBu", 4, .dBu),
      ("-10dBV", -10, .dBV),
      ("−6,5 dB", -6.5, .peak),
    ])
  func typed(text: String, value: Double, unit: LevelUnit) throws {
    let level = try #require(WrittenLevel(text))
    #expect(abs(level.value - value) < 1e-12 && level.unit == unit)
  }

  @Test("is no level", arguments: ["", "dBu", "4dBx", "nandB", "V", "1e999dB", "4 dB u V"])
  func mistakes(text: String) { #expect(WrittenLevel(text) == nil) }

  @Test("volts, dBu and dBV of a sine follow from its peak")
  func voltages() throws {
    let scale = LevelScale(volts)
    #expect(scale.value(of: 0, in: .volts) == 2)
    #expect(abs(try #require(scale.value(of: 0, in: .rmsVolts)) - 2.0.squareRoot()) < 1e-12)
    // 1.4142 V are 3.01 dBV and 5.229 dBu.
    #expect(abs(try #require(scale.value(of: 0, in: .dBV)) - 3.0103) < 1e-4)
    #expect(abs(try #require(scale.value(of: 0, in: .dBu)) - 5.2288) < 1e-4)
    #expect(scale.value(of: 0, in: .soundPressure) == nil)
  }

  @Test("a pascal is 94 dB, and the RMS of a sine is 3 dB below its peak")
  func pressures() throws {
    let scale = LevelScale(pressure)
    #expect(abs(try #require(scale.value(of: -20, in: .pascals)) - 1.0024) < 1e-3)
    #expect(abs(try #require(scale.value(of: -20, in: .rms)) + 23.0103) < 1e-4)
    #expect(LevelScale().value(of: -20, in: .pascals) == nil)
  }

  @Test("a value leads to the level that has it", arguments: LevelUnit.allCases)
  func inverse(unit: LevelUnit) throws {
    let scale = LevelScale(unit.calibrated == .volts ? volts : pressure, rms: 0.3)
    let value = try #require(scale.value(of: -17, in: unit))
    #expect(abs(try #require(scale.level(of: value, in: unit)) + 17) < 1e-9)
  }

  @Test(
    "a calibration by any unit gives that value", arguments: ["4dBu", "0.2Pa", "80dBSPL", "1Vrms"])
  func calibration(text: String) throws {
    let measured = try #require(WrittenLevel(text))
    let calibration = try #require(Calibration(measured, at: -12, rms: 0.25))
    let value = LevelScale(calibration, rms: 0.25).value(of: -12, in: measured.unit)
    #expect(abs(try #require(value) - measured.value) < 1e-9)
  }

  @Test("a calibration may name the RMS of the sine")
  func rmsPoint() throws {
    let one = try #require(Calibration("4dBu@-20dB"))
    let other = try #require(Calibration("4dBu@-23.0103dBrms"))
    #expect(abs(one.fullScale - other.fullScale) < 1e-4)
    for text in ["0V@0", "0Pa@0", "-20dB@0", "4dBu@", "@-3", "4dBu@1V"] {
      #expect(Calibration(text) == nil)
    }
  }

  @Test("the RMS of every waveform is that of its samples", arguments: ToneWaveform.allCases)
  func rms(waveform: ToneWaveform) throws {
    var tone = Tone(frequency: 500, level: 0, waveform: waveform, dutyCycle: 20)
    tone.startPhase = waveform == .constant ? 60 : 0
    let offline = try OfflineTone(tone, fade: 0)
    offline.render(seconds: waveform.isNoise ? 20 : 65_536 / 48_000)
    let measured = decibels(offline.signal.rms)
    #expect(abs(measured - decibels(tone.rmsRatio())) < (waveform.isNoise ? 0.2 : 0.02))
  }

  @Test("a modulated tone has the RMS of its samples")
  func modulated() throws {
    var tone = Tone(frequency: 1_000, level: 0)
    tone.amplitudeModulation = AmplitudeModulation(frequency: 10, depth: 80)
    let offline = try OfflineTone(tone, fade: 0)
    offline.render(seconds: 1)
    #expect(abs(decibels(offline.signal.rms / tone.rmsRatio())) < 0.001)
  }
}
