// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A tap that runs a function inside its callback, and passes the sound on unchanged.
final class CallingTap: @unchecked Sendable {
  private let lock = NSLock()
  private var body: (() -> Void)?
  private(set) var handle: AudioQueueProcessingTapRef?

  init(_ queue: AudioQueueRef) throws {
    var (most, format) = (UInt32(0), AudioStreamBasicDescription())
    let status = AudioQueueProcessingTapNew(
      queue,
      { context, tap, frames, stamp, flags, count, list in
        AudioQueueProcessingTapGetSourceAudio(tap, frames, stamp, flags, count, list)
        Unmanaged<CallingTap>.fromOpaque(context).takeUnretainedValue().run()
      }, Unmanaged.passUnretained(self).toOpaque(), .preEffects, &most, &format, &handle)
    try #require(status == noErr)
  }

  /// Has the next callback run `body`, once.
  func callOnce(_ body: @escaping () -> Void) { lock.withLock { self.body = body } }

  private func run() {
    let body = lock.withLock {
      defer { self.body = nil }
      return self.body
    }
    body?()
  }
}

/// The seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = Date()
  try body()
  return Date().timeIntervalSince(start)
}

@Suite("A queue does not wait for itself", .timeLimit(.minutes(60)))
struct QueueWaitTests {
  @Test("when a tap resets or stops it while a stop processes the last frames")
  func tapInsideStop() throws {
    try onDevice(clock: .paced) {
      let recorder = try TestRecorder(floatFormat(), keepsRecording: false)
      let tap = try CallingTap(recorder.queue)
      var buffer: AudioQueueBufferRef?
      try #require(AudioQueueAllocateBuffer(recorder.queue, 480_000, &buffer) == noErr)
      let (queue, made) = (recorder.queue, try #require(buffer))
      let statuses = Locked<[OSStatus]>([])
      // The tap is called if a cycle has just ended.
      for run in 1...200 where statuses.withLock({ $0.isEmpty }) {
        try #require(AudioQueueEnqueueBuffer(queue, made, 0, nil) == noErr)
        try #require(AudioQueueStart(queue, nil) == noErr)
        usleep(20_000)
        tap.callOnce {
          let results = [
            AudioQueueReset(queue), AudioQueueStop(queue, true), AudioQueueStart(queue, nil),
            AudioQueuePause(queue),
          ]
          statuses.withLock { $0 = results }
        }
        #expect(AudioQueueStop(queue, true) == noErr)
        #expect(waits { recorder.returnedCount == run })
      }
      // If the tap ran before the stop, only the calls that wait for it are refused.
      let results = statuses.withLock { $0 }
      #expect(results.count == 4)
      #expect(results.prefix(2).allSatisfy { $0 == kAudioQueueErr_InvalidRunState })
    }
  }

  @Test("when a tap makes every call", arguments: [false, true])
  func tapCalls(isOffline: Bool) throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      var format = floatFormat()
      if isOffline { AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) }
      let tap = try CallingTap(player.queue)
      let (longest, isDone) = (Locked(0.0), Locked(false))
      let (queue, made) = (player.queue, try #require(tap.handle))
      tap.callOnce {
        for index in 0..<QueueStorm.functionCount {
          let time = seconds { QueueStorm.call(index, queue, nil, 1) }
          longest.withLock { $0 = max($0, time) }
        }
        #expect(AudioQueueReset(queue) == kAudioQueueErr_InvalidRunState)
        #expect(AudioQueueStop(queue, true) == kAudioQueueErr_InvalidRunState)
        #expect(AudioQueueProcessingTapDispose(made) != noErr)
        isDone.withLock { $0 = true }
      }
      for _ in 0..<3 { try player.enqueue(noise(4_800)) }
      AudioQueueStart(queue, nil)
      if isOffline {
        let target = try player.buffer([Float](repeating: 0, count: 480))
        var time = AudioTimeStamp()
        AudioQueueOfflineRender(queue, &time, target, 480)
      }
      #expect(waits { isDone.withLock { $0 } })
      player.dispose()
      #expect(longest.withLock { $0 } < 5)
    }
  }

  @Test("when thousands of its buffers have no frames", arguments: [1_030, 5_000])
  func emptyBuffers(count: Int) throws {
    let player = try TestPlayer(floatFormat())
    var format = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    try enqueue(count, on: player)
    try player.enqueue([0.25, 0.5])
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueStop(player.queue, false) == noErr)
    // The sound follows the latest start.
    #expect(try player.renderAll() == [Float](repeating: 0, count: 100) + [0.25, 0.5])
    #expect(player.returnedCount == count + 1)
  }

  @Test("when it primes thousands of buffers without frames")
  func primedEmptyBuffers() throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      try enqueue(3_000, on: player)
      #expect(AudioQueuePrime(player.queue, 0, nil) == noErr)
      #expect(waits { player.returnedCount == 3_000 })
    }
  }

  /// Enqueues buffers of which no frame remains after trimming, each with a start time and a value.
  private func enqueue(_ count: Int, on player: TestPlayer) throws {
    var start = AudioTimeStamp()
    start.mFlags = .sampleTimeValid
    start.mSampleTime = 100
    var event = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 1)
    for _ in 0..<count {
      let status = AudioQueueEnqueueBufferWithParameters(
        player.queue, try player.buffer([1, 1]), 0, nil, 2, 0, 1, &event, &start, nil)
      try #require(status == noErr)
    }
  }

  @Test("when it is stopped inside its callback on a device without a clock")
  func stopInsideCallback() throws {
    try onDevice(clock: .fast) {
      let player = try TestPlayer(floatFormat())
      let time = Locked(0.0)
      player.refill = { queue, _ in
        let needed = seconds { AudioQueueStop(queue, true) }
        time.withLock { $0 = max($0, needed) }
      }
      for _ in 0..<4 { try player.enqueue(noise(480)) }
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(waits { player.returnedCount == 4 && !player.isRunning })
      player.dispose()
      #expect(time.withLock { $0 } < 1.5)
    }
  }

  @Test("when it records without buffers on a device without a clock")
  func stopWithoutBuffers() throws {
    try onDevice(clock: .fast) {
      let recorder = try TestRecorder(floatFormat())
      try #require(AudioQueueStart(recorder.queue, nil) == noErr)
      // The ring becomes full, and a cycle waits for room in it.
      usleep(200_000)
      #expect(seconds { AudioQueueStop(recorder.queue, true) } < 1.5)
    }
  }
}
