// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Queues under random calls", .serialized)
struct QueueStormTests {
  /// Plays a short sound on a new queue, and disposes of it.
  private static func playOnce() throws {
    let player = try TestPlayer(floatFormat())
    try player.enqueue([Float](repeating: 0.1, count: 512))
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueStop(player.queue, true) == noErr)
  }

  @Test("are created and disposed of a thousand times without more memory or threads")
  func thousand() async {
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      try onDevice {
        for _ in 0..<200 { try QueueStormTests.playOnce() }
        let before = ProcessState()
        for _ in 0..<1_000 { try QueueStormTests.playOnce() }
        // Threads disappear a moment after they have ended.
        #expect(waits { ProcessState().threadCount <= before.threadCount })
        let after = ProcessState()
        #expect(after.descriptorCount <= before.descriptorCount)
        #expect(ProcessState.isSanitized || after.heapBytes - before.heapBytes < 256 << 10)
      }
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
      switch next(10) {
      case 0: AudioQueueStart(player.queue, nil)
      case 1: AudioQueueStop(player.queue, true)
      case 2: AudioQueueStop(player.queue, false)
      case 3: AudioQueuePause(player.queue)
      case 4: AudioQueueReset(player.queue)
      case 5: AudioQueueSetParameter(player.queue, kAudioQueueParam_Volume, Float(next(100)) / 100)
      case 6: AudioQueueFlush(player.queue)
      case 7:
        AudioQueueSetParameter(
          player.queue, kAudioQueueParam_PlayRate, 0.5 + Float(next(150)) / 100)
        AudioQueueSetParameter(
          player.queue, kAudioQueueParam_Pitch, Float(next(4_800)) - 2_400)
      case 8: player.set(kAudioQueueProperty_TimePitchBypass, UInt32(next(2)))
      default:
        var time = AudioTimeStamp()
        AudioQueueGetCurrentTime(player.queue, nil, &time, nil)
      }
    }
  }

  @Test("survive four threads that start, stop and reset them while callbacks enqueue")
  func storm() throws { try storm(rounds: 10) }

  func storm(rounds: Int, until end: Date = .distantPast) throws {
    try onDevice(clock: .paced) {
      var round = 0
      while round < rounds || Date() < end {
        round += 1
        let player = try TestPlayer(floatFormat())
        // For every second queue, rate and pitch change too.
        if round % 2 == 0 { player.set(kAudioQueueProperty_EnableTimePitch, UInt32(1)) }
        player.refill = { queue, buffer in AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
        for _ in 0..<4 { try player.enqueue([Float](repeating: 0.1, count: 480)) }
        let (environment, first) = (DeviceSetting.current, round * 4)
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          environment.use { shake(player, seed: UInt64(first + index), rounds: 40) }
        }
        // After all that, the queue still plays and stops.
        #expect(AudioQueueStop(player.queue, true) == noErr)
        #expect(AudioQueueStart(player.queue, nil) == noErr)
        #expect(player.isRunning)
        player.dispose()
      }
    }
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

/// Random calls for a long time: the minutes in `AUDIOTOOLBOX_TEST_MINUTES`, or the seconds in
/// `AUDIOTOOLBOX_TEST_STORM_SECONDS`, for example under the sanitizers.
@Suite("Queues under random calls for a long time", .serialized)
struct QueueSoakTests {
  private static var seconds: Double {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap { Double($0) }
    let seconds = environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    return minutes.map { $0 * 60 } ?? seconds ?? 0.5
  }

  @Test("survive four threads while rate and pitch change")
  func storm() throws {
    try QueueStormTests().storm(rounds: 1, until: Date(timeIntervalSinceNow: Self.seconds))
  }

  @Test("play at a device's pace while rate and pitch change")
  func pace() throws {
    let end = Date(timeIntervalSinceNow: Self.seconds)
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat(2))
      try #require(player.set(kAudioQueueProperty_EnableTimePitch, UInt32(1)) == noErr)
      player.refill = { queue, buffer in AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
      for seed in 0..<4 { try player.enqueue(noise(96_000, seed: UInt64(seed + 1))) }
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      var rate: Float = 0.5
      while Date() < end {
        AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, rate)
        AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, (rate - 1) * 1_200)
        rate = rate >= 2 ? 0.5 : rate + 0.25
        usleep(100_000)
      }
      var time = AudioTimeStamp()
      #expect(AudioQueueGetCurrentTime(player.queue, nil, &time, nil) == noErr)
      #expect(player.isRunning && time.mSampleTime > 0)
      // On a busy machine frames may be late, but they are not lost.
      #expect(AudioQueueStop(player.queue, true) == noErr)
      #expect(waits { player.returnedCount >= 4 })
    }
  }
}
