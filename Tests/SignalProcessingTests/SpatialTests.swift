// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation
import SignalProcessing
import Testing

@Suite("Variable rate")
struct VariableRateTests {
  /// Plays a sine at the rates in turn, 100 frames each.
  private func play(_ frequency: Double, _ rates: [Float], frames: Int) -> Signal {
    var converter = VariableRateConverter(channelCount: 1, maximumFrames: 100)
    var (samples, position) = ([Float](), 0)
    while samples.count < frames {
      converter.set(rate: rates[samples.count / 100 % rates.count])
      let needed = converter.inputFramesNeeded(for: 100)
      var input = (0..<needed).map {
        Float(sin(2 * .pi * frequency * Double(position + $0) / 48_000))
      }
      position += needed
      var output = [Float](repeating: 0, count: 100)
      input.withUnsafeMutableBufferPointer { from in
        output.withUnsafeMutableBufferPointer { to in
          guard let from = from.baseAddress, let to = to.baseAddress else { return }
          var (source, target) = (UnsafePointer(from), to)
          converter.consume(&source, frames: needed)
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

  @Test("does not alias frequencies that the rate moves beyond half the sample rate")
  func folding() {
    let rest = play(15_000, [2], frames: 24_000).dropping(2_000)
    #expect(decibels(rest.rms) < -80)
  }

  @Test("continues smoothly from rate to rate")
  func changes() {
    let played = play(300, [1, 1.7, 0.5, 2, 0.9], frames: 24_000).dropping(500).samples
    let largest = zip(played, played.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    // The largest step is the steepest slope, at twice the pitch.
    #expect(largest < 2 * .pi * 600 / 48_000 * 1.02)
  }

  @Test("requests exactly the input that a path of several rates needs")
  func path() {
    var converter = VariableRateConverter(channelCount: 1, maximumFrames: 100)
    let (lengths, rates): ([Int32], [Float]) = ([16, 1, 50, 33], [1.5, 0.5, 2, 1.0625])
    let needed = converter.inputFramesNeeded(lengths: lengths, rates: rates, count: 4)
    var input = (0..<needed).map { Float($0) }
    var output = [Float](repeating: 0, count: 100)
    input.withUnsafeMutableBufferPointer { from in
      output.withUnsafeMutableBufferPointer { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        var (source, target, frame) = (UnsafePointer(from), to, 0)
        converter.consume(&source, frames: needed)
        for (length, rate) in zip(lengths, rates) {
          converter.set(rate: rate)
          #expect(converter.inputFramesNeeded(for: Int(length)) == 0)
          converter.render(to: &target, offset: frame, frames: Int(length))
          frame += Int(length)
        }
      }
    }
    // A ramp shows the source position: 24, 0.5, 100 and 32 times 1.0625 frames up to the last
    // output.
    #expect(converter.inputFramesNeeded(for: 1) > 0)
    let latency = Float(converter.latencyFrames)
    #expect(abs(output[99] - (24 + 0.5 + 100 + 32 * 1.0625 - latency)) < 0.05)
    #expect(converter.inputFramesNeeded(lengths: lengths, rates: rates, count: 0) == 0)
  }
}

@Suite("Head orientation")
struct HeadOrientationTests {
  /// The rotation by matrices.
  private func expected(_ head: HeadOrientation, _ azimuth: Double, _ elevation: Double) -> [Double]
  {
    func radians(_ degrees: Float) -> Double { Double(degrees) * .pi / 180 }
    let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
    var v = [cos(e) * sin(a), cos(e) * cos(a), sin(e)]
    func rotate(_ from: Int, _ to: Int, _ angle: Double) {
      (v[from], v[to]) = (
        v[from] * cos(angle) - v[to] * sin(angle), v[to] * cos(angle) + v[from] * sin(angle)
      )
    }
    // Opposite to the rotations of the head: right from front, front from top, top from right.
    rotate(0, 1, radians(head.yaw))
    rotate(2, 1, radians(head.pitch))
    rotate(0, 2, radians(head.roll))
    return v
  }

  @Test(
    "gives the same directions as rotation matrices", arguments: [-150, -40, 0, 33, 90] as [Float])
  func matrices(yaw: Float) {
    for (pitch, roll) in [(0, 0), (30, 0), (-90, 0), (0, 45), (20, -170)] as [(Float, Float)] {
      let head = HeadOrientation(yaw: yaw, pitch: pitch, roll: roll)
      for (azimuth, elevation) in [(0, 0), (90, 0), (-120, 30), (10, -80), (0, 90)]
        as [(Float, Float)]
      {
        let relative = head.relativeDirection(azimuth: azimuth, elevation: elevation)
        let expected = self.expected(head, Double(azimuth), Double(elevation))
        for axis in 0..<3 { #expect(abs(Double(relative[axis]) - expected[axis]) < 2e-6) }
      }
    }
  }
}
