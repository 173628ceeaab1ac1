// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing
import Testing

@Suite("Spectral stretching")
struct SpectralStretcherTests {
  /// The stretched version of a mono sound, in slices of these lengths in turn. `motion` is the
  /// rate and pitch at an output frame, `smoothness` that of the options from there on.
  private func stretched(
    _ sound: [Float], frames: Int, slices: [Int] = [64], options: StretchOptions = StretchOptions(),
    smoothness: ((Int) -> StretchOptions.Smoothness)? = nil,
    motion: (Int) -> (rate: Float, cents: Float)
  ) -> (sound: [Float], latency: Double) {
    let longest = slices.max() ?? 64
    var stretcher = SpectralStretcher(
      channelCount: 1, sampleRate: 48_000, maximumFrames: longest)
    stretcher.options = options
    stretcher.reset()
    let first = motion(0)
    let latency = stretcher.latency(rate: first.rate, cents: first.cents, options.smoothness)
    // No slice crosses a change: changes are multiples of 256 frames apart.
    let rendered = StretchSounds.stretched(sound, frames: frames, slices: slices) {
      count, rendered, output, input in
      let (rate, cents) = motion(rendered)
      if let smoothness { stretcher.options.smoothness = smoothness(rendered) }
      let needed = stretcher.prepare(
        count, rate: rate, rateSlope: 0, cents: cents, centsSlope: 0)
      withUnsafePointer(to: input(needed)) { stretcher.consume($0, frames: needed) }
      withUnsafePointer(to: output) { stretcher.render(to: $0, offset: 0, frames: count) }
    }
    return (rendered, latency)
  }

  @Test(
    "keeps a chord steady under onsets, with longer frames more so",
    arguments: [0.8, 1.25] as [Float],
    [(.usual, -29), (.dense, -30)] as [(StretchOptions.Smoothness, Double)])
  func padUnderHits(rate: Float, frames: (smoothness: StretchOptions.Smoothness, level: Double)) {
    let (sound, _) = StretchSounds.onsets(over: 0.04)
    var options = StretchOptions()
    options.smoothness = frames.smoothness
    let output = stretched(sound, frames: Int(96_000 / rate), options: options) { _ in (rate, 0) }
      .sound
    #expect(StretchSounds.sidebands(output, from: 20_000) < frames.level)
  }

  @Test(
    "plays onsets over a chord on time, with their attack",
    arguments: [0.8, 1.25] as [Float])
  func hitsOverPad(rate: Float) {
    let (sound, positions) = StretchSounds.onsets(over: 0.04)
    let (output, latency) = stretched(sound, frames: Int(100_000 / rate) + 9_000) { _ in (rate, 0) }
    /// Energy of the differences.
    func energy(_ sound: [Float], _ range: Range<Int>) -> Float {
      range.reduce(0) { $0 + (sound[$1] - sound[$1 - 1]) * (sound[$1] - sound[$1 - 1]) }
    }
    for position in positions {
      let time = Int((Double(position) / Double(rate) + latency).rounded())
      let before = energy(output, time - 480..<time - 10)
      let after = energy(output, time..<time + 470)
      #expect(before < 1e-3 * after, "the onset at \(position)")
      #expect(
        abs(after / energy(sound, position..<position + 470) - 1) < 0.1, "the onset at \(position)")
    }
  }

  /// Clicks, bursts of noise and low drums in turn, some 150 ms apart.
  private static let hits: (sound: [Float], positions: [Int]) = {
    var random = Xoshiro256(seed: 5)
    var sound = [Float](repeating: 0, count: 200_000)
    let positions = (0..<24).map { 9_000 + $0 * 7_300 + Int(600 * random.nextSample()) }
    for (number, position) in positions.enumerated() {
      let gain: Float = [0.9, 0.6, 0.75, 0.5][number % 4]
      for frame in 0..<(number % 3 == 0 ? 1 : 6_000) {
        let turns = 60 * Double(frame) / 48_000
        let sample: Float =
          switch number % 3 {
          case 0: 1
          case 1: random.nextSample()
          default: 0.8 * Float(SteppedTransform.cosine(turns: turns))
          }
        sound[position + frame] += gain * Elementary.exp2(-Float(frame) / 500) * sample
      }
    }
    return (sound, positions)
  }()

  /// The first frame within a range that reaches half of its peak, and that peak.
  private func attack(_ sound: [Float], _ range: Range<Int>) -> (frame: Int, peak: Float) {
    let peak = sound[range].reduce(0) { max($0, abs($1)) }
    return (range.first { abs(sound[$0]) >= 0.5 * peak } ?? range.lowerBound, peak)
  }

  @Test(
    "plays every hit within 3 ms and 1 dB at any rate",
    arguments: [0.25, 0.5, 1.25, 1.45, 2, 2.5, 3, 3.75, 4, 5, 6, 7, 8] as [Float],
    [StretchOptions.Smoothness.usual, .short])
  func hits(rate: Float, smoothness: StretchOptions.Smoothness) {
    let (sound, positions) = Self.hits
    var options = StretchOptions()
    options.smoothness = smoothness
    let (output, latency) = stretched(
      sound, frames: Int(200_000 / rate) + 9_000, options: options
    ) { _ in (rate, 0) }
    for position in positions {
      let hit = attack(sound, position..<position + 480)
      let time = Int((Double(hit.frame) / Double(rate) + latency).rounded())
      let played = attack(output, time - 144..<time + 240)
      #expect(abs(played.frame - time) <= 144, "the hit at \(position)")
      #expect(abs(Decibels.level(Double(played.peak / hit.peak))) < 1, "the hit at \(position)")
    }
  }

  @Test(
    "gives the same bits in slices of any size, at any rate",
    arguments: [
      [(32, 0)], [(32, -2_400), (8, 1_200)], [(1, 0), (32, 2_400), (0.031_25, 0), (25, -700)],
    ] as [[(Float, Float)]], [StretchOptions.Smoothness.usual, .short, .densest])
  func slices(motions: [(Float, Float)], smoothness: StretchOptions.Smoothness) {
    let (sound, _) = StretchSounds.onsets(over: 0.1, count: 400_000)
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

  /// Every change from one of the modes to another.
  private static let modes: [StretchOptions.Smoothness] = [
    .usual, .short, .usual, .dense, .usual, .densest, .dense, .densest, .short, .densest, .usual,
    .short, .dense, .short, .usual,
  ]

  @Test(
    "gives the same bits in slices of any size while the smoothness changes",
    arguments: [256, 1_792, 4_608], [0.7, 1, 1.9] as [Float])
  func slicesOfChanges(distance: Int, rate: Float) {
    let (sound, _) = StretchSounds.onsets(over: 0.1, count: 100_000)
    func run(_ slices: [Int]) -> [Float] {
      let whole = stretched(
        sound, frames: 40_960, slices: slices,
        smoothness: { Self.modes[$0 / distance % Self.modes.count] },
        motion: { (rate, $0 / 10_240 % 2 == 0 ? 0 : 300) })
      return Array(whole.sound[..<40_960])
    }
    let whole = run([256])
    #expect(whole.contains { abs($0) > 0.05 })
    let (even, uneven) = (run([32]), run([1, 63, 128, 20, 44]))
    #expect(even.elementsEqual(whole) && uneven.elementsEqual(whole))
  }

  @Test(
    "keeps a tone steady while the smoothness changes", arguments: [0.5, 0.9, 1, 1.3, 2] as [Float])
  func tonesOfChanges(rate: Float) {
    let period = 64
    let sound = (0..<310_000).map { frame in
      0.5 * Float(SteppedTransform.cosine(turns: Double(frame % period) / Double(period)))
    }
    let (output, _) = stretched(
      sound, frames: 8_192 * 18, smoothness: { Self.modes[$0 / 8_192 % Self.modes.count] },
      motion: { _ in (rate, 0) })
    let error = (16_384..<output.count).map { abs(output[$0] - output[$0 - period]) }.max() ?? 1
    #expect(error < 0.000_1)
  }

  @Test(
    "has the latency of the new smoothness soon after a change",
    arguments: modes.indices.dropFirst())
  func latencyOfChanges(index: Int) {
    let (before, after) = (Self.modes[index - 1], Self.modes[index])
    var sound = [Float](repeating: 0, count: 30_000)
    sound[20_000] = 0.9
    var options = StretchOptions()
    options.smoothness = after
    let (output, latency) = stretched(
      sound, frames: 30_000, options: options, smoothness: { $0 < 12_288 ? before : after },
      motion: { _ in (1, 0) })
    let place = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? 0
    #expect(place == 20_000 + Int(latency))
  }
}
