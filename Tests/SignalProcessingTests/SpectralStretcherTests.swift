// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing
import Testing

@Suite("Stretching by spectra")
struct SpectralStretcherTests {
  private let pad = [130.8, 196, 261.6, 329.6]

  /// What comes of a mono sound, in slices of these lengths in turn, at the rates and pitches that a function
  /// tells for the output's frames.
  private func stretched(
    _ sound: [Float], frames: Int, slices: [Int] = [64], options: StretchOptions = StretchOptions(),
    motion: (Int) -> (rate: Float, cents: Float)
  ) -> (sound: [Float], latency: Double) {
    let longest = slices.max() ?? 64
    var stretcher = SpectralStretcher(
      channelCount: 1, sampleRate: 48_000, maximumFrames: longest)
    stretcher.options = options
    stretcher.reset()
    let first = motion(0)
    let latency = stretcher.latency(rate: first.rate, cents: first.cents)
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let input = memory.array(33 * longest, of: Float(0))
    let output = memory.array(longest, of: Float(0))
    var (made, taken, turn): ([Float], Int, Int) = ([], 0, 0)
    while made.count < frames {
      // No slice crosses a change: these lie multiples of 256 frames apart.
      let count = slices[turn % slices.count]
      turn += 1
      let (rate, cents) = motion(made.count)
      let needed = stretcher.prepare(
        count, rate: rate, rateSlope: 0, cents: cents, centsSlope: 0)
      for index in 0..<needed {
        input[index] = taken + index < sound.count ? sound[taken + index] : 0
      }
      taken += needed
      withUnsafePointer(to: UnsafePointer(input)) { stretcher.take($0, frames: needed) }
      withUnsafePointer(to: output) { stretcher.render(to: $0, offset: 0, frames: count) }
      made += UnsafeBufferPointer(start: output, count: count)
    }
    return (made, latency)
  }

  /// Hits of noise, one of them with a tone in it, some 250 ms apart; over tones of a pad.
  private func hits(over pad: Float, count: Int = 96_000) -> (sound: [Float], places: [Int]) {
    var random = Xoshiro256(seed: 11)
    var sound = (0..<count).map { frame in
      pad
        * self.pad.reduce(Float(0)) {
          $0 + Float(SteppedTransform.sine(turns: $1 * Double(frame) / 48_000 + $1))
        }
    }
    var places: [Int] = []
    var place = 6_000
    while place < count - 6_000 {
      places.append(place)
      var (gain, last): (Float, Float) = (0.5, 0)
      for frame in 0..<5_000 {
        let noise = random.nextSample()
        sound[place + frame] += gain * (noise - last)
        if places.count % 2 == 0 {
          let turns = 700 * Double(frame) / 48_000
          sound[place + frame] += gain * Float(SteppedTransform.cosine(turns: turns))
        }
        last = noise
        gain *= 0.998_8
      }
      place += 11_000 + Int(1_000 * random.nextSample())
    }
    return (sound, places)
  }

  /// The energy 6 to 30 Hz beside two tones of the pad, against that of the tones, in decibels, over a second
  /// from a frame on.
  private func sidebands(_ sound: [Float], from first: Int) -> Double {
    var (tone, beside) = (0.0, 0.0)
    for frequency in [196, 261.6] {
      for offset in stride(from: -29.5, through: 29.5, by: 1) {
        let turn = (frequency + offset) / 48_000
        let step = (
          SteppedTransform.cosine(turns: turn), SteppedTransform.sine(turns: turn)
        )
        var (phasor, sum) = ((1.0, 0.0), (0.0, 0.0))
        for frame in 0..<48_000 {
          let sample = Double(sound[first + frame]) * window[frame]
          sum = (sum.0 + sample * phasor.0, sum.1 + sample * phasor.1)
          phasor = (
            phasor.0 * step.0 - phasor.1 * step.1, phasor.0 * step.1 + phasor.1 * step.0
          )
        }
        let power = sum.0 * sum.0 + sum.1 * sum.1
        if abs(offset) < 5 { tone += power } else if abs(offset) > 6 { beside += power }
      }
    }
    return Decibels.level((beside / tone).squareRoot())
  }

  /// Blackman's and Harris's, of a second.
  private let window: [Double] = (0..<48_000).map { frame in
    let turns = Double(frame) / 48_000
    return 0.358_75 - 0.488_29 * SteppedTransform.cosine(turns: turns)
      + 0.141_28 * SteppedTransform.cosine(turns: 2 * turns)
      - 0.011_68 * SteppedTransform.cosine(turns: 3 * turns)
  }

  @Test("keeps a chord steady under hits", arguments: [0.8, 1.25] as [Float])
  func padUnderHits(rate: Float) {
    let (sound, _) = hits(over: 0.04)
    let heard = stretched(sound, frames: Int(96_000 / rate)) { _ in (rate, 0) }.sound
    #expect(sidebands(heard, from: 20_000) < -30)
  }

  @Test(
    "plays hits over a chord in their time, as sudden as they are",
    arguments: [0.8, 1.25] as [Float])
  func hitsOverPad(rate: Float) {
    let (sound, places) = hits(over: 0.04)
    let (heard, latency) = stretched(sound, frames: Int(100_000 / rate) + 9_000) { _ in (rate, 0) }
    /// Energy of the differences.
    func energy(_ sound: [Float], _ range: Range<Int>) -> Float {
      range.reduce(0) { $0 + (sound[$1] - sound[$1 - 1]) * (sound[$1] - sound[$1 - 1]) }
    }
    for place in places {
      let time = Int((Double(place) / Double(rate) + latency).rounded())
      let before = energy(heard, time - 480..<time - 10)
      let after = energy(heard, time..<time + 470)
      #expect(before < 1e-3 * after, "the hit at \(place)")
      #expect(abs(after / energy(sound, place..<place + 470) - 1) < 0.1, "the hit at \(place)")
    }
  }

  @Test(
    "gives the same bits in any slices, however fast it plays",
    arguments: [
      [(32, 0)], [(32, -2_400), (8, 1_200)], [(1, 0), (32, 2_400), (0.031_25, 0), (25, -700)],
    ] as [[(Float, Float)]], [StretchOptions.Smoothness.usual, .short, .densest])
  func slices(motions: [(Float, Float)], smoothness: StretchOptions.Smoothness) {
    let (sound, _) = hits(over: 0.1, count: 400_000)
    var options = StretchOptions()
    options.smoothness = smoothness
    func run(_ slices: [Int]) -> [Float] {
      let whole = stretched(sound, frames: 16_384, slices: slices, options: options) {
        motions[$0 / 2_048 % motions.count]
      }
      return Array(whole.sound[..<16_384])
    }
    let whole = run([256])
    #expect(whole.contains { abs($0) > 0.05 })
    let (even, uneven) = (run([32]), run([1, 63, 128, 20, 44]))
    #expect(even.elementsEqual(whole) && uneven.elementsEqual(whole))
  }
}
