// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Tones on the lines of a Fourier transform")
struct LineLockTests {
  private func locked(_ frequency: Double, frames: Int = 4_096) -> Tone {
    var tone = Tone(frequency: frequency, level: -6)
    tone.lineFrames = frames
    return tone
  }

  @Test(
    "the whole power is in one line, without a window", arguments: [20, 997, 12_345.678, 23_990])
  func power(frequency: Double) throws {
    let offline = try OfflineTone(locked(frequency), fade: 0)
    offline.render(4_096)
    var real = offline.signal.samples
    var imaginary = [Double](repeating: 0, count: 4_096)
    fourierTransform(&real, &imaginary)
    let line = Int((frequency * 4_096 / 48_000).rounded())
    let power = (0...2_048).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    let rest = power.enumerated().reduce(0.0) { $1.offset == line ? $0 : $0 + $1.element }
    #expect(10 * log10(rest / power[line]) < -130)
  }

  @Test("the line is the nearest above zero, up to half the rate")
  func limits() {
    #expect(locked(0.01).lockedFrequency(0.01, sampleRate: 48_000) == 48_000.0 / 4_096)
    #expect(locked(1).lockedFrequency(1e9, sampleRate: 48_000) == 24_000)
    #expect(Tone().lockedFrequency(123.4, sampleRate: 48_000) == 123.4)
    #expect(abs(locked(997).lockedFrequency(997, sampleRate: 44_100) - 44_100 * 93 / 4_096) < 1e-9)
  }

  @Test("it is locked and unlocked while it plays")
  func changes() throws {
    let offline = try OfflineTone(Tone(frequency: 1_000, level: -6))
    offline.render(seconds: 0.3)
    offline.source.tone.lineFrames = 1_024
    offline.render(seconds: 0.3)
    let expected = 48_000.0 * 21 / 1_024
    let end = offline.signal.dropping(16_000)
    #expect(abs(end.tone(near: expected).frequency - expected) < 1e-3)
    offline.source.tone.lineFrames = nil
    offline.render(seconds: 0.3)
    #expect(abs(offline.signal.dropping(30_000).tone(near: 1_000).frequency - 1_000) < 1e-3)
  }
}
