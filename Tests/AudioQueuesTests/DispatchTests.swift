// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Queues with dispatch queues")
struct DispatchTests {
  private final class Count: Sendable {
    let value = Atomic(0)
    var current: Int { value.load(ordering: .relaxed) }
    func add() { value.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test("call playback and recording callbacks on the program's dispatch queue")
  func swift() throws {
    let callbackQueue = DispatchQueue(label: "callbacks")
    let key = DispatchSpecificKey<Int>()
    callbackQueue.setSpecific(key: key, value: 7)
    let (played, recorded) = (Count(), Count())
    let input = try Tape([noise(48_000)])
    try onDevice(Tape(), input: input) {
      var format = floatFormat()
      var (output, recorder): (AudioQueueRef?, AudioQueueRef?)
      #expect(
        AudioQueueNewOutputWithDispatchQueue(&output, &format, 0, callbackQueue) { _, _ in
          if DispatchQueue.getSpecific(key: key) == 7 { played.add() }
        } == noErr)
      #expect(
        AudioQueueNewInputWithDispatchQueue(&recorder, &format, 0, callbackQueue) {
          _, _, _, frames, _ in
          if DispatchQueue.getSpecific(key: key) == 7, frames == 1_000 { recorded.add() }
        } == noErr)
      for queue in [try #require(output), try #require(recorder)] {
        defer { AudioQueueDispose(queue, true) }
        try start(queue)
        #expect(waits { (queue == output ? played : recorded).current > 0 })
      }
    }
  }

  /// Enqueues a buffer of 1,000 frames and starts.
  private func start(_ queue: AudioQueueRef) throws {
    var buffer: AudioQueueBufferRef?
    try #require(AudioQueueAllocateBuffer(queue, 4_000, &buffer) == noErr)
    let made = try #require(buffer)
    made.pointee.mAudioDataByteSize = 4_000
    try #require(AudioQueueEnqueueBuffer(queue, made, 0, nil) == noErr)
    try #require(AudioQueueStart(queue, nil) == noErr)
  }

  /// A dispatch queue, created as a C program does it.
  private func dispatchQueue() throws -> UnsafeMutableRawPointer {
    typealias Create =
      @convention(c) (UnsafePointer<CChar>?, UnsafeRawPointer?) -> UnsafeMutableRawPointer?
    let address = try #require(dlsym(nil, "dispatch_queue_create"))
    return try #require(unsafeBitCast(address, to: Create.self)("c", nil))
  }

  @Test("call C blocks on C queues, and refuse null for either")
  func cBlocks() throws {
    let callbackQueue = try dispatchQueue()
    let (played, recorded) = (Count(), Count())
    typealias OutputBlock = @convention(block) (AudioQueueRef, AudioQueueBufferRef) -> Void
    typealias InputBlock =
      @convention(block) (
        AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
        UnsafePointer<AudioStreamPacketDescription>?
      ) -> Void
    let outputBlock: OutputBlock = { _, buffer in
      if buffer.pointee.mAudioDataByteSize == 4_000 { played.add() }
    }
    let inputBlock: InputBlock = { _, _, stamp, frames, descriptions in
      let isWhole = stamp.pointee.mSampleTime == 0 && frames == 1_000 && descriptions == nil
      if isWhole { recorded.add() }
    }
    let outputAddress = unsafeBitCast(outputBlock, to: UnsafeRawPointer.self)
    let inputAddress = unsafeBitCast(inputBlock, to: UnsafeRawPointer.self)
    let input = try Tape([noise(48_000)])
    try onDevice(Tape(), input: input) {
      var format = floatFormat()
      var (output, recorder): (AudioQueueRef?, AudioQueueRef?)
      #expect(
        _AudioQueueNewOutputWithDispatchQueue(&output, &format, 0, callbackQueue, outputAddress)
          == noErr)
      #expect(
        _AudioQueueNewInputWithDispatchQueue(&recorder, &format, 0, callbackQueue, inputAddress)
          == noErr)
      for queue in [try #require(output), try #require(recorder)] {
        defer { AudioQueueDispose(queue, true) }
        try start(queue)
        #expect(waits { (queue == output ? played : recorded).current > 0 })
      }
      var none: AudioQueueRef?
      #expect(
        _AudioQueueNewOutputWithDispatchQueue(&none, &format, 0, nil, outputAddress)
          == kAudio_ParamError)
      #expect(
        _AudioQueueNewInputWithDispatchQueue(&none, &format, 0, callbackQueue, nil)
          == kAudio_ParamError)
      #expect(
        _AudioQueueNewInputWithDispatchQueue(&none, &format, 1, callbackQueue, inputAddress)
          == kAudio_ParamError)
      #expect(none == nil)
    }
    withExtendedLifetime(outputBlock) { withExtendedLifetime(inputBlock) {} }
  }
}
