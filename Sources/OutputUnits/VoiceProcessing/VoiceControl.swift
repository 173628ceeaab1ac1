// SPDX-License-Identifier: Apache-2.0
import SignalProcessing
import Synchronization

/// Exchanges values between the control threads of a voice-processing unit and its cycles, without
/// a lock. Its owner frees the memory.
struct VoiceControl: BitwiseCopyable, @unchecked Sendable {
  private struct Words: ~Copyable {
    let isBypassed = Atomic(false)
    let isMuted = Atomic(false)
    let followsLevel = Atomic(true)
    /// The echo delay in seconds, as bits.
    let delay = Atomic(UInt64(0))
    let isNearTalkerSpeaking = Atomic(false)
    let isFarTalkerSpeaking = Atomic(false)
  }

  private let words: UnsafeMutablePointer<Words>

  /// [control thread] Creates the values before the cycles run.
  init() { words = .cell(Words()) }

  /// [control thread] Frees the memory.
  func deallocate() { words.endCell() }

  /// [any thread] Whether captured sound passes unprocessed.
  var isBypassed: Bool {
    @_noLocks get { words.pointee.isBypassed.load(ordering: .relaxed) }
    nonmutating set { words.pointee.isBypassed.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] Whether captured sound is replaced by silence.
  var isMuted: Bool {
    @_noLocks get { words.pointee.isMuted.load(ordering: .relaxed) }
    nonmutating set { words.pointee.isMuted.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] Whether automatic gain control is on.
  var followsLevel: Bool {
    @_noLocks get { words.pointee.followsLevel.load(ordering: .relaxed) }
    nonmutating set { words.pointee.followsLevel.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] The echo delay in seconds, as the device reports it.
  var delay: Double {
    @_noLocks get { Double(bitPattern: words.pointee.delay.load(ordering: .relaxed)) }
    nonmutating set { words.pointee.delay.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// [any thread] Whether the near talker speaks.
  var isNearTalkerSpeaking: Bool {
    get { words.pointee.isNearTalkerSpeaking.load(ordering: .relaxed) }
    @_noLocks nonmutating set {
      words.pointee.isNearTalkerSpeaking.store(newValue, ordering: .relaxed)
    }
  }

  /// [any thread] Whether the far talker speaks.
  var isFarTalkerSpeaking: Bool {
    get { words.pointee.isFarTalkerSpeaking.load(ordering: .relaxed) }
    @_noLocks nonmutating set {
      words.pointee.isFarTalkerSpeaking.store(newValue, ordering: .relaxed)
    }
  }
}
