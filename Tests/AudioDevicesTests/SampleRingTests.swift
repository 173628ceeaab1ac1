// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import Foundation
import Testing

@Suite("Sample ring")
struct SampleRingTests {
  @Test("carries every frame once and in order from one thread to another")
  func order() throws {
    let ring = try SampleRing(channelCount: 2, frameCount: 1_000)
    let total = 1_000_000
    DispatchQueue.global().async {
      var next = 0
      while next < total {
        let part = ring.writable.prefix(min(1 + next % 331, total - next))
        for (place, frame) in part.enumerated() {
          ring.channels[0][frame] = Float(next + place)
          ring.channels[1][frame] = -Float(next + place)
        }
        ring.produce(part.count)
        next += part.count
      }
    }
    var next = 0
    var isRight = true
    while next < total, isRight {
      let part = ring.readable.prefix(1 + next % 173)
      for (place, frame) in part.enumerated() {
        let expected = Float(next + place)
        isRight =
          isRight && ring.channels[0][frame] == expected && ring.channels[1][frame] == -expected
      }
      ring.consume(part.count)
      next += part.count
    }
    #expect(isRight)
    #expect(ring.readable.isEmpty)
  }

  @Test("is full at its capacity")
  func full() throws {
    let ring = try SampleRing(channelCount: 1, frameCount: 10)
    ring.produce(7)
    ring.consume(5)
    #expect(ring.writable == 7..<10)
    ring.produce(3)
    #expect(ring.writable == 0..<5)
    ring.produce(5)
    #expect(ring.writable.isEmpty)
    #expect(ring.readable == 5..<10)
  }
}
