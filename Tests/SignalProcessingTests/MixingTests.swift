// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation
@testable import SignalProcessing
import Testing

@Suite("Mixing")
struct MixingTests {
  @Test("produces the same bits as its Swift version", arguments: [1, 2, 3, 4, 5, 8, 11])
  func reference(sources: Int) {
    let length = 103
    var generator = Xoshiro256(seed: 7)
    let memory = (0..<sources).map { _ in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: length)
      for index in 0..<length { samples[index] = generator.nextSample() }
      return samples
    }
    defer { for samples in memory { samples.deallocate() } }
    let pointers = memory.map { UnsafePointer($0) }
    let gains = (0..<sources).map { Float($0) * 0.3 - 0.7 }
    for count in [0, 1, 15, 16, 17, 64, length] {
      var (one, other) = (
        [Float](repeating: 9, count: length), [Float](repeating: 9, count: length)
      )
      MixKernel.mix(
        into: &one, count: count, sources: pointers, gains: gains, sourceCount: sources)
      MixOracle.mix(
        into: &other, count: count, sources: pointers, gains: gains, sourceCount: sources)
      #expect(one.map(\.bitPattern) == other.map(\.bitPattern))
      #expect(one[count...].allSatisfy { $0 == 9 })
      for index in 0..<count {
        let exact = (0..<sources).reduce(0.0) {
          $0 + Double(gains[$1]) * Double(pointers[$1][index])
        }
        #expect(abs(Double(one[index]) - exact) < 1e-6)
      }
    }
  }

  @Test("pans at constant power, monotonically")
  func pan() {
    var before: (Float, Float) = (2, -1)
    for step in 0...200 {
      let pan = Float(step) / 100 - 1
      let gains = StereoPan.mono(pan)
      #expect(abs(gains.left * gains.left + gains.right * gains.right - 1) < 1e-6)
      #expect(abs(Double(gains.left) - cos(Double(pan + 1) * .pi / 4)) < 1e-6)
      #expect(gains.left < before.0 && gains.right > before.1)
      before = (gains.left, gains.right)
    }
    #expect(StereoPan.mono(-1) == (1, 0) && StereoPan.mono(1) == (0, 1))
    #expect(StereoPan.mono(-7) == (1, 0))
    #expect(StereoPan.stereo(0) == (1, 0, 0, 1))
    #expect(StereoPan.stereo(-1) == (1, 0, 1, 0) && StereoPan.stereo(1) == (0, 1, 0, 1))
  }

  @Test(
    "gives the level of a power like the logarithm",
    arguments: [1e-37, 1e-12, 0.1, 0.5, 1, 2, 7e8])
  func levels(power: Double) {
    #expect(abs(Double(Decibels.level(ofPower: Float(power))) - 10 * log10(power)) < 5e-5)
    #expect(Decibels.level(ofPower: 0) == -400 && Decibels.level(ofPower: .nan) == -400)
  }
}
