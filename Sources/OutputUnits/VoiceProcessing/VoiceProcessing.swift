// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CBlocks

/// The voice processing of an output unit: its settings, and the listener for muted talkers.
///
/// Changed under the unit's lock. The values for `VoiceWatch` have their own lock.
final class VoiceProcessing: @unchecked Sendable {
  /// A listener and its running calls.
  struct SpeechListener: @unchecked Sendable {
    let listener: @convention(block) (UInt32) -> Void
    let calls = ProgramCalls.Entry()

    /// The listener of a program, a block. Generic code, that of optionals included, cannot handle
    /// blocks here: Swift's run-time library knows them on Apple's systems only.
    init(block: UnsafeRawPointer) {
      let heap = block_copy(block)
      defer { block_release(heap) }
      listener = unsafeBitCast(heap, to: (@convention(block) (UInt32) -> Void).self)
    }
  }

  /// The values that `VoiceWatch` uses.
  struct WatchedValues: @unchecked Sendable {
    var ducksOthers = true
    var ducking = AUVoiceIOOtherAudioDuckingConfiguration(
      mEnableAdvancedDucking: false, mDuckingLevel: .default)
    var speechListener: SpeechListener?
  }

  let control = VoiceControl()
  /// 0 to 127. In the lowest third a shorter echo path is modelled.
  var quality: UInt32 = 127
  private let watching = Guarded(WatchedValues())

  /// [any thread] The values that `VoiceWatch` uses.
  var watched: WatchedValues { watching.withLock { $0 } }

  /// [control thread] Changes the values that `VoiceWatch` uses.
  func change(_ change: (inout sending WatchedValues) -> Void) {
    watching.withLock { change(&$0) }
  }

  /// The length of the modelled echo path in seconds.
  var reach: Double { quality < 43 ? 0.14 : 0.4 }

  deinit { control.deallocate() }

  /// [control thread, under the unit's lock] Sets or removes the listener. After the caller has
  /// released its locks, the previous listener is no longer being called.
  func setListener(_ speechListener: SpeechListener?) {
    let before = watched.speechListener
    change { $0.speechListener = speechListener }
    guard let before else { return }
    AfterLocks.perform { ProgramCalls.shared.remove([before.calls]) }
  }
}
