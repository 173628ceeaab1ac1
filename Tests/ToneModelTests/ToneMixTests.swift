// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Mix of tones")
struct ToneMixTests {
  /// The two channels of a mix that is pulled directly.
  private func render(
    _ mix: ToneMix, _ count: Int, slice: Int = 512
  ) -> (left: Signal, right: Signal) {
    var left = [Float](repeating: 9, count: count)
    var right = left
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return }
        for start in stride(from: 0, to: count, by: slice) {
          mix.render(min(slice, count - start), first + start, second + start)
        }
      }
    }
    return (Signal(left, sampleRate: mix.sampleRate), Signal(right, sampleRate: mix.sampleRate))
  }

  private func mix(_ tones: [Tone], fade: Double = 0, rate: Double = 48_000) throws -> ToneMix {
    try ToneMix(tones, sampleRate: rate, fade: fade)
  }

  @Test("a single tone is pure to -145 dB and has its exact level, on both sides")
  func alone() throws {
    let (left, right) = render(try mix([Tone(frequency: 997, level: -6)]), 48_000)
    #expect(left.samples == right.samples)
    #expect(left.distortionAndNoise(at: 997) < -145)
    #expect(Float(left.peak) == Float(Decibels.ratio(-6)))
  }

  @Test("eight tones play together, each at its frequency and level")
  func eight() throws {
    let tones = (1...8).map { Tone(frequency: Double($0) * 1_000 + 7, level: -25 - Double($0)) }
    let (left, _) = render(try mix(tones), 48_000)
    for tone in tones {
      let fit = left.tone(at: tone.frequency)
      #expect(abs(fit.amplitude / tone.amplitude - 1) < 1e-5)
    }
    let sum = tones.reduce(into: Signal(Array(repeating: 0.0, count: 48_000))) { sum, tone in
      let sine = Signal.sine(tone.frequency, amplitude: tone.amplitude)
      sum.samples = zip(sum.samples, sine.samples).map { $0 + $1 }
    }
    #expect(left.largestDifference(from: sum) < 2e-7)
  }

  @Test("a tone on one side leaves the other silent")
  func sides() throws {
    var tones = [Tone(frequency: 440), Tone(frequency: 660)]
    tones[0].side = .left
    tones[1].side = .right
    let (left, right) = render(try mix(tones), 48_000)
    #expect(left.distortionAndNoise(at: 440) < -140)
    #expect(right.distortionAndNoise(at: 660) < -140)
  }

  @Test("the right side is ahead by the phase", arguments: [-120, 0, 45, 90, 180] as [Double])
  func phase(degrees: Double) throws {
    var tone = Tone(frequency: 1_000)
    tone.phase = degrees
    let (left, right) = render(try mix([tone]), 48_000)
    let ahead = right.tone(at: 1_000).phase - left.tone(at: 1_000).phase - degrees / 360
    #expect(abs(ahead - ahead.rounded()) < 1e-6)
    #expect(right.distortionAndNoise(at: 1_000) < -145)
  }

  @Test("an inverted side is the negative of the other")
  func inverted() throws {
    var tone = Tone(frequency: 300, waveform: .saw)
    tone.isInverted = true
    let (left, right) = render(try mix([tone]), 4_800)
    #expect(left.samples == right.samples.map { -$0 })
  }

  @Test("does not depend on the slice size", arguments: [1, 37, 1_000])
  func slices(slice: Int) throws {
    func sweep(slice: Int) throws -> Signal {
      var tone = Tone(frequency: 500)
      tone.sweep = ToneSweep(from: 100, to: 5_000, seconds: 0.1, atEnd: .back)
      return render(try mix([tone, Tone(frequency: 900)], fade: 0.04), 20_000, slice: slice).left
    }
    #expect(try sweep(slice: slice).largestDifference(from: sweep(slice: 512)) < 2e-7)
  }

  @Test("changes of side, phase, duty and number are free of clicks")
  func changes() throws {
    let mix = try mix([Tone(frequency: 500, level: -12)], fade: ToneSource.standardFade)
    var all = (left: Signal([Double]()), right: Signal([Double]()))
    func renderPiece() {
      let piece = render(mix, 9_600)
      all.left.samples += piece.left.samples
      all.right.samples += piece.right.samples
    }
    renderPiece()
    mix.tones[0].phase = 90
    renderPiece()
    mix.tones[0].isInverted = true
    renderPiece()
    mix.tones[0].side = .left
    renderPiece()
    mix.tones.append(Tone(frequency: 700, level: -12))
    renderPiece()
    mix.tones.removeLast()
    renderPiece()
    mix.tones[0].side = .right
    renderPiece()
    let highest = 2 * Decibels.ratio(-12)
    #expect(all.left.largestBend(frequency: 700, amplitude: highest) < 1.01)
    // While the phase moves by a quarter within a glide, the frequency is higher.
    #expect(all.right.largestBend(frequency: 900, amplitude: highest) < 1.01)
    #expect(all.left.dropping(7 * 9_600 - 2_400).peak == 0)
  }

  @Test("remaining tones are unchanged when another is removed")
  func leaving() throws {
    let tones = [300.0, 500, 700, 900].map { Tone(frequency: $0) }
    let mix = try mix(tones, fade: ToneSource.standardFade)
    _ = render(mix, 9_600)
    mix.tones.remove(at: 1)
    // Nothing glides: after the fade, the other three tones are as if they had always been alone.
    let left = render(mix, 9_600).left
    let rest = try self.mix([tones[0], tones[2], tones[3]], fade: ToneSource.standardFade)
    _ = render(rest, 9_600)
    let others = render(rest, 9_600).left
    #expect(left.dropping(2_400).largestDifference(from: others.dropping(2_400)) < 1e-6)
    for (index, tone) in mix.tones.enumerated() {
      #expect(mix.reachedFrequency(index) == tone.frequency)
    }
  }

  @Test("the noises of two tones are uncorrelated")
  func noises() throws {
    var tones = [Tone(waveform: .whiteNoise), Tone(waveform: .whiteNoise)]
    tones[0].side = .left
    tones[1].side = .right
    let (left, right) = render(try mix(tones, fade: 0), 48_000)
    let product = zip(left.samples, right.samples).map { $0 * $1 }.reduce(0, +) / 48_000
    let power = left.samples.map { $0 * $0 }.reduce(0, +) / 48_000
    #expect(abs(product / power) < 0.02)
    #expect(power > 0)
  }

  @Test("is over when every tone is, and ends with silence")
  func end() throws {
    let mix = try mix([Tone(), Tone(frequency: 900)], fade: ToneSource.standardFade)
    _ = render(mix, 4_800)
    #expect(!mix.isOver)
    mix.close()
    let rest = render(mix, 9_600).left
    #expect(mix.isOver)
    #expect(rest.dropping(4_800).peak == 0)
  }

  @Test("provides the last frames for display")
  func tap() throws {
    let mix = try mix([Tone(frequency: 440, level: -6)])
    let (left, _) = render(mix, 40_000, slice: 333)
    #expect(mix.tap.last(1_000, channel: 0).map(Double.init) == Array(left.samples.suffix(1_000)))
  }
}

@Suite("Sweep")
struct SweepTests {
  private func render(_ sweep: ToneSweep, seconds: Double) throws -> Signal {
    var tone = Tone(frequency: 1_000, level: -6)
    tone.sweep = sweep
    let mix = try ToneMix([tone], sampleRate: 48_000, fade: 0)
    var left = [Float](repeating: 0, count: Int(seconds * 48_000))
    var right = left
    mix.render(left.count, &left, &right)
    return Signal(left)
  }

  @Test(
    "follows its frequencies, with continuous phase",
    arguments: [
      ToneSweep(from: 100, to: 10_000, seconds: 2, shape: .logarithmic, atEnd: .hold),
      ToneSweep(from: 4_000, to: 200, seconds: 2, shape: .linear, atEnd: .hold),
      ToneSweep(from: 500, to: 2_000, seconds: 0.5, shape: .logarithmic, atEnd: .back),
    ])
  func course(sweep: ToneSweep) throws {
    let signal = try render(sweep, seconds: 2.5)
    // A step of phase would bend the wave more than its highest tone does.
    let highest = max(sweep.start, sweep.end)
    #expect(signal.largestBend(frequency: highest, amplitude: Decibels.ratio(-6)) < 1.001)
    // The phase between two times is the integral of the frequency; the glide delays it by half of
    // its length.
    for time in [0.3, 0.9, 1.4, 2.2] {
      let start = Int(time * 48_000)
      let piece = signal[start..<start + 240]
      let middle = time + 0.0025 - 0.003
      let fit = piece.tone(near: sweep.frequency(at: middle))
      #expect(abs(fit.frequency / sweep.frequency(at: middle) - 1) < 0.005, "at \(time) s")
    }
  }

  @Test("restarts without a click")
  func again() throws {
    let sweep = ToneSweep(from: 200, to: 2_000, seconds: 0.2, atEnd: .again)
    let signal = try render(sweep, seconds: 1)
    #expect(signal.largestBend(frequency: 2_000, amplitude: Decibels.ratio(-6)) < 1.001)
    let time = 0.85
    let start = Int(time * 48_000)
    let fit = signal[start..<start + 480].tone(near: sweep.frequency(at: time + 0.002))
    #expect(abs(fit.frequency / sweep.frequency(at: time + 0.002) - 1) < 0.02)
  }

  @Test("holds its end exactly")
  func hold() throws {
    let sweep = ToneSweep(from: 300, to: 1_234.5, seconds: 0.3, shape: .linear, atEnd: .hold)
    let signal = try render(sweep, seconds: 1)
    #expect(signal.dropping(24_000).distortionAndNoise(at: 1_234.5) < -140)
  }
}
