// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("An immediate stop and a reset")
struct ReturningTests {
  private typealias Call = @Sendable (AudioQueueRef) -> OSStatus

  private static let calls: [Call] = [{ AudioQueueStop($0, true) }, { AudioQueueReset($0) }]

  @Test("return all buffers before they return, on the queue's own thread", arguments: [0, 1])
  func ownThread(call: Int) throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      for _ in 0..<3 { try player.enqueue(noise(480_000)) }
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(Self.calls[call](player.queue) == noErr)
      #expect(player.returnedCount == 3)
    }
  }

  @Test("do so on the run loop of the calling thread", arguments: [0, 1])
  func runLoop(call: Int) throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat(), loop: CFRunLoopGetCurrent())
      for _ in 0..<3 { try player.enqueue(noise(480_000)) }
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(Self.calls[call](player.queue) == noErr)
      #expect(player.returnedCount == 3)
    }
  }

  @Test("do so on a dispatch queue, and return when called on it", arguments: [0, 1])
  func dispatchQueue(call: Int) throws {
    try onDevice(clock: .paced) {
      let callbackQueue = DispatchQueue(label: "callbacks")
      let count = Counter()
      for isInside in [false, true] {
        var format = floatFormat()
        var made: AudioQueueRef?
        try #require(
          AudioQueueNewOutputWithDispatchQueue(&made, &format, 0, callbackQueue) { _, _ in
            count.add()
          }
            == noErr)
        let queue = try #require(made)
        defer { AudioQueueDispose(queue, true) }
        for _ in 0..<3 {
          var buffer: AudioQueueBufferRef?
          try #require(AudioQueueAllocateBuffer(queue, 1_920_000, &buffer) == noErr)
          let filled = try #require(buffer)
          filled.pointee.mAudioDataByteSize = 1_920_000
          try #require(AudioQueueEnqueueBuffer(queue, filled, 0, nil) == noErr)
        }
        try #require(AudioQueueStart(queue, nil) == noErr)
        guard isInside else {
          #expect(Self.calls[call](queue) == noErr)
          #expect(count.value == 3)
          continue
        }
        callbackQueue.sync { #expect(Self.calls[call](queue) == noErr && count.value == 3) }
        #expect(waits { count.value == 6 })
      }
    }
  }

  private final class Counter: Sendable {
    private let storage = Atomic(0)
    var value: Int { storage.load(ordering: .sequentiallyConsistent) }
    func add() { storage.wrappingAdd(1, ordering: .sequentiallyConsistent) }
  }
}
