// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing
import Testing

@Suite("Time-domain stretching")
struct TimeDomainStretcherTests {
  /// The stretched version of a mono sound, in slices of these lengths in turn. `rate` is the rate
  /// at an output frame.
  private func stretched(
    _ sound: [Float], frames: Int, slices: [Int] = [64], sampleRate: Double = 48_000,
    rate: (Int) -> Float
  ) -> (sound: [Float], latency: Double) {
    let longest = slices.max() ?? 64
    var stretcher = TimeDomainStretcher(
      channelCount: 1, sampleRate: sampleRate, maximumFrames: longest)
    let latency = stretcher.latency(rate: rate(0))
    // No slice crosses a change of the rate: changes are 64 frames apart.
    let rendered = StretchSounds.stretched(sound, frames: frames, slices: slices) {
      count, rendered, output, input in
      let needed = stretcher.prepare(count, rate: rate(rendered), slope: 0)
      withUnsafePointer(to: input(needed)) { stretcher.consume($0, frames: needed) }
      withUnsafePointer(to: output) { stretcher.render(to: $0, offset: 0, frames: count) }
    }
    return (rendered, latency)
  }

  /// Single samples of different heights, 30 to 110 ms apart.
  private func clicks(seed: UInt64, over pad: Float = 0) -> (sound: [Float], positions: [Int]) {
    var random = Xoshiro256(seed: seed)
    var sound = [Float](repeating: 0, count: 96_000)
    var positions: [Int] = []
    var position = 1_500 + Int(900 * (1 + random.nextSample()))
    for frame in sound.indices {
      let turns = Double(frame) / 48_000
      sound[frame] =
        pad
        * Float(
          SteppedTransform.cosine(turns: 196 * turns)
            + SteppedTransform.cosine(turns: 261.6 * turns))
    }
    while position < sound.count - 100 {
      positions.append(position)
      sound[position] += 0.7 + 0.2 * random.nextSample()
      position += 1_440 + Int(1_920 * (1 + random.nextSample()))
    }
    return (sound, positions)
  }

  @Test(
    "plays each of many clicks once, within a millisecond of its time",
    arguments: [0.04, 0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2] as [Float])
  func manyClicks(rate: Float) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let (sound, positions) = clicks(seed: seed)
      let length = Int(100_000 / rate) + 8_000
      let (output, latency) = stretched(sound, frames: length) { _ in rate }
      let found = output.indices.filter { output[$0].magnitude > 0.05 }
      #expect(found.count == positions.count)
      for (position, frame) in zip(positions, found) {
        #expect(output[frame] == sound[position])
        // Onsets count as beginning four frames early.
        let late = Double(frame) - latency - Double(position) / Double(rate)
        #expect(abs(late) < 50 + 4 / Double(rate), "the click at \(position)")
      }
    }
  }

  @Test("plays clicks over a chord once, on time", arguments: [0.5, 0.8, 1.25, 2] as [Float])
  func clicksOverPad(rate: Float) {
    let (sound, positions) = clicks(seed: 3, over: 0.02)
    let (output, latency) = stretched(sound, frames: Int(100_000 / rate) + 8_000) { _ in rate }
    let found = output.indices.filter { output[$0].magnitude > 0.2 }
    #expect(found.count == positions.count)
    for (position, frame) in zip(positions, found) {
      let late = Double(frame) - latency - Double(position) / Double(rate)
      #expect(abs(late) < 50 + 4 / Double(rate), "the click at \(position)")
    }
  }

  @Test("joins a chord under onsets", arguments: [(0.8, -15.5), (2, -8.5)] as [(Float, Double)])
  func chord(rate: Float, most: Double) {
    let (sound, _) = StretchSounds.onsets(over: 0.04, count: 192_000)
    let output = stretched(sound, frames: Int(192_000 / rate)) { _ in rate }.sound
    #expect(StretchSounds.sidebands(output, from: 20_000) < most)
  }

  @Test(
    "gives the same bits in slices of any size, at any rate and with dense onsets",
    arguments: [
      [4, 0.031_25], [0.2, 3], [8, 0.05], [2, 0.5], [7, 1], [32], [9, 32, 0.031_25], [17, 24, 1],
    ] as [[Float]])
  func slices(rates: [Float]) {
    var (sound, _) = clicks(seed: 5, over: 0.03)
    // Growing onsets are detected however close they are.
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
    "finds the position from which the sound continues",
    arguments: [(3_001, 5_000), (3_000, 5_001), (3_001, 5_003), (3_000, 4_802)])
  func search(natural: Int, position: Int) {
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    var input = InputHistory(channelCount: 2, frames: 8_192, in: memory)
    var search = SimilaritySearch(channelCount: 2, length: 384, historyFrames: 8_192, in: memory)
    var random = Xoshiro256(seed: 7)
    let sound = memory.array(8_000, of: Float(0))
    // Little of it remains at half the rate.
    for index in 0..<8_000 { sound[index] = random.nextSample() * (index % 2 == 0 ? 1 : -0.7) }
    for index in 0..<400 { sound[position + index] = sound[natural + index] }
    let negative = memory.array(8_000, of: Float(0))
    for index in 0..<8_000 { negative[index] = -sound[index] }
    let channels = memory.array(2, of: UnsafePointer(sound))
    // Opposite channels do not cancel.
    channels[1] = UnsafePointer(negative)
    input.append(channels, frames: 8_000)
    search.update(input)
    search.begin(natural: natural, from: 4_800, to: 5_520, middle: 5_160, breadth: 360)
    for part in 1...5 { search.advance(part, of: 5) }
    #expect(search.finish(input) == position)
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
