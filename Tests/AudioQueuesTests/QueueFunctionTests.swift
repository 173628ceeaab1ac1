// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Callbacks of a queue during which another thread makes every call of the queue; each callback
/// waits for these calls.
@Suite("During a callback of a queue", .timeLimit(.minutes(60)))
struct QueueFunctionTests {
  enum Function: String, CaseIterable {
    case callback, listener, tap, offlineCallback
  }

  /// Every call except the disposal of the queue, which waits for its callbacks.
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

  private static func wasCalled(_ function: Function, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // Disposing of the queue inside would leave no queue for the calls.
    Unmanaged<FunctionWatch>.fromOpaque(context).takeUnretainedValue()
      .wasCalled(function.rawValue, itself: false)
  }

  @Test("every call returns, and no lock is held", arguments: Function.allCases)
  func everyCall(function: Function) throws {
    let player = try TestPlayer(floatFormat())
    let watch = FunctionWatch()
    let queue = UInt(bitPattern: player.queue)
    watch.arm(
      function.rawValue,
      Self.calls.map { name, call in
        MeanwhileCall(name) { if let queue = AudioQueueRef(bitPattern: queue) { call(queue) } }
      })
    let context = Unmanaged.passUnretained(watch).toOpaque()
    if [.callback, .offlineCallback].contains(function) {
      player.refill = { _, _ in watch.wasCalled(function.rawValue, itself: false) }
    }
    if function == .listener {
      let status = AudioQueueAddPropertyListener(
        player.queue, kAudioQueueProperty_IsRunning,
        { context, _, _ in QueueFunctionTests.wasCalled(.listener, context) }, context)
      try #require(status == noErr)
    }
    if function == .tap {
      var (most, format) = (UInt32(0), AudioStreamBasicDescription())
      var tap: AudioQueueProcessingTapRef?
      let status = AudioQueueProcessingTapNew(
        player.queue,
        { context, _, _, _, _, _, _ in QueueFunctionTests.wasCalled(.tap, context) }, context,
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
