// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SignalProcessing

@Suite("Memory for the past")
struct HistoryMemoryTests {
  /// How many pages of a memory are there.
  private func presentPages(_ memory: HistoryMemory) -> Int {
    let size = 4 * memory.count
    var present = [UInt8](repeating: 0, count: (size + 4_095) / 4_096)
    guard mincore(memory.samples, size, &present) == 0 else { return -1 }
    return present.count { $0 & 1 == 1 }
  }

  @Test("is there from the beginning for a device, and comes with its use offline")
  func pages() {
    let pageCount = 256
    for isOffline in [false, true] {
      let memory = HistoryMemory(count: 1_024 * pageCount, isOffline: isOffline)
      defer { memory.deallocate() }
      #expect(presentPages(memory) == (isOffline ? 0 : pageCount))
      memory.samples[0] = 1
      #expect(presentPages(memory) == (isOffline ? 1 : pageCount))
    }
  }

  @Test("begins with zeros", arguments: [1, 1_000, 100_000])
  func zeros(count: Int) {
    for isOffline in [false, true] {
      let memory = HistoryMemory(count: count, isOffline: isOffline)
      defer { memory.deallocate() }
      #expect((0..<count).allSatisfy { memory.samples[$0] == 0 })
      for index in 0..<count { memory.samples[index] = 1 }
    }
  }

  @Test("is silent in a delay line after it was cleared", arguments: [1, 99, 100, 101, 250])
  func clears(frames: Int) {
    var line = DelayLine(capacity: 100)
    defer { line.deallocate() }
    let ones = [Float](repeating: 1, count: 50)
    var scratch = [Float](repeating: 0, count: 100)
    for _ in 0..<3 {
      var done = 0
      while done < frames {
        let run = min(50, frames - done)
        line.write(ones, count: run)
        done += run
      }
      line.clear()
      let past = line.past(100, count: 100, scratch: &scratch)
      #expect((0..<100).allSatisfy { past[$0] == 0 })
    }
  }

  @Test("makes rooms sound the same offline, also after a reset")
  func rooms() {
    let frames = 30_000
    let noise = (0..<frames).map { Float(($0 * 7_919) % 2_003) / 1_001 - 1 }
    var outputs: [[Float]] = []
    for isOffline in [false, true] {
      var room = LateReverberation(longest: 1, sampleRate: 48_000, isOffline: isOffline)
      defer { room.deallocate() }
      for longest in [0.05, 0.3, 0.05] {
        var settings = LateReverberation.Settings()
        settings.longest = longest
        var (left, right) = (noise, noise)
        room.set(settings)
        room.render(noise, noise, into: &left, &right, count: frames)
        // A change while it sounds.
        settings.longest = 0.2
        room.set(settings)
        room.render(noise, noise, into: &left, &right, count: frames)
        outputs.append(left + right)
        room.reset()
      }
    }
    #expect(outputs[0..<3] == outputs[3..<6])
    #expect(outputs[0] == outputs[2])
  }
}
