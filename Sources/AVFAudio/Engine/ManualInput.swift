// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Synchronization

/// The input node's unit in manual rendering: a converter that a block feeds.
final class ManualInput: NodeFeed, @unchecked Sendable {  // the block changes while nothing renders
  let unit = NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
  private let source = Guarded<AVAudioFormat?>(nil)
  /// The block, which renders use without counting references.
  private var owned: InputBlock?
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
    let new = InputBlock(block)
    (owned, self.block) = (new, .passUnretained(new))
  }

  /// [the thread that renders] Whether the block had no frames since the last call.
  @_noLocks
  func takeMissing() -> Bool { isMissing.exchange(false, ordering: .acquiringAndReleasing) }

  @_noLocks
  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if let block, let supplied = callBlock(block, frames),
      list.copyFrames(of: UnsafeMutablePointer(mutating: supplied))
    {
      return noErr
    }
    isMissing.store(true, ordering: .releasing)
    list.silence(flags)
    return noErr
  }
}
