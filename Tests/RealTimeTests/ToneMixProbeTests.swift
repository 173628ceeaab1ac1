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
        let waveforms = ToneWaveform.allCases
        changed[index].waveform = waveforms[(round / 5 + index) % waveforms.count]
        changed[index].phase = Double(round)
        changed[index].side = ToneSide.allCases[round / 20]
        if round % 3 == 0 {
          changed[index].amplitudeModulation = AmplitudeModulation(
            frequency: 5, depth: Double(round))
          changed[index].frequencyModulation = FrequencyModulation(
            frequency: 5, deviation: Double(round))
        }
        if round % 4 == 0 { changed[index].timing = ToneTiming(duration: 0.1, pause: 0.1) }
        if round % 5 == 0 { changed[index].lineFrames = 1_024 }
        if round % 7 == 0 { changed[index].channels = [1 + round % 2] }
        if round % 20 > 15 { changed[index].sweep = ToneSweep(endLevel: -40, steps: 1 + round) }
        if round % 20 > 10, round % 20 < 16 {
          changed[index].sweep = ToneSweep(seconds: Double(1 + round))
        }
      }
      mix.tones = changed
      let before = heap_operations()
      mix.render(512, samples, samples + 512)
      operations += heap_operations() - before
    }
    #expect(operations == 0)
  }
}
