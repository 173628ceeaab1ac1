// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing
import Testing

@Suite("Stretching in the time domain")
struct TimeDomainStretcherTests {
  /// What comes of a mono sound, in slices of these lengths in turn, at the rates that a function tells for
  /// the output's frames.
  private func stretched(
    _ sound: [Float], frames: Int, slices: [Int] = [64], sampleRate: Double = 48_000,
    rate: (Int) -> Float
  ) -> (sound: [Float], latency: Double) {
    let longest = slices.max() ?? 64
    var stretcher = TimeDomainStretcher(
      channelCount: 1, sampleRate: sampleRate, maximumFrames: longest)
    let latency = stretcher.latency(rate: rate(0))
    // No slice crosses a change of the rate, which are 64 frames apart.
    let made = StretchSounds.stretched(sound, frames: frames, slices: slices) {
      count, made, output, input in
      let needed = stretcher.prepare(count, rate: rate(made), slope: 0)
      withUnsafePointer(to: input(needed)) { stretcher.consume($0, frames: needed) }
      withUnsafePointer(to: output) { stretcher.render(to: $0, offset: 0, frames: count) }
    }
    return (made, latency)
  }

  /// Single samples, each of a height of its own, 30 to 110 ms apart.
  private func clicks(seed: UInt64, over pad: Float = 0) -> (sound: [Float], places: [Int]) {
    var random = Xoshiro256(seed: seed)
    var sound = [Float](repeating: 0, count: 96_000)
    var places: [Int] = []
    var place = 1_500 + Int(900 * (1 + random.nextSample()))
    for frame in sound.indices {
      let turns = Double(frame) / 48_000
      sound[frame] =
        pad
        * Float(
          SteppedTransform.cosine(turns: 196 * turns)
            + SteppedTransform.cosine(turns: 261.6 * turns))
    }
    while place < sound.count - 100 {
      places.append(place)
      sound[place] += 0.7 + 0.2 * random.nextSample()
      place += 1_440 + Int(1_920 * (1 + random.nextSample()))
    }
    return (sound, places)
  }

  @Test(
    "plays each of many clicks once, within a millisecond of its time",
    arguments: [0.04, 0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2] as [Float])
  func manyClicks(rate: Float) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let (sound, places) = clicks(seed: seed)
      let length = Int(100_000 / rate) + 8_000
      let (heard, latency) = stretched(sound, frames: length) { _ in rate }
      let found = heard.indices.filter { heard[$0].magnitude > 0.05 }
      #expect(found.count == places.count)
      for (place, frame) in zip(places, found) {
        #expect(heard[frame] == sound[place])
        // Hits are taken to begin four frames early.
        let late = Double(frame) - latency - Double(place) / Double(rate)
        #expect(abs(late) < 50 + 4 / Double(rate), "the click at \(place)")
      }
    }
  }

  @Test("plays clicks over a chord once, in their time", arguments: [0.5, 0.8, 1.25, 2] as [Float])
  func clicksOverPad(rate: Float) {
    let (sound, places) = clicks(seed: 3, over: 0.02)
    let (heard, latency) = stretched(sound, frames: Int(100_000 / rate) + 8_000) { _ in rate }
    let found = heard.indices.filter { heard[$0].magnitude > 0.2 }
    #expect(found.count == places.count)
    for (place, frame) in zip(places, found) {
      let late = Double(frame) - latency - Double(place) / Double(rate)
      #expect(abs(late) < 50 + 4 / Double(rate), "the click at \(place)")
    }
  }

  @Test("joins a chord under hits", arguments: [(0.8, -15.5), (2, -8.5)] as [(Float, Double)])
  func chord(rate: Float, most: Double) {
    let (sound, _) = StretchSounds.hits(over: 0.04, count: 192_000)
    let heard = stretched(sound, frames: Int(192_000 / rate)) { _ in rate }.sound
    #expect(StretchSounds.sidebands(heard, from: 20_000) < most)
  }

  @Test(
    "gives the same bits in any slices, whatever the rates and however dense the hits",
    arguments: [
      [4, 0.031_25], [0.2, 3], [8, 0.05], [2, 0.5], [7, 1], [32], [9, 32, 0.031_25], [17, 24, 1],
    ] as [[Float]])
  func slices(rates: [Float]) {
    var (sound, _) = clicks(seed: 5, over: 0.03)
    // Hits that grow are found however close they are.
    for index in 0..<24 { sound[30_000 + 530 * index] = 0.001 * Float(1 << index) }
    func run(_ slices: [Int]) -> [Float] {
      let whole = stretched(sound, frames: 40_960, slices: slices) {
        rates[$0 / 4_096 % rates.count]
      }
      return Array(whole.sound[..<40_960])
    }
    let whole = run([256])
    let (even, uneven) = (run([64]), run([1, 63, 128, 20, 44]))
    #expect(whole.contains { $0 > 0.3 })
    #expect(even.elementsEqual(whole) && uneven.elementsEqual(whole))
  }

  @Test(
    "finds the place that the sound continues from",
    arguments: [(3_001, 5_000), (3_000, 5_001), (3_001, 5_003), (3_000, 4_802)])
  func search(natural: Int, place: Int) {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    var input = InputHistory(channelCount: 2, frames: 8_192, in: memory)
    var search = SimilaritySearch(channelCount: 2, length: 384, historyFrames: 8_192, in: memory)
    var random = Xoshiro256(seed: 7)
    let sound = memory.array(8_000, of: Float(0))
    // Little of it is left at half the rate.
    for index in 0..<8_000 { sound[index] = random.nextSample() * (index % 2 == 0 ? 1 : -0.7) }
    for index in 0..<400 { sound[place + index] = sound[natural + index] }
    let negative = memory.array(8_000, of: Float(0))
    for index in 0..<8_000 { negative[index] = -sound[index] }
    let channels = memory.array(2, of: UnsafePointer(sound))
    // Opposite channels do not cancel.
    channels[1] = UnsafePointer(negative)
    input.append(channels, frames: 8_000)
    search.update(input)
    search.begin(natural: natural, from: 4_800, to: 5_520, middle: 5_160, breadth: 360)
    for part in 1...5 { search.advance(part, of: 5) }
    #expect(search.finish(input) == place)
  }

  @Test("stays in the middle of silence, and within its limits")
  func silence() {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let input = InputHistory(channelCount: 1, frames: 8_192, in: memory)
    var search = SimilaritySearch(channelCount: 1, length: 384, historyFrames: 8_192, in: memory)
    search.begin(natural: 1_000, from: 3_000, to: 3_720, middle: 3_360, breadth: 360)
    search.advance(1, of: 1)
    #expect(search.finish(input) == 3_360)
    search.begin(natural: 1_000, from: 3_001, to: 3_001, middle: 3_001, breadth: 360)
    search.advance(1, of: 1)
    #expect(search.finish(input) == 3_001)
  }
}
