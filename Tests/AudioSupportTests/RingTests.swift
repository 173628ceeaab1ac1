// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CAllocationProbe
import Testing

@testable import AudioSupport

@Suite("Ring")
struct RingTests {
  private final class Storm: Sendable {
    let ring = Ring<Float>(channelCount: 2, capacity: 1_000)
  }

  @Test("carries every element once and in order from one thread to another")
  func order() {
    let storm = Storm()
    let total = 200_000
    let writer = OwnThread {
      var next = 0
      while next < total {
        let part = storm.ring.writable.prefix(min(1 + next % 331, total - next))
        for (place, index) in part.enumerated() {
          storm.ring.channels[0][index] = Float(next + place)
          storm.ring.channels[1][index] = -Float(next + place)
        }
        storm.ring.publish(upTo: storm.ring.written + part.count)
        next += part.count
        if part.isEmpty { rest() }
      }
    }
    var next = 0
    var isRight = true
    while next < total, isRight {
      let part = storm.ring.readable.prefix(1 + next % 173)
      for (place, index) in part.enumerated() {
        let expected = Float(next + place)
        isRight =
          isRight && storm.ring.channels[0][index] == expected
          && storm.ring.channels[1][index] == -expected
      }
      storm.ring.release(upTo: storm.ring.read + part.count)
      next += part.count
      if part.isEmpty { rest() }
    }
    writer.join()
    let fill = storm.ring.fill
    #expect(isRight && fill == 0)
  }

  @Test("is full at its capacity, which may be any number")
  func full() throws {
    let ring = try Ring<Float>(channelCount: 1, reserving: 10)
    ring.publish(upTo: 7)
    ring.release(upTo: 5)
    let first = ring.writable
    #expect(first == 7..<10)
    ring.publish(upTo: 10)
    let second = ring.writable
    #expect(second == 0..<5)
    ring.publish(upTo: 15)
    let (writable, readable, room) = (ring.writable, ring.readable, ring.room)
    #expect(writable.isEmpty && room == 0)
    #expect(readable == 5..<10)
  }

  @Test("copies across its end, and writes only as much as there is room for")
  func copies() {
    let ring = Ring<UInt8>(channelCount: 1, capacity: 5)
    var source: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
    var target = [UInt8](repeating: 0, count: 5)
    source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        guard var from = source.baseAddress, let to = target.baseAddress else { return }
        withUnsafePointer(to: &from) { sources in
          let counts = [ring.write(sources, count: 4), ring.write(sources, from: 4, count: 3)]
          #expect(counts == [4, 1])
          ring.release(upTo: 3)
          let count = ring.write(sources, from: 5, count: 2)
          #expect(count == 2)
          ring.copy(channel: 0, to: to, count: 4)
        }
      }
    }
    #expect(target == [4, 5, 6, 7, 0])
    let fill = ring.fill
    #expect(fill == 4)
  }

  /// The compiler rejects this function if the generic code counts references, allocates or locks.
  @_noLocks
  private static func pass(
    _ ring: borrowing Ring<Float>, _ channels: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> Int {
    let count = ring.write(channels, count: 3)
    ring.copy(channel: 0, to: channels[0], count: count)
    ring.release(upTo: ring.read &+ count)
    return count
  }

  @Test("uses no heap", .enabled(if: heap_is_counted()))
  func heap() {
    let ring = Ring<Float>(channelCount: 1, capacity: 4)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 3)
    samples.initialize(repeating: 1, count: 3)
    defer { samples.deallocate() }
    var channels = samples
    var sum = 0
    withUnsafePointer(to: &channels) { channels in
      sum = Self.pass(ring, channels)
      let before = heap_operations()
      for _ in 0..<100 { sum += Self.pass(ring, channels) }
      #expect(heap_operations() == before)
    }
    #expect(sum == 303)
  }
}
