// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime

/// Watches the running voice-processing units, on the notifier: ducks other output units while they
/// run or while somebody speaks, and reports muted talkers.
final class VoiceWatch: @unchecked Sendable {
  static let shared = VoiceWatch()

  /// Nanoseconds of silence after which speech counts as ended.
  private static let pause: UInt64 = 500_000_000

  private struct Watched {
    let voice: VoiceProcessing
    /// What it plays to.
    var device: String
    /// When speech was last detected, in host time: of the near talker, and of either.
    var talkerTime: UInt64?
    var anyTime: UInt64?
    /// Whether the listener has been notified that the muted talker speaks.
    var hasToldStart = false
  }

  /// A listener that is to be told.
  private struct Telling {
    let hearing: VoiceProcessing.Hearing
    let event: AUVoiceIOSpeechActivityEvent
  }

  private let lock = Lock()
  private var watched: [ObjectIdentifier: Watched] = [:]

  private static let looks: Void = Notifier.shared.addMailbox { shared.look() }

  private init() {}

  /// [control thread] Watches a unit from its start on, or on another device than before.
  func began(_ voice: VoiceProcessing, on device: String) {
    _ = Self.looks
    let isNew = lock.withLock {
      watched.updateValue(Watched(voice: voice, device: device), forKey: ObjectIdentifier(voice))
        == nil
    }
    if isNew { Notifier.shared.listenersChanged(by: 1) }
    look()
  }

  /// [control thread] Ends that.
  func ended(_ voice: VoiceProcessing) {
    let wasThere = lock.withLock {
      watched.removeValue(forKey: ObjectIdentifier(voice)) != nil
    }
    guard wasThere else { return }
    Notifier.shared.listenersChanged(by: -1)
    look()
  }

  /// [any thread but a render thread] Checks all of them.
  func look() {
    let now = rt_host_time()
    let tellings = lock.withLock {
      var gains: [String: Float] = [:]
      var tellings: [Telling] = []
      for (key, entry) in watched {
        var entry = entry
        let control = entry.voice.control
        if control.isTalkerSpeaking { entry.talkerTime = now }
        if control.isTalkerSpeaking || control.isOtherSpeaking { entry.anyTime = now }
        gains[entry.device] = min(gains[entry.device] ?? 1, Self.ducking(entry, now))
        if let telling = Self.telling(&entry, now) { tellings.append(telling) }
        watched[key] = entry
      }
      VoiceDucking.publish(gains)
      return tellings
    }
    for telling in tellings {
      AfterLocks.perform {
        ProgramCalls.shared.run(telling.hearing.calls) {
          telling.hearing.listener(telling.event.rawValue)
        }
      }
    }
  }

  private static func isRecent(_ time: UInt64?, _ now: UInt64) -> Bool {
    time.map { now &- $0 < pause } ?? false
  }

  private static func ducking(_ entry: Watched, _ now: UInt64) -> Float {
    let voice = entry.voice.watched
    guard voice.ducksOthers else { return 1 }
    if voice.ducking.mEnableAdvancedDucking, !isRecent(entry.anyTime, now) { return 1 }
    return VoiceDucking.gain(voice.ducking.mDuckingLevel) ?? 1
  }

  private static func telling(_ entry: inout Watched, _ now: UInt64) -> Telling? {
    let speaks = entry.voice.control.isMuted && isRecent(entry.talkerTime, now)
    guard let hearing = entry.voice.watched.hearing else {
      entry.hasToldStart = false
      return nil
    }
    guard speaks != entry.hasToldStart else { return nil }
    entry.hasToldStart = speaks
    return Telling(hearing: hearing, event: speaks ? .hasStarted : .hasEnded)
  }
}
