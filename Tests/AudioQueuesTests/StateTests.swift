// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("States and errors of queues")
struct StateTests {
  /// A call in a state, and its expected status.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: OSStatus
    let call: @Sendable (TestPlayer) throws -> OSStatus

    init(
      _ text: String, _ expected: OSStatus,
      _ call: @escaping @Sendable (TestPlayer) throws -> OSStatus
    ) {
      testDescription = text
      self.expected = expected
      self.call = call
    }
  }

  private static func read(_ player: TestPlayer, _ id: UInt32, size: UInt32) -> OSStatus {
    var (value, size) = (UInt64(0), size)
    return AudioQueueGetProperty(player.queue, id, &value, &size)
  }

  private static func enqueueTwice(_ player: TestPlayer) throws -> OSStatus {
    let buffer = try player.buffer([1, 2])
    try #require(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == noErr)
    return AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil)
  }

  static let stopped: [Row] = [
    .init("stop", noErr) { AudioQueueStop($0.queue, true) },
    .init("stop at the end", noErr) { AudioQueueStop($0.queue, false) },
    .init("pause", noErr) { AudioQueuePause($0.queue) },
    .init("flush", noErr) { AudioQueueFlush($0.queue) },
    .init("reset", noErr) { AudioQueueReset($0.queue) },
    .init("prime with nothing enqueued", noErr) { AudioQueuePrime($0.queue, 0, nil) },
    .init("current time", kAudioQueueErr_InvalidRunState) {
      var time = AudioTimeStamp()
      return AudioQueueGetCurrentTime($0.queue, nil, &time, nil)
    },
    .init("translate a time", kAudioQueueErr_InvalidRunState) {
      var (time, other) = (AudioTimeStamp(), AudioTimeStamp())
      return AudioQueueDeviceTranslateTime($0.queue, &time, &other)
    },
    .init("nearest start time", kAudioQueueErr_InvalidRunState) {
      var time = AudioTimeStamp()
      return AudioQueueDeviceGetNearestStartTime($0.queue, &time, 0)
    },
    .init("enqueue an empty buffer", kAudioQueueErr_BufferEmpty) {
      let buffer = try $0.buffer([1])
      buffer.pointee.mAudioDataByteSize = 0
      return AudioQueueEnqueueBuffer($0.queue, buffer, 0, nil)
    },
    .init("enqueue more than fits", kAudioQueueErr_InvalidBuffer) {
      let buffer = try $0.buffer([1])
      buffer.pointee.mAudioDataByteSize = 5
      return AudioQueueEnqueueBuffer($0.queue, buffer, 0, nil)
    },
    .init("enqueue the buffer of another queue", kAudioQueueErr_InvalidBuffer) {
      let other = try TestPlayer(floatFormat())
      return AudioQueueEnqueueBuffer($0.queue, try other.buffer([1]), 0, nil)
    },
    .init("enqueue twice", kAudioQueueErr_BufferInQueue) { try enqueueTwice($0) },
    .init("a count of descriptions without an array", noErr) {
      AudioQueueEnqueueBuffer($0.queue, try $0.buffer([1]), 7, nil)
    },
    .init("free an enqueued buffer", kAudioQueueErr_BufferInQueue) {
      let buffer = try $0.buffer([1])
      AudioQueueEnqueueBuffer($0.queue, buffer, 0, nil)
      return AudioQueueFreeBuffer($0.queue, buffer)
    },
    .init("free a buffer twice", kAudioQueueErr_InvalidBuffer) {
      let buffer = try $0.buffer([1])
      try #require(AudioQueueFreeBuffer($0.queue, buffer) == noErr)
      return AudioQueueFreeBuffer($0.queue, buffer)
    },
    .init("an unknown parameter", kAudioQueueErr_InvalidParameter) {
      AudioQueueSetParameter($0.queue, 99, 0)
    },
    .init("a volume out of its range", noErr) {
      AudioQueueSetParameter($0.queue, kAudioQueueParam_Volume, 3)
    },
    .init("an unknown property", kAudioQueueErr_InvalidProperty) { read($0, 1, size: 8) },
    .init("a property of a wrong size", kAudioQueueErr_InvalidPropertySize) {
      read($0, kAudioQueueProperty_IsRunning, size: 2)
    },
    .init("set a property of a wrong size", kAudioQueueErr_InvalidPropertySize) {
      $0.set(kAudioQueueProperty_EnableLevelMetering, UInt16(1))
    },
    .init("set a property that can only be read", kAudioQueueErr_InvalidProperty) {
      $0.set(kAudioQueueProperty_IsRunning, UInt32(1))
    },
    .init("the packet size of a playback queue", kAudioQueueErr_InvalidProperty) {
      read($0, kAudioQueueProperty_MaximumOutputPacketSize, size: 4)
    },
    .init("an algorithm while the time pitch is off", kAudioQueueErr_InvalidRunState) {
      $0.set(
        kAudioQueueProperty_TimePitchAlgorithm, UInt32(kAudioQueueTimePitchAlgorithm_Varispeed))
    },
    .init("an unknown algorithm", kAudioQueueErr_InvalidPropertyValue) {
      $0.set(kAudioQueueProperty_TimePitchAlgorithm, UInt32(7))
    },
    .init("an unknown policy", kAudioQueueErr_InvalidPropertyValue) {
      $0.set(kAudioQueueProperty_HardwareCodecPolicy, UInt32(9))
    },
    .init("a device that does not exist", kAudioQueueErr_InvalidDevice) {
      let uid = "null:nowhere" as NSString
      let address = UInt(bitPattern: Unmanaged.passUnretained(uid).toOpaque())
      return withExtendedLifetime(uid) { [player = $0] in
        player.set(kAudioQueueProperty_CurrentDevice, address)
      }
    },
    .init("the default device", noErr) {
      $0.set(kAudioQueueProperty_CurrentDevice, UInt(0))
    },
    .init("a layout with another number of channels", kAudioQueueErr_InvalidPropertyValue) {
      $0.set(
        kAudioQueueProperty_ChannelLayout,
        SIMD3<UInt32>(kAudioChannelLayoutTag_MPEG_5_1_A, 0, 0).low)
    },
    .init("a tap without a position", kAudio_ParamError) {
      var (frames, format, tap) = (
        UInt32(0), AudioStreamBasicDescription(), AudioQueueProcessingTapRef?.none
      )
      let data = UnsafeMutableRawPointer($0.queue)
      return AudioQueueProcessingTapNew(
        $0.queue, { _, _, _, _, _, _, _ in }, data, .siphon, &frames, &format, &tap)
    },
  ]

  @Test("of a stopped queue", arguments: stopped)
  func whileStopped(row: Row) throws {
    try onDevice {
      let player = try TestPlayer(floatFormat())
      let status = try row.call(player)
      #expect(status == row.expected)
    }
  }

  static let running: [Row] = [
    .init("start", noErr) { AudioQueueStart($0.queue, nil) },
    .init("prime", noErr) { AudioQueuePrime($0.queue, 0, nil) },
    .init("current time", noErr) {
      var time = AudioTimeStamp()
      return AudioQueueGetCurrentTime($0.queue, nil, &time, nil)
    },
    .init("translate a time", noErr) {
      var (time, other) = (AudioTimeStamp(), AudioTimeStamp())
      try #require(AudioQueueDeviceGetCurrentTime($0.queue, &time) == noErr)
      #expect(time.mFlags.contains(.sampleTimeValid))
      other.mFlags = .hostTimeValid
      time.mFlags = .sampleTimeValid
      let status = AudioQueueDeviceTranslateTime($0.queue, &time, &other)
      #expect(other.mFlags == .hostTimeValid)
      #expect(abs(Double(other.mHostTime) - Double(time.mHostTime)) < 100_000)
      return status
    },
    .init("nearest start time", noErr) {
      var time = AudioTimeStamp()
      AudioQueueDeviceGetCurrentTime($0.queue, &time)
      let now = time.mHostTime
      let status = AudioQueueDeviceGetNearestStartTime($0.queue, &time, 0)
      #expect(time.mHostTime > now)
      return status
    },
    .init("nearest start time with flags", kAudio_ParamError) {
      var time = AudioTimeStamp()
      return AudioQueueDeviceGetNearestStartTime($0.queue, &time, 1)
    },
    .init("enable the time pitch", kAudioQueueErr_InvalidRunState) {
      $0.set(kAudioQueueProperty_EnableTimePitch, UInt32(1))
    },
    .init("another device", kAudioQueueErr_InvalidRunState) {
      $0.set(kAudioQueueProperty_CurrentDevice, UInt(0))
    },
    .init("a tap", kAudioQueueErr_InvalidRunState) {
      var (frames, format, tap) = (
        UInt32(0), AudioStreamBasicDescription(), AudioQueueProcessingTapRef?.none
      )
      let data = UnsafeMutableRawPointer($0.queue)
      return AudioQueueProcessingTapNew(
        $0.queue, { _, _, _, _, _, _, _ in }, data, .preEffects, &frames, &format, &tap)
    },
    .init("a rate while the time pitch is off", noErr) {
      AudioQueueSetParameter($0.queue, kAudioQueueParam_PlayRate, 2)
    },
    .init("a buffer", noErr) {
      AudioQueueEnqueueBuffer($0.queue, try $0.buffer([1]), 0, nil)
    },
    .init("a start time without a sample time", kAudio_ParamError) {
      var time = AudioTimeStamp()
      time.mFlags = .hostTimeValid
      return AudioQueueEnqueueBufferWithParameters(
        $0.queue, try $0.buffer([1]), 0, nil, 0, 0, 0, nil, &time, nil)
    },
  ]

  @Test("of a running queue", arguments: running)
  func whileRunning(row: Row) throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(player.isRunning)
      let status = try row.call(player)
      #expect(status == row.expected)
    }
  }

  @Test("of formats that queues do not support")
  func formats() throws {
    var planar = floatFormat(2)
    planar.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
    planar.mBytesPerFrame = 4
    planar.mBytesPerPacket = 4
    for (name, wrong) in [
      ("planar", planar), ("no rate", floatFormat(rate: 0)), ("no channel", floatFormat(0)),
      ("no codec", compressed(0x3f3f_3f3f)),
    ] {
      var format = wrong
      var queue: AudioQueueRef? = OpaquePointer(bitPattern: 16)
      let status = AudioQueueNewOutput(&format, { _, _, _ in }, nil, nil, nil, 0, &queue)
      #expect(status != noErr, "\(name)")
      #expect(queue == nil, "\(name)")
    }
  }

  @Test("of a queue after its disposal")
  func ended() throws {
    let player = try TestPlayer(floatFormat())
    let queue = player.queue
    player.dispose()
    #expect(AudioQueueStart(queue, nil) == kAudio_ParamError)
    #expect(AudioQueueStop(queue, true) == kAudio_ParamError)
    #expect(AudioQueueDispose(queue, true) == kAudio_ParamError)
    var buffer: AudioQueueBufferRef? = .init(bitPattern: 16)
    #expect(AudioQueueAllocateBuffer(queue, 16, &buffer) == kAudio_ParamError)
  }

  @Test("of calls for the other kind of queue")
  func recording() throws {
    try onDevice {
      let recorder = try TestRecorder(floatFormat())
      var buffer: AudioQueueBufferRef?
      try #require(AudioQueueAllocateBuffer(recorder.queue, 64, &buffer) == noErr)
      let made = try #require(buffer)
      #expect(
        AudioQueueEnqueueBufferWithParameters(
          recorder.queue, made, 0, nil, 0, 0, 0, nil, nil, nil)
          == kAudioQueueErr_InvalidQueueType)
      var format = floatFormat()
      #expect(
        AudioQueueSetOfflineRenderFormat(recorder.queue, &format, nil)
          == kAudioQueueErr_InvalidQueueType)
      #expect(AudioQueueEnqueueBuffer(recorder.queue, made, 0, nil) == noErr)
      #expect(
        AudioQueueEnqueueBuffer(recorder.queue, made, 0, nil) == kAudioQueueErr_BufferEnqueuedTwice)
      var size = UInt32(0)
      #expect(
        AudioQueueGetPropertySize(recorder.queue, kAudioQueueProperty_MagicCookie, &size) != noErr)
    }
  }

  private final class Changes: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [UInt32] = []
    func add(_ value: UInt32) { lock.withLock { values.append(value) } }
    var all: [UInt32] { lock.withLock { values } }
  }

  @Test("notifies listeners when it starts and stops, until they are removed")
  func listeners() throws {
    try onDevice {
      let player = try TestPlayer(floatFormat())
      let changes = Changes()
      let data = Unmanaged.passUnretained(changes).toOpaque()
      let listener: AudioQueuePropertyListenerProc = { data, queue, id in
        var (value, size) = (UInt32(9), UInt32(4))
        AudioQueueGetProperty(queue, id, &value, &size)
        guard let data else { return }
        Unmanaged<Changes>.fromOpaque(data).takeUnretainedValue().add(value)
      }
      #expect(
        AudioQueueAddPropertyListener(
          player.queue, kAudioQueueProperty_IsRunning, listener, data) == noErr)
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(waits { changes.all == [1] })
      #expect(AudioQueuePause(player.queue) == noErr)
      #expect(AudioQueueStart(player.queue, nil) == noErr)
      #expect(AudioQueueStop(player.queue, true) == noErr)
      #expect(waits { changes.all == [1, 0] })
      #expect(
        AudioQueueRemovePropertyListener(
          player.queue, kAudioQueueProperty_IsRunning, listener, data) == noErr)
      try player.enqueue([1])
      try player.playToEnd()
      #expect(changes.all == [1, 0])
    }
  }

  @Test("plays to its end after a disposal that is not immediate, without calling the callback")
  func disposal() throws {
    let tape = Tape()
    let sound = noise(24_000)
    try onDevice(tape, clock: .paced) {
      let player = try TestPlayer(floatFormat())
      let queue = player.queue
      try player.enqueue(sound)
      try #require(AudioQueueStart(queue, nil) == noErr)
      #expect(AudioQueueDispose(queue, false) == noErr)
      #expect(AudioQueueStop(queue, true) == kAudio_ParamError)
      let returned = player.returnedCount
      let isWhole = waits {
        ((try? tape.samples()[0].sounding.count) ?? 0) >= sound.count
      }
      #expect(isWhole)
      #expect(player.returnedCount == returned)
    }
    #expect(Array(try tape.samples()[0].sounding.prefix(sound.count)) == sound)
  }
}

extension SIMD3<UInt32> {
  /// The first three fields of a layout, as 12 bytes.
  fileprivate var low: (UInt32, UInt32, UInt32) { (x, y, z) }
}
