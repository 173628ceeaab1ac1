// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// What makes an output unit one that processes voice: its settings, and whom it tells of a talker who
/// is muted.
///
/// Changed under the unit's lock; what `VoiceWatch` looks at lies behind its own lock.
final class VoiceProcessing: @unchecked Sendable {
  typealias Listener = @convention(block) (UInt32) -> Void

  /// A listener and its calls that are under way.
  struct Hearing: @unchecked Sendable {
    let listener: Listener
    let calls = ProgramCalls.Entry()
  }

  /// What `VoiceWatch` goes by.
  struct Watching: @unchecked Sendable {
    var ducksOthers = true
    var ducking = AUVoiceIOOtherAudioDuckingConfiguration(
      mEnableAdvancedDucking: false, mDuckingLevel: .default)
    var hearing: Hearing?
  }

  let control = VoiceControl()
  /// 0 to 127: below the lowest third, shorter ways of the echo are modelled.
  var quality: UInt32 = 127
  private let watching = Guarded(Watching())

  /// [any thread] What `VoiceWatch` goes by.
  var watched: Watching { watching.withLock { $0 } }

  /// [control thread] Changes what `VoiceWatch` goes by.
  func change(_ change: (inout sending Watching) -> Void) {
    watching.withLock { change(&$0) }
  }

  /// Seconds of the longest way of the echo that is modelled.
  var reach: Double { quality < 43 ? 0.14 : 0.28 }

  deinit { control.deallocate() }

  /// [control thread, under the unit's lock] Has another listener told, or none. When the caller has
  /// released its locks, the one before is not being called any more.
  func listen(_ listener: Listener?) {
    let before = watched.hearing
    let hearing = listener.map { Hearing(listener: $0) }
    change { $0.hearing = hearing }
    guard let before else { return }
    AfterLocks.perform { ProgramCalls.shared.remove([before.calls]) }
  }
}
