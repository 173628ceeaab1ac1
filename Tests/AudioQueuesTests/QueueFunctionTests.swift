// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CRealTime
import Foundation
import Synchronization
import Testing

/// The functions of a program that queues call: each has another thread make every call of the queue, and
/// waits for it.
@Suite("While a function of the program is called: queues", .timeLimit(.minutes(5)))
struct QueueFunctionTests {
  enum Function: String, CaseIterable {
    case callback, listener, tap, offlineCallback
  }

  /// What a function finds when it is called: the first time it has every call made.
  private final class Watch: @unchecked Sendable {
    private let state = Mutex((calls: 0, problems: [String]()))
    let function: Function
    let queue: UInt

    init(_ function: Function, _ queue: AudioQueueRef) {
      self.function = function
      self.queue = UInt(bitPattern: queue)
    }

    var callCount: Int { state.withLock { $0.calls } }
    var problems: [String] { state.withLock { $0.problems } }

    func wasCalled() {
      let locks = rt_current().pointee.locks
      let isFirst = state.withLock { state in
        state.calls += 1
        if locks > 0 { state.problems.append("\(locks) locks are held in the \(function)") }
        return state.calls == 1
      }
      guard isFirst else { return }
      for (name, call) in QueueFunctionTests.calls {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [queue] in
          if let queue = AudioQueueRef(bitPattern: queue) { call(queue) }
          isDone.signal()
        }
        if isDone.wait(timeout: .now() + 60) != .success {
          state.withLock { $0.problems.append("\(name) waited for the \(function)") }
        }
      }
    }
  }

  /// Every call that does not end the queue: one that does waits for its functions.
  private static let calls: [(name: String, make: @Sendable (AudioQueueRef) -> Void)] = [
    (
      "GetProperty",
      { queue in
        for id in [
          kAudioQueueProperty_IsRunning, kAudioQueueProperty_StreamDescription,
          kAudioQueueProperty_CurrentDevice, kAudioQueueProperty_ConverterError,
        ] {
          var size = UInt32(64)
          var value = [UInt8](repeating: 0, count: 64)
          _ = AudioQueueGetProperty(queue, id, &value, &size)
        }
      }
    ),
    (
      "GetCurrentTime",
      { queue in
        var time = AudioTimeStamp()
        _ = AudioQueueGetCurrentTime(queue, nil, &time, nil)
      }
    ),
    (
      "SetProperty",
      { queue in
        var isOn = UInt32(1)
        _ = AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &isOn, 4)
      }
    ),
    ("SetParameter", { _ = AudioQueueSetParameter($0, kAudioQueueParam_Volume, 0.5) }),
    ("Prime", { _ = AudioQueuePrime($0, 0, nil) }),
    ("Pause", { _ = AudioQueuePause($0) }), ("Start", { _ = AudioQueueStart($0, nil) }),
    ("Flush", { _ = AudioQueueFlush($0) }),
    (
      "EnqueueBuffer",
      { queue in
        var buffer: AudioQueueBufferRef?
        _ = AudioQueueAllocateBuffer(queue, 400, &buffer)
        guard let buffer else { return }
        buffer.pointee.mAudioDataByteSize = 400
        _ = AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
      }
    ),
    ("Reset", { _ = AudioQueueReset($0) }), ("Stop", { _ = AudioQueueStop($0, false) }),
    ("Stop at once", { _ = AudioQueueStop($0, true) }),
  ]

  private static func watch(_ context: UnsafeMutableRawPointer?) -> Watch? {
    context.map { Unmanaged<Watch>.fromOpaque($0).takeUnretainedValue() }
  }

  @Test("every call returns, and no lock is held", arguments: Function.allCases)
  func everyCall(function: Function) throws {
    let player = try TestPlayer(floatFormat())
    let watch = Watch(function, player.queue)
    let context = Unmanaged.passUnretained(watch).toOpaque()
    if [.callback, .offlineCallback].contains(function) {
      player.refill = { _, _ in watch.wasCalled() }
    }
    if function == .listener {
      let status = AudioQueueAddPropertyListener(
        player.queue, kAudioQueueProperty_IsRunning,
        { context, _, _ in QueueFunctionTests.watch(context)?.wasCalled() }, context)
      try #require(status == noErr)
    }
    if function == .tap {
      var (most, format) = (UInt32(0), AudioStreamBasicDescription())
      var tap: AudioQueueProcessingTapRef?
      let status = AudioQueueProcessingTapNew(
        player.queue,
        { context, _, _, _, _, _, _ in QueueFunctionTests.watch(context)?.wasCalled() }, context,
        [.preEffects, .siphon], &most, &format, &tap)
      try #require(status == noErr)
    }
    var format = floatFormat()
    if function == .offlineCallback {
      try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    }
    for _ in 0..<3 { try player.enqueue(noise(4_800)) }
    _ = AudioQueueStart(player.queue, nil)
    if function == .offlineCallback {
      let buffer = try player.buffer([Float](repeating: 0, count: 9_600))
      var time = AudioTimeStamp()
      _ = AudioQueueOfflineRender(player.queue, &time, buffer, 9_600)
    }
    #expect(waits { watch.callCount > 0 })
    player.dispose()
    #expect(watch.problems.isEmpty)
  }
}
