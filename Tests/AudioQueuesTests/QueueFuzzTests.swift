// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Random numbers of one thread.
private struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func roll(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}

/// The calls of all functions of queues, with random arguments.
enum QueueStorm {
  private static let calls: [@Sendable (AudioQueueRef, AudioQueueBufferRef?, Int) -> Void] = [
    { queue, _, _ in AudioQueueStart(queue, nil) },
    { queue, _, number in
      var time = AudioTimeStamp()
      AudioQueueDeviceGetCurrentTime(queue, &time)
      time.mHostTime += UInt64(number % 100_000_000)
      time.mFlags = .hostTimeValid
      AudioQueueStart(queue, &time)
    },
    { queue, _, _ in AudioQueueStop(queue, true) },
    { queue, _, _ in AudioQueueStop(queue, false) },
    { queue, _, _ in AudioQueuePause(queue) },
    { queue, _, _ in AudioQueueReset(queue) },
    { queue, _, _ in AudioQueueFlush(queue) },
    { queue, _, number in AudioQueuePrime(queue, UInt32(number % 5_000), nil) },
    { queue, buffer, _ in if let buffer { AudioQueueEnqueueBuffer(queue, buffer, 0, nil) } },
    { queue, buffer, number in
      guard let buffer else { return }
      var (start, actual) = (AudioTimeStamp(), AudioTimeStamp())
      start.mSampleTime = Double(number % 100_000)
      if number % 3 == 0 { start.mFlags = .sampleTimeValid }
      var event = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 0.5)
      AudioQueueEnqueueBufferWithParameters(
        queue, buffer, 0, nil, UInt32(number % 70), UInt32(number % 50), 1, &event, &start, &actual)
    },
    { queue, _, number in
      AudioQueueSetParameter(queue, UInt32(1 + number % 5), Float(number % 300) / 100)
    },
    { queue, _, number in set(queue, kAudioQueueProperty_TimePitchBypass, number % 2) },
    { queue, _, number in set(queue, kAudioQueueProperty_EnableTimePitch, number % 2) },
    { queue, _, number in set(queue, kAudioQueueProperty_EnableLevelMetering, number % 2) },
    { queue, _, number in set(queue, kAudioQueueProperty_DecodeBufferSizeFrames, number % 9_000) },
    { queue, _, _ in
      for id in [
        kAudioQueueProperty_CurrentLevelMeter, kAudioQueueProperty_IsRunning,
        kAudioQueueProperty_StreamDescription, kAudioQueueProperty_DecodeBufferSizeFrames,
        AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns),
      ] {
        var size = UInt32(64)
        var value = [UInt8](repeating: 0, count: 64)
        AudioQueueGetProperty(queue, id, &value, &size)
      }
    },
    { queue, _, _ in
      var (timeline, hasGap, time) = (
        AudioQueueTimelineRef?.none, DarwinBoolean(false), AudioTimeStamp()
      )
      AudioQueueCreateTimeline(queue, &timeline)
      AudioQueueGetCurrentTime(queue, timeline, &time, &hasGap)
      if let timeline { AudioQueueDisposeTimeline(queue, timeline) }
      AudioQueueDeviceGetNearestStartTime(queue, &time, 0)
    },
    { queue, _, _ in
      AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, listener, nil)
    },
    { queue, _, _ in
      AudioQueueRemovePropertyListener(queue, kAudioQueueProperty_IsRunning, listener, nil)
    },
    { queue, _, number in
      var target: AudioQueueBufferRef?
      guard AudioQueueAllocateBuffer(queue, 8_000, &target) == noErr, let target else { return }
      var time = AudioTimeStamp()
      AudioQueueOfflineRender(queue, &time, target, UInt32(number % 1_000))
      AudioQueueFreeBuffer(queue, target)
    },
    { queue, _, number in
      var format = floatFormat(2)
      if number % 2 == 0 {
        AudioQueueSetOfflineRenderFormat(queue, &format, nil)
      } else {
        AudioQueueSetOfflineRenderFormat(queue, nil, nil)
      }
    },
  ]

  static var functionCount: Int { calls.count }

  static func call(
    _ index: Int, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef?, _ number: Int
  ) { calls[index](queue, buffer, number) }

  private static func set(_ queue: AudioQueueRef, _ id: AudioQueuePropertyID, _ value: Int) {
    var value = UInt32(value)
    AudioQueueSetProperty(queue, id, &value, 4)
  }

  private static var listener: AudioQueuePropertyListenerProc {
    { _, queue, _ in QueueShaker.inside(queue) }
  }
}

/// Queues on which several threads make random calls, and which make random calls inside their
/// callbacks. `AUDIOTOOLBOX_TEST_ROUNDS` sets the number of calls.
private final class QueueShaker: @unchecked Sendable {
  /// A queue with its buffers, and with its tap if it has one.
  private struct Entry {
    var queue: AudioQueueRef?
    var buffers: [AudioQueueBufferRef] = []
    var tap: AudioQueueProcessingTapRef?
  }

  private static let dice = Locked(Dice(1))
  private let entries = Locked([Entry](repeating: Entry(), count: 4))
  private let loop: CFRunLoop
  let longest = Locked((seconds: 0.0, call: ""))

  init(_ loop: CFRunLoop) { self.loop = loop }

  /// Makes a random call inside a callback, sometimes.
  static func inside(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef? = nil) {
    let (index, number) = dice.withLock { ($0.roll(80), $0.roll(1 << 20)) }
    if index < QueueStorm.functionCount { QueueStorm.call(index, queue, buffer, number) }
    if index == 79 { AudioQueueDispose(queue, number % 2 == 0) }
  }

  private static var tap: AudioQueueProcessingTapCallback {
    { context, tap, frames, stamp, flags, count, list in
      AudioQueueProcessingTapGetSourceAudio(tap, frames, stamp, flags, count, list)
      if let queue = AudioQueueRef(bitPattern: UInt(bitPattern: context)) {
        QueueShaker.inside(queue)
      }
    }
  }

  private func make(_ dice: inout Dice) {
    var format = floatFormat(2, rate: dice.roll(3) == 0 ? 44_100 : 48_000)
    var entry = Entry()
    let loop = dice.roll(3) == 0 ? loop : nil
    if dice.roll(3) == 0 {
      AudioQueueNewInput(
        &format,
        { _, queue, buffer, _, _, _ in
          AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
          QueueShaker.inside(queue, buffer)
        }, nil, loop, nil, 0, &entry.queue)
    } else {
      AudioQueueNewOutput(
        &format,
        { _, queue, buffer in
          AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
          QueueShaker.inside(queue, buffer)
        }, nil, loop, nil, 0, &entry.queue)
    }
    guard let queue = entry.queue else { return }
    for _ in 0..<8 {
      var buffer: AudioQueueBufferRef?
      AudioQueueAllocateBuffer(queue, 4_000, &buffer)
      buffer?.pointee.mAudioDataByteSize = UInt32(400 + 8 * dice.roll(400))
      if let buffer { entry.buffers.append(buffer) }
    }
    if dice.roll(2) == 0 {
      var most = UInt32(0)
      AudioQueueProcessingTapNew(
        queue, Self.tap, UnsafeMutableRawPointer(queue), .preEffects, &most, &format, &entry.tap)
    }
    for buffer in entry.buffers.prefix(4) { AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
    let old = entries.withLock { entries in
      let index = dice.roll(entries.count)
      defer { entries[index] = entry }
      return entries[index].queue
    }
    if let old { measure("dispose") { AudioQueueDispose(old, dice.roll(2) == 0) } }
  }

  private func measure(_ call: @autoclosure () -> String, _ body: () -> Void) {
    let time = seconds(body)
    longest.withLock { if time > $0.seconds { $0 = (time, call()) } }
  }

  /// Makes a random call.
  private func act(_ dice: inout Dice) {
    let entry = entries.withLock { entries in entries[dice.roll(entries.count)] }
    let index = dice.roll(QueueStorm.functionCount + 4)
    guard let queue = entry.queue, index < QueueStorm.functionCount + 3 else {
      if dice.roll(4) == 0 { make(&dice) }
      return
    }
    let buffer = entry.buffers.isEmpty ? nil : entry.buffers[dice.roll(entry.buffers.count)]
    switch index - QueueStorm.functionCount {
    case 0:
      if let tap = entry.tap { measure("dispose of tap") { AudioQueueProcessingTapDispose(tap) } }
    case 1:
      if let buffer { measure("free") { AudioQueueFreeBuffer(queue, buffer) } }
    case 2:
      if dice.roll(8) == 0 { measure("dispose") { AudioQueueDispose(queue, dice.roll(2) == 0) } }
    default:
      let number = dice.roll(1 << 20)
      measure("call \(index)") { QueueStorm.call(index, queue, buffer, number) }
    }
  }

  /// Makes `count` calls on each of four threads.
  func shake(seed: UInt64, count: Int) {
    var dice = Dice(seed)
    for _ in 0..<4 { make(&dice) }
    let setting = DeviceSetting.current
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      setting.use {
        var dice = Dice(seed &* 4 &+ UInt64(thread))
        for _ in 0..<count { act(&dice) }
      }
    }
    for entry in entries.withLock({ $0 }) {
      if let queue = entry.queue { measure("dispose") { AudioQueueDispose(queue, true) } }
    }
  }
}

@Suite("Queues under random calls of all functions", .serialized, .timeLimit(.minutes(60)))
struct QueueFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 400

  @Test("answer every call soon", arguments: [DeviceEnvironment.Clock.paced, .fast])
  func answer(clock: DeviceEnvironment.Clock) throws {
    let setting = onDevice(clock: clock) { DeviceSetting.current }
    let loop = RunningLoop(setting)
    defer { loop.stop() }
    var rest = Self.rounds
    var seed = UInt64(1)
    while rest > 0 {
      let shaker = QueueShaker(loop.loop)
      setting.use { shaker.shake(seed: seed, count: min(rest, 400) / 4) }
      // No call waits for a callback, a tap or a cycle longer than half a second. Other tests may
      // keep the machine busy.
      let longest = shaker.longest.withLock { $0 }
      #expect(longest.seconds < 5, "\(longest.call) with seed \(seed)")
      rest -= 400
      seed += 1
    }
  }
}

/// A run loop that runs on a thread of its own.
private final class RunningLoop: @unchecked Sendable {
  private(set) var loop: CFRunLoop = CFRunLoopGetMain()
  private let isStopped = Locked(false)

  init(_ setting: DeviceSetting) {
    let isReady = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = CFRunLoopGetCurrent()
      isReady.signal()
      setting.use {
        while !isStopped.withLock({ $0 }) {
          // A loop without sources returns immediately.
          CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, false)
          usleep(1_000)
        }
      }
    }
    isReady.wait()
  }

  func stop() { isStopped.withLock { $0 = true } }
}
