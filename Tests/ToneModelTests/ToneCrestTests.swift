// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Crest factor of several tones")
struct ToneCrestTests {
  private let harmonics = (1...8).map { Tone(frequency: 100 * Double($0), level: -25) }

  /// The crest factor in dB of a second of tones with these initial phases.
  private func measured(_ tones: [Tone], _ phases: [Double]) throws -> Double {
    var tones = tones
    for (index, phase) in phases.enumerated() { tones[index].startPhase = phase }
    let mix = try ToneMix(tones, sampleRate: 192_000, fade: 0)
    var left = [Float](repeating: 0, count: 192_000)
    var right = left
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return }
        mix.render(left.count, first, second)
      }
    }
    let signal = Signal(left, sampleRate: 192_000)
    return decibels(signal.peak / signal.rms)
  }

  @Test("coinciding peaks are the highest: eight equal harmonics have 12 dB")
  func highest() throws {
    let crest = try ToneCrest(harmonics)
    let phases = try crest.phases(for: .highest)
    #expect(abs(try measured(harmonics, phases) - 12.04) < 0.02)
    #expect(abs(crest.level(at: phases) - 12.04) < 0.02)
  }

  @Test("the lowest is below that of Newman's phases, and measures as computed")
  func lowest() throws {
    let crest = try ToneCrest(harmonics)
    let phases = try crest.phases(for: .lowest)
    let newman = (0..<8).map { 180 * Double($0 * $0) / 8 }
    let level = try measured(harmonics, phases)
    #expect(level < crest.level(at: newman) - 0.1)
    #expect(level < 4.8)
    #expect(abs(level - crest.level(at: phases)) < 0.05)
    let again = try ToneCrest(harmonics).phases(for: .lowest)
    #expect(again == phases)
  }

  @Test("a crest between them can be chosen", arguments: [5.0, 6, 9, 11.5])
  func chosen(crest: Double) throws {
    let phases = try ToneCrest(harmonics).phases(for: .decibels(crest))
    #expect(abs(try measured(harmonics, phases) - crest) < 0.06)
  }

  @Test("octaves of unequal levels have a low crest too")
  func octaves() throws {
    let tones = (0..<7).map {
      Tone(frequency: 62.5 * exp2(Double($0)), level: -20 - 2 * Double($0))
    }
    let crest = try ToneCrest(tones)
    let lowest = try crest.phases(for: .lowest), highest = try crest.phases(for: .highest)
    #expect(try measured(tones, lowest) < measured(tones, highest) - 3)
  }

  @Test("impossible crest factors are reported")
  func mistakes() {
    #expect(throws: ToneError.self) { try ToneCrest([Tone()]) }
    #expect(throws: ToneError.self) { try ToneCrest([Tone(), Tone(waveform: .square)]) }
    let error = #expect(throws: ToneError.self) {
      try ToneCrest(self.harmonics).phases(for: .decibels(13))
    }
    #expect(error?.step.contains("12.04 dB, not 13.00") == true)
  }

  @Test("the model sets the phases of its tones, and keeps their levels")
  func model() throws {
    let model = ToneModel()
    try model.replaceTones(harmonics)
    let crest = try model.setCrest(.lowest)
    #expect(crest < 4.8)
    #expect(model.tones.map(\.startPhase) == (try ToneCrest(harmonics).phases(for: .lowest)))
    #expect(model.tones.map(\.level) == harmonics.map(\.level))
  }
}
