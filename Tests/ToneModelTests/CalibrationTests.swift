// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import ToneModel

@Suite("Calibration by one measured point")
struct CalibrationTests {
  @Test("decibels of sound pressure follow the level, volts its ratio")
  func values() throws {
    let pressure = try #require(Calibration(unit: .soundPressure, measured: 94, at: -20))
    #expect(pressure.value(of: 0) == 114 && pressure.value(of: -60) == 54)
    #expect(pressure.level(of: 74) == -40)
    let volts = try #require(Calibration(unit: .volts, measured: 1, at: -20))
    #expect(abs(volts.value(of: 0) - 10) < 1e-12)
    #expect(abs(volts.level(of: 0.1) + 40) < 1e-12)
    #expect(Calibration(unit: .volts, measured: 0, at: 0) == nil)
  }

  @Test(
    "is read from text",
    arguments: [
      ("94dBSPL@-20", "sound", 114.0), ("94 dB SPL @ -20 dBFS", "sound", 114), ("1.5V@0", "V", 1.5),
      ("150mV@-20dB", "V", 1.5),
    ])
  func words(text: String, unit: String, fullScale: Double) throws {
    let calibration = try #require(Calibration(text))
    #expect(calibration.unit == (unit == "V" ? .volts : .soundPressure))
    #expect(abs(calibration.fullScale - fullScale) < 1e-12)
  }

  @Test(
    "invalid texts are refused", arguments: ["94", "94dBSPL", "94@-20", "0V@0", "-1V@0", "x V@0"])
  func mistakes(text: String) {
    #expect(Calibration(text) == nil)
  }

  @Test("a level is typed in dBFS, or as a measured value with a calibration")
  func levels() throws {
    let pressure = Calibration(unit: .soundPressure, measured: 94, at: -20)
    #expect(WrittenLevel("-6dB")?.level(LevelScale()) == -6)
    #expect(WrittenLevel("74 dB SPL")?.level(LevelScale(pressure)) == -40)
    #expect(WrittenLevel("74dBSPL")?.level(LevelScale()) == nil)
    #expect(WrittenLevel("1V")?.level(LevelScale(pressure)) == nil)
    let volts = Calibration(unit: .volts, measured: 1, at: 0)
    #expect(abs((WrittenLevel("100mV")?.level(LevelScale(volts)) ?? 0) + 20) < 1e-12)
    #expect(WrittenLevel("loud") == nil)
  }
}
