// SPDX-License-Identifier: Apache-2.0
import CAllocationProbe
import Testing
import ToneModel

@Suite("Heap probe of the tone generator", .serialized)
struct ToneMixProbeTests {
  @Test("counts nothing while all parameters of eight tones change")
  func mix() throws {
    let tones = (1...8).map { Tone(frequency: 300 * Double($0), level: -30) }
    let mix = try ToneMix(tones, sampleRate: 48_000)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 1_024)
    defer { samples.deallocate() }
    var operations: Int64 = 0
    for round in 0..<60 {
      var changed = tones
      for index in changed.indices {
        changed[index].frequency += Double(round)
        changed[index].level -= Double(round % 7)
        changed[index].waveform = ToneWaveform.allCases[(round / 10 + index) % 6]
        changed[index].phase = Double(round)
        changed[index].side = ToneSide.allCases[round / 20]
        if round % 20 > 10 { changed[index].sweep = ToneSweep(seconds: Double(1 + round)) }
      }
      mix.tones = changed
      let before = heap_operations()
      mix.render(512, samples, samples + 512)
      operations += heap_operations() - before
    }
    #expect(operations == 0)
  }
}
