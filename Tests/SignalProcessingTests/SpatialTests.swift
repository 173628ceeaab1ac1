// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation
import SignalProcessing
import Testing

@Suite("Rate that varies")
struct VariableRateTests {
  /// Plays a sine at rates that are used in turn, a slice of 100 frames each.
  private func play(_ frequency: Double, _ rates: [Float], frames: Int) -> Signal {
    var converter = VariableRateConverter(channelCount: 1, maximumFrames: 100)
    var (samples, position) = ([Float](), 0)
    while samples.count < frames {
      converter.set(rate: rates[samples.count / 100 % rates.count])
      let wanted = converter.inputFramesNeeded(for: 100)
      var input = (0..<wanted).map {
        Float(sin(2 * .pi * frequency * Double(position + $0) / 48_000))
      }
      position += wanted
      var output = [Float](repeating: 0, count: 100)
      input.withUnsafeMutableBufferPointer { from in
        output.withUnsafeMutableBufferPointer { to in
          guard let from = from.baseAddress, let to = to.baseAddress else { return }
          var (source, target) = (UnsafePointer(from), to)
          converter.take(&source, frames: wanted)
          converter.render(to: &target, frames: 100)
        }
      }
      samples += output
    }
    return Signal(samples)
  }

  @Test("changes the pitch by the rate", arguments: [0.5, 0.7, 0.999, 1, 1.3, 2] as [Float])
  func pitch(rate: Float) {
    let tone = play(997, [rate], frames: 48_000).dropping(2_000).tone(near: 997 * Double(rate))
    #expect(abs(tone.frequency / (997 * Double(rate)) - 1) < 1e-6)
    #expect(abs(tone.amplitude - 1) < 1e-3 && tone.distortionAndNoise < -80)
  }

  @Test("passes frames unchanged at a rate of one, after its latency")
  func unity() {
    let played = play(440, [1], frames: 1_000).samples
    let latency = VariableRateConverter(channelCount: 1, maximumFrames: 1).latencyFrames
    for frame in 0..<1_000 - latency {
      #expect(played[frame + latency] == Double(Float(sin(2 * .pi * 440 * Double(frame) / 48_000))))
    }
  }

  @Test("does not fold what the rate moves beyond half the sample rate")
  func folding() {
    let rest = play(15_000, [2], frames: 24_000).dropping(2_000)
    #expect(decibels(rest.rms) < -80)
  }

  @Test("goes on smoothly from rate to rate")
  func changes() {
    let played = play(300, [1, 1.7, 0.5, 2, 0.9], frames: 24_000).dropping(500).samples
    let largest = zip(played, played.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    // No step is larger than the steepest slope, that at twice the pitch.
    #expect(largest < 2 * .pi * 600 / 48_000 * 1.02)
  }
}
