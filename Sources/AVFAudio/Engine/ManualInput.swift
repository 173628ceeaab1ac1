// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Synchronization

/// Supplies the input of manual rendering: all of the frames, in buffers that stay valid until the
/// next call, or nil. [the thread that renders]
public typealias AVAudioIONodeInputBlock = (_ inNumberOfFrames: AVAudioFrameCount)
  -> UnsafePointer<AudioBufferList>?

/// The block of the program, as a constant: a render calls it without counting references.
private final class InputBlock {
  let supply: AVAudioIONodeInputBlock

  init(_ supply: @escaping AVAudioIONodeInputBlock) { self.supply = supply }
}

/// The input node's unit in manual rendering: a converter that a block feeds.
final class ManualInput: NodeFeed, @unchecked Sendable {  // the block changes while nothing renders
  let unit = NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
  private let source = Guarded<AVAudioFormat?>(nil)
  private var block: Unmanaged<InputBlock>?
  private let isMissing = Atomic(false)

  /// The format of the block's frames, and that of the input node's connections.
  var format: AVAudioFormat? { source.withLock { $0 } }
  var connectionFormat: AVAudioFormat {
    format.map { .standard($0.sampleRate, $0.channelCount) } ?? .unknown
  }

  /// Sets the block. Nothing renders meanwhile.
  func set(_ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock) {
    source.withLock { $0 = format }
    self.block?.release()
    self.block = .passRetained(InputBlock(block))
  }

  deinit { block?.release() }

  /// [the thread that renders] Whether the block had no frames since the last call.
  func takeMissing() -> Bool { isMissing.exchange(false, ordering: .acquiringAndReleasing) }

  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let targets = list.allBuffers
    if let supplied = block?._withUnsafeGuaranteedRef({ $0.supply(frames) }) {
      let sources = UnsafeMutablePointer(mutating: supplied).allBuffers
      if sources.count == targets.count,
        zip(sources, targets).allSatisfy({ $0.mData != nil && $0.mDataByteSize >= $1.mDataByteSize }
        )
      {
        for (source, target) in zip(sources, targets) {
          if let from = source.mData, let to = target.mData {
            to.copyMemory(from: from, byteCount: Int(target.mDataByteSize))
          }
        }
        return noErr
      }
    }
    isMissing.store(true, ordering: .releasing)
    for target in targets {
      if let data = target.mData { memset(data, 0, Int(target.mDataByteSize)) }
    }
    flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    return noErr
  }
}
