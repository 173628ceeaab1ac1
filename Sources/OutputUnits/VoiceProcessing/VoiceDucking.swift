// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The gain of the process's other output units on a device while a unit processes voice there.
///
/// It is in memory that lives as long as the process, so that a render thread reads it without a
/// lock.
struct VoiceDucking: BitwiseCopyable, @unchecked Sendable {
  private let word: UnsafeMutablePointer<Atomic<UInt32>>

  private init() { word = .cell(Atomic(Float(1).bitPattern)) }

  private static let all = Guarded<[String: VoiceDucking]>([:])

  /// [control thread] The gain of a device, the same for as long as the process lives.
  static func of(_ uid: String) -> VoiceDucking {
    all.withLock { all in
      if let known = all[uid] { return known }
      let new = VoiceDucking()
      all[uid] = new
      return new
    }
  }

  /// [any thread] The factor for samples of other units.
  var gain: Float {
    @_noLocks get { Float(bitPattern: word.pointee.load(ordering: .relaxed)) }
  }

  /// [control thread] Attenuates other units on the given devices, and on no others.
  static func publish(_ gains: [String: Float]) {
    all.withLock { all in
      for uid in gains.keys where all[uid] == nil { all[uid] = VoiceDucking() }
      for (uid, ducking) in all {
        ducking.word.pointee.store((gains[uid] ?? 1).bitPattern, ordering: .relaxed)
      }
    }
  }

  /// The gain of a ducking level. Nil if programs may not choose it.
  static func gain(_ level: AUVoiceIOOtherAudioDuckingLevel) -> Float? {
    switch level {
    case .default, .mid: 0.251_188_64  // -12 dB
    case .min: 0.501_187_2  // -6 dB
    case .max: 0.063_095_734  // -24 dB
    default: nil
    }
  }
}
