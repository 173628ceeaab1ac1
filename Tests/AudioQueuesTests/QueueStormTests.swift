// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Queues under a storm", .serialized)
struct QueueStormTests {
  private static func threadCount() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }

  /// Kilobytes of the process in memory.
  private static func memory() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4
  }

  /// Plays a little and ends.
  private func playOnce() throws {
    let player = try TestPlayer(floatFormat())
    try player.enqueue([Float](repeating: 0.1, count: 512))
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueStop(player.queue, true) == noErr)
  }

  @Test("are made and ended a thousand times in the same memory, with the same threads")
  func thousand() throws {
    try onDevice {
      for _ in 0..<200 { try playOnce() }
      let threads = Self.threadCount()
      // Suites that run beside this one take memory in some of the rounds, a leak would in all.
      var growth: [Int] = []
      for _ in 0..<5 {
        let memory = Self.memory()
        for _ in 0..<200 { try playOnce() }
        growth.append(Self.memory() - memory)
      }
      // Threads that end are gone a moment later; the other suites have theirs.
      let isFlat = waits { Self.threadCount() < threads + 40 }
      #expect(isFlat, "\(threads) to \(Self.threadCount()) threads")
      #expect(growth.contains { $0 < 1_000 }, "grew by \(growth) kB in 200 queues each")
    }
  }

  /// Starts, stops, pauses, resets and fills a queue from a thread, at random.
  private func shake(_ player: TestPlayer, seed: UInt64, rounds: Int) {
    var random = seed
    func next(_ count: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % count
    }
    for _ in 0..<rounds {
      switch next(8) {
      case 0: AudioQueueStart(player.queue, nil)
      case 1: AudioQueueStop(player.queue, true)
      case 2: AudioQueueStop(player.queue, false)
      case 3: AudioQueuePause(player.queue)
      case 4: AudioQueueReset(player.queue)
      case 5: AudioQueueSetParameter(player.queue, kAudioQueueParam_Volume, Float(next(100)) / 100)
      case 6: AudioQueueFlush(player.queue)
      default:
        var time = AudioTimeStamp()
        AudioQueueGetCurrentTime(player.queue, nil, &time, nil)
      }
    }
  }

  @Test("stand four threads that start, stop and reset them while callbacks enqueue")
  func storm() throws {
    try onDevice(clock: .paced) {
      for round in 0..<Self.rounds {
        let player = try TestPlayer(floatFormat())
        player.refill = { queue, buffer in AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
        for _ in 0..<4 { try player.enqueue([Float](repeating: 0.1, count: 480)) }
        let environment = DeviceSetting.current
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          environment.use { shake(player, seed: UInt64(round * 4 + index), rounds: 40) }
        }
        // Whatever it went through, it still plays and stops.
        #expect(AudioQueueStop(player.queue, true) == noErr)
        #expect(AudioQueueStart(player.queue, nil) == noErr)
        #expect(player.isRunning)
        player.dispose()
      }
    }
  }

  /// Short here; `AUDIOTOOLBOX_SOAK` has how many times more.
  private static var rounds: Int {
    10 * (ProcessInfo.processInfo.environment["AUDIOTOOLBOX_SOAK"].flatMap { Int($0) } ?? 1)
  }

  @Test("may be disposed of from their own callbacks")
  func disposalInside() throws {
    try onDevice(clock: .paced) {
      for _ in 0..<20 {
        var format = floatFormat()
        var made: AudioQueueRef?
        let status = AudioQueueNewOutput(
          &format, { _, queue, _ in AudioQueueDispose(queue, true) }, nil, nil, nil, 0, &made)
        try #require(status == noErr)
        let queue = try #require(made)
        var buffer: AudioQueueBufferRef?
        try #require(AudioQueueAllocateBuffer(queue, 400, &buffer) == noErr)
        let first = try #require(buffer)
        first.pointee.mAudioDataByteSize = 400
        try #require(AudioQueueEnqueueBuffer(queue, first, 0, nil) == noErr)
        AudioQueueStart(queue, nil)
        #expect(waits { AudioQueueSetParameter(queue, 1, 1) == kAudio_ParamError })
      }
    }
  }
}
