// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CRealTime
import Foundation
import Testing

/// Interleaved Float32.
func floatFormat(_ channels: UInt32 = 1, rate: Double = 48_000) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
    mBytesPerPacket: 4 * channels, mFramesPerPacket: 1, mBytesPerFrame: 4 * channels,
    mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
}

/// Float32 with the rate and the channels of another format.
func floatFormat(like format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
  floatFormat(format.mChannelsPerFrame, rate: format.mSampleRate)
}

/// A compressed format; the codec fills in the other fields.
func compressed(_ id: AudioFormatID, _ channels: UInt32 = 1, rate: Double = 48_000)
  -> AudioStreamBasicDescription
{
  AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: id, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
    mBytesPerFrame: 0, mChannelsPerFrame: channels, mBitsPerChannel: 0, mReserved: 0)
}

/// A playback queue that counts the returned buffers.
final class TestPlayer: @unchecked Sendable {
  private var made: AudioQueueRef?
  private let lock = NSLock()
  private var returned: [AudioQueueBufferRef] = []
  private var wasRendering = false
  private var names: Set<String> = []
  /// Called with each returned buffer.
  var refill: ((AudioQueueRef, AudioQueueBufferRef) -> Void)?

  init(_ format: AudioStreamBasicDescription, loop: CFRunLoop? = nil) throws {
    var format = format
    let status = AudioQueueNewOutput(
      &format, { TestPlayer.of($0).received($1, $2) },
      Unmanaged.passUnretained(self).toOpaque(), loop, nil, 0, &made)
    // Not by `#require`: files at random may have a format that no queue plays.
    guard status == noErr else { throw Refusal(status: status) }
  }

  /// A queue could not be made.
  private struct Refusal: Error { let status: OSStatus }

  deinit { dispose() }

  var queue: AudioQueueRef {
    guard let made else { preconditionFailure("the queue has ended") }
    return made
  }

  func dispose() {
    if let made { AudioQueueDispose(made, true) }
    made = nil
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> TestPlayer {
    guard let data else { preconditionFailure("the queue was made with a player") }
    return Unmanaged<TestPlayer>.fromOpaque(data).takeUnretainedValue()
  }

  private func received(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    lock.withLock {
      returned.append(buffer)
      wasRendering = wasRendering || rt_current().pointee.depth > 0
      if let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) {
        names.insert(name.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    refill?(queue, buffer)
  }

  var returnedCount: Int { lock.withLock { returned.count } }
  var returnedBuffers: [AudioQueueBufferRef] { lock.withLock { returned } }
  var hasBeenCalledWhileRendering: Bool { lock.withLock { wasRendering } }
  var callerNames: Set<String> { lock.withLock { names } }

  /// A buffer of bytes.
  func buffer(_ bytes: UnsafeRawBufferPointer, descriptions: Int = 0) throws
    -> AudioQueueBufferRef
  {
    var buffer: AudioQueueBufferRef?
    let status = AudioQueueAllocateBufferWithPacketDescriptions(
      queue, UInt32(bytes.count), UInt32(descriptions), &buffer)
    try #require(status == noErr)
    let made = try #require(buffer)
    if let start = bytes.baseAddress {
      made.pointee.mAudioData.copyMemory(from: start, byteCount: bytes.count)
    }
    made.pointee.mAudioDataByteSize = UInt32(bytes.count)
    return made
  }

  func buffer(_ samples: [Float]) throws -> AudioQueueBufferRef {
    try samples.withUnsafeBytes { try buffer($0) }
  }

  /// Enqueues samples in one buffer.
  func enqueue(_ samples: [Float]) throws {
    let status = AudioQueueEnqueueBuffer(queue, try buffer(samples), 0, nil)
    try #require(status == noErr)
  }

  var isRunning: Bool { (try? property(kAudioQueueProperty_IsRunning, UInt32(0))) == 1 }

  func property<Value: BitwiseCopyable>(_ id: AudioQueuePropertyID, _ initial: Value) throws
    -> Value
  {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    let status = AudioQueueGetProperty(queue, id, &value, &size)
    try #require(status == noErr, "property \(id): \(status)")
    return value
  }

  @discardableResult
  func set<Value: BitwiseCopyable>(_ id: AudioQueuePropertyID, _ value: Value) -> OSStatus {
    var value = value
    return AudioQueueSetProperty(queue, id, &value, UInt32(MemoryLayout<Value>.size))
  }

  /// Plays all enqueued buffers.
  func playToEnd() throws {
    try #require(AudioQueueStart(queue, nil) == noErr)
    try #require(AudioQueueStop(queue, false) == noErr)
    try waitForEnd()
  }

  /// Renders the queue in slices until it returns no more frames; `between` is called before each
  /// slice with the number of frames so far.
  func renderAll(
    slice: UInt32 = 1_000, channels: Int = 1, between: (Int) -> Void = { _ in }
  ) throws -> [Float] {
    var buffer: AudioQueueBufferRef?
    let size = slice * 4 * UInt32(channels)
    try #require(AudioQueueAllocateBuffer(queue, size, &buffer) == noErr)
    let made = try #require(buffer)
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    var samples: [Float] = []
    while true {
      between(samples.count)
      try #require(AudioQueueOfflineRender(queue, &time, made, slice) == noErr)
      let count = Int(made.pointee.mAudioDataByteSize) / 4
      guard count > 0 else { return samples }
      let memory = made.pointee.mAudioData.assumingMemoryBound(to: Float.self)
      samples += Array(UnsafeBufferPointer(start: memory, count: count))
      time.mSampleTime += Double(count / channels)
    }
  }

  func waitForEnd() throws {
    #expect(waits { !isRunning })
  }
}

/// A value that several threads use.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// Waits until a condition is true, at most half a minute.
func waits(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = Date(timeIntervalSinceNow: 30)
  while try !condition() {
    guard Date() < deadline else { return false }
    usleep(2_000)
  }
  return true
}

extension Array where Element == Float {
  /// The samples without leading zeros.
  var sounding: [Float] { Array(drop { $0 == 0 }) }
}
