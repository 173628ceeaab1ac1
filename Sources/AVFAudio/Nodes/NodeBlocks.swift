// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues
import MIDIMessages

// The blocks that render threads call, for which the program is responsible: the compiler cannot check
// them.

/// Fills the buffers with the next frames. `isSilence` may be set to true, if the buffers are zeros
/// too. Returns 0, or an error, which makes the frames silent. [render thread: no locks, no
/// allocation]
public typealias AVAudioSourceNodeRenderBlock = (
  _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>,
  _ frameCount: AVAudioFrameCount, _ outputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// The block of a source node. It never changes, so a call counts no references; the other classes of
/// blocks are alike.
final class SourceBlock: @unchecked Sendable {  // the program's block is
  fileprivate let call: AVAudioSourceNodeRenderBlock

  init(_ block: @escaping AVAudioSourceNodeRenderBlock) { call = block }
}

/// [render thread] Calls the block of a source node.
@_semantics("no_performance_analysis") @inline(never)
func callBlock(
  _ block: Unmanaged<SourceBlock>, _ isSilence: UnsafeMutablePointer<ObjCBool>,
  _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
  _ list: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus { block._withUnsafeGuaranteedRef { $0.call(isSilence, time, frames, list) } }

/// Gets the frames of each cycle; they may be read during the call. Returns 0, or an error, which
/// changes nothing. [render thread: no locks, no allocation]
public typealias AVAudioSinkNodeReceiverBlock = (
  _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount,
  _ inputData: UnsafePointer<AudioBufferList>
) -> OSStatus

/// The block of a sink node.
final class SinkBlock: @unchecked Sendable {  // the program's block is
  fileprivate let call: AVAudioSinkNodeReceiverBlock

  init(_ block: @escaping AVAudioSinkNodeReceiverBlock) { call = block }
}

/// [render thread] Calls the block of a sink node.
@_semantics("no_performance_analysis") @inline(never)
func callBlock(
  _ block: Unmanaged<SinkBlock>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
  _ list: UnsafePointer<AudioBufferList>
) { _ = block._withUnsafeGuaranteedRef { $0.call(time, frames, list) } }

/// Supplies the input of manual rendering: all of the frames, in buffers that stay valid until the
/// next call, or nil. [the thread that renders]
public typealias AVAudioIONodeInputBlock = (_ inNumberOfFrames: AVAudioFrameCount)
  -> UnsafePointer<AudioBufferList>?

/// The block that supplies the input of manual rendering.
final class InputBlock: @unchecked Sendable {  // the program's block is
  fileprivate let call: AVAudioIONodeInputBlock

  init(_ block: @escaping AVAudioIONodeInputBlock) { call = block }
}

/// [the thread that renders] Calls the block that supplies the input of manual rendering.
@_semantics("no_performance_analysis") @inline(never)
func callBlock(
  _ block: Unmanaged<InputBlock>, _ frames: UInt32
) -> UnsafePointer<AudioBufferList>? { block._withUnsafeGuaranteedRef { $0.call(frames) } }

/// The block that gets what a MIDI processor sends: lists, or bytes.
final class MIDITap: @unchecked Sendable {  // the program's block is
  /// Whether it gets lists.
  let getsLists: Bool
  fileprivate let lists: AUMIDIEventListBlock
  fileprivate let bytes: AUMIDIOutputEventBlock

  init(lists: @escaping AUMIDIEventListBlock) {
    (getsLists, self.lists, bytes) = (true, lists, { _, _, _, _ in noErr })
  }

  init(bytes: @escaping AUMIDIOutputEventBlock) {
    (getsLists, lists, self.bytes) = (false, { _, _, _ in noErr }, bytes)
  }
}

/// [render thread] Calls a block that gets lists.
@_semantics("no_performance_analysis") @inline(never)
func callTap(
  _ tap: Unmanaged<MIDITap>, _ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime
) { _ = tap._withUnsafeGuaranteedRef { $0.lists(time, 0, list) } }

/// [render thread] Calls a block that gets bytes, with those of a message.
@_semantics("no_performance_analysis") @inline(never)
func callTap(
  _ tap: Unmanaged<MIDITap>, _ message: ByteMessage.Packed, at time: AUEventSampleTime
) {
  withUnsafeBytes(of: message.bytes.littleEndian) { memory in
    guard let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    _ = tap._withUnsafeGuaranteedRef { $0.bytes(time, 0, message.count, start) }
  }
}
