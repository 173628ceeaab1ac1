// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// How far the other output units of the process are turned down while voices are processed.
enum VoiceDucking {
  private static let bits = Published()

  /// In memory that lives as long as the process, so that a render thread reads it without a lock.
  private struct Published: @unchecked Sendable {
    let word: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
      word = .allocate(capacity: 1)
      word.initialize(to: Atomic(Float(1).bitPattern))
    }
  }

  /// What an engine reads; taken once, on a control thread.
  struct Reader: BitwiseCopyable, @unchecked Sendable {
    fileprivate let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// [any thread] What samples are multiplied by.
    var gain: Float {
      @_noLocks get { Float(bitPattern: word.pointee.load(ordering: .relaxed)) }
    }
  }

  /// [control thread] For an engine that is turned down.
  static var reader: Reader { Reader(word: bits.word) }

  /// [any thread] Turns the others down.
  static func publish(_ gain: Float) {
    bits.word.pointee.store(gain.bitPattern, ordering: .relaxed)
  }

  /// The gain of a level that a program may choose.
  static func gain(_ level: AUVoiceIOOtherAudioDuckingLevel) -> Float? {
    switch level {
    case .default, .mid: 0.251_188_64  // -12 dB
    case .min: 0.501_187_2  // -6 dB
    case .max: 0.063_095_734  // -24 dB
    default: nil
    }
  }
}
