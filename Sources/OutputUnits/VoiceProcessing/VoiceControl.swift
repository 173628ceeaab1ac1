// SPDX-License-Identifier: Apache-2.0
import SignalProcessing
import Synchronization

/// What the control side of a voice-processing unit tells its cycles, and what they tell it, without a
/// lock; in memory that its owner frees.
struct VoiceControl: BitwiseCopyable, @unchecked Sendable {
  private struct Words: ~Copyable {
    let isBypassed = Atomic(false)
    let isMuted = Atomic(false)
    let followsLevel = Atomic(true)
    /// The bits of seconds from playing to hearing.
    let delay = Atomic(UInt64(0))
    let isTalkerSpeaking = Atomic(false)
    let isOtherSpeaking = Atomic(false)
  }

  private let words: UnsafeMutablePointer<Words>

  /// [control thread] For a unit whose cycles do not run yet.
  init() { words = .cell(Words()) }

  /// [control thread] Frees the memory.
  func deallocate() { words.endCell() }

  /// [any thread] Whether what is captured passes as it is.
  var isBypassed: Bool {
    @_noLocks get { words.pointee.isBypassed.load(ordering: .relaxed) }
    nonmutating set { words.pointee.isBypassed.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] Whether silence is given instead.
  var isMuted: Bool {
    @_noLocks get { words.pointee.isMuted.load(ordering: .relaxed) }
    nonmutating set { words.pointee.isMuted.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] Whether the talker is brought to a level.
  var followsLevel: Bool {
    @_noLocks get { words.pointee.followsLevel.load(ordering: .relaxed) }
    nonmutating set { words.pointee.followsLevel.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] Seconds from playing to hearing, as the device reports them.
  var delay: Double {
    @_noLocks get { Double(bitPattern: words.pointee.delay.load(ordering: .relaxed)) }
    nonmutating set { words.pointee.delay.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// [any thread] Whether somebody speaks here.
  var isTalkerSpeaking: Bool {
    get { words.pointee.isTalkerSpeaking.load(ordering: .relaxed) }
    @_noLocks nonmutating set {
      words.pointee.isTalkerSpeaking.store(newValue, ordering: .relaxed)
    }
  }

  /// [any thread] Whether somebody speaks at the other end.
  var isOtherSpeaking: Bool {
    get { words.pointee.isOtherSpeaking.load(ordering: .relaxed) }
    @_noLocks nonmutating set {
      words.pointee.isOtherSpeaking.store(newValue, ordering: .relaxed)
    }
  }
}
