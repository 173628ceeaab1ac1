// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
import CBlocks
public import CoreAudio
public import Dispatch

// The functions of AudioQueue.h with block parameters. In C, queues and blocks are objects of the
// program's own libdispatch; in Swift, they are those of Dispatch.

/// Called when a buffer can be filled again.
public typealias AudioQueueOutputCallbackBlock = (
  _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef
) -> Void

/// Called when a buffer has been filled; the descriptions are valid during the call.
public typealias AudioQueueInputCallbackBlock = (
  _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef,
  _ inStartTime: UnsafePointer<AudioTimeStamp>, _ inNumberPacketDescriptions: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> Void

/// A block that is called only on the program's dispatch queue.
private struct Confined<Block>: @unchecked Sendable {
  let block: Block
}

/// Creates a queue whose callbacks run on a dispatch queue.
private func makeQueue(
  _ queue: UnsafeMutablePointer<AudioQueueRef?>,
  _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: UInt32, _ blockQueue: BlockQueue,
  in call: StaticString,
  _ make: (DispatchQueueExecutor) throws(AudioError) -> AudioQueueRef
) -> OSStatus {
  Library.start()
  return deviceStatus(in: call) { () throws(AudioError) in
    let executor = DispatchQueueExecutor(blockQueue)
    try checkNew(format, flags, queue)
    queue.pointee = try make(executor)
  }
}

private func makeOutput(
  _ queue: UnsafeMutablePointer<AudioQueueRef?>,
  _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: UInt32, _ blockQueue: BlockQueue,
  _ block: @escaping AudioQueueOutputCallbackBlock, in call: StaticString
) -> OSStatus {
  makeQueue(queue, format, flags, blockQueue, in: call) { executor throws(AudioError) in
    let callback = Confined(block: block)
    return try AudioQueue.makeOutput(format.pointee, on: executor) { callback.block($0, $1) }
  }
}

private func makeInput(
  _ queue: UnsafeMutablePointer<AudioQueueRef?>,
  _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: UInt32, _ blockQueue: BlockQueue,
  _ block: @escaping AudioQueueInputCallbackBlock, in call: StaticString
) -> OSStatus {
  makeQueue(queue, format, flags, blockQueue, in: call) { executor throws(AudioError) in
    let callback = Confined(block: block)
    return try AudioQueue.makeInput(format.pointee, on: executor) {
      callback.block($0, $1, $2, $3, $4)
    }
  }
}

/// Creates a playback queue whose callbacks run on a dispatch queue. [control thread]
///
/// - Parameters:
///   - outAQ: the queue, which the caller disposes of; null after an error.
///   - inFormat: the format of the buffers.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: the dispatch queue on which the block is called.
///   - inCallbackBlock: called when a buffer has been played.
/// - Returns: as AudioQueueNewOutput.
@discardableResult
public func AudioQueueNewOutputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
  _ inCallbackDispatchQueue: DispatchQueue,
  _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus {
  makeOutput(
    outAQ, inFormat, inFlags, BlockQueue(inCallbackDispatchQueue), inCallbackBlock,
    in: "AudioQueueNewOutputWithDispatchQueue")
}

/// Creates a recording queue whose callbacks run on a dispatch queue. [control thread]
///
/// - Parameters:
///   - outAQ: the queue, which the caller disposes of; null after an error.
///   - inFormat: the format of the buffers.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: the dispatch queue on which the block is called.
///   - inCallbackBlock: called when a buffer has been filled.
/// - Returns: as AudioQueueNewInput.
@discardableResult
public func AudioQueueNewInputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
  _ inCallbackDispatchQueue: DispatchQueue,
  _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
  makeInput(
    outAQ, inFormat, inFlags, BlockQueue(inCallbackDispatchQueue), inCallbackBlock,
    in: "AudioQueueNewInputWithDispatchQueue")
}

// MARK: C

private typealias OutputBlock = @convention(block) (AudioQueueRef, AudioQueueBufferRef) -> Void
private typealias InputBlock =
  @convention(block) (
    AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
    UnsafePointer<AudioStreamPacketDescription>?
  ) -> Void

@_cdecl("AudioQueueNewOutputWithDispatchQueue")
public func _AudioQueueNewOutputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
  _ inCallbackDispatchQueue: UnsafeMutableRawPointer?, _ inCallbackBlock: UnsafeRawPointer?
) -> OSStatus {
  guard let inCallbackDispatchQueue, let inCallbackBlock else { return kAudio_ParamError }
  let heap = block_copy(inCallbackBlock)
  defer { block_release(heap) }
  let block = unsafeBitCast(heap, to: OutputBlock.self)
  return makeOutput(
    outAQ, inFormat, inFlags, BlockQueue(raw: inCallbackDispatchQueue), { block($0, $1) },
    in: "AudioQueueNewOutputWithDispatchQueue")
}

@_cdecl("AudioQueueNewInputWithDispatchQueue")
public func _AudioQueueNewInputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
  _ inCallbackDispatchQueue: UnsafeMutableRawPointer?, _ inCallbackBlock: UnsafeRawPointer?
) -> OSStatus {
  guard let inCallbackDispatchQueue, let inCallbackBlock else { return kAudio_ParamError }
  let heap = block_copy(inCallbackBlock)
  defer { block_release(heap) }
  let block = unsafeBitCast(heap, to: InputBlock.self)
  return makeInput(
    outAQ, inFormat, inFlags, BlockQueue(raw: inCallbackDispatchQueue),
    { block($0, $1, $2, $3, $4) }, in: "AudioQueueNewInputWithDispatchQueue")
}
