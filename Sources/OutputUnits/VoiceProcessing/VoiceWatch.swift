// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime

/// Watches the running voice-processing units, on the notifier. Ducks other output units while they
/// run or while somebody speaks, and reports muted talkers.
final class VoiceWatch: @unchecked Sendable {
  static let shared = VoiceWatch()

  /// Nanoseconds of silence after which speech counts as ended.
  private static let pause: UInt64 = 500_000_000

  private struct Watched {
    let voice: VoiceProcessing
    /// The device it plays to.
    var device: String
    /// When speech was last detected, in host time: of the near talker, and of either talker.
    var talkerTime: UInt64?
    var anyTime: UInt64?
    /// Whether the listener has been notified that the muted talker speaks.
    var hasReportedStart = false
  }

  /// A pending call of a listener.
  private struct Notice {
    let speechListener: VoiceProcessing.SpeechListener
    let event: AUVoiceIOSpeechActivityEvent
  }

  private let lock = Lock()
  private var watched: [ObjectIdentifier: Watched] = [:]

  private static let checks: Void = Notifier.shared.addMailbox { shared.check() }

  private init() {}

  /// [control thread] Starts watching a unit, or notes its new device.
  func began(_ voice: VoiceProcessing, on device: String) {
    _ = Self.checks
    let isNew = lock.withLock {
      watched.updateValue(Watched(voice: voice, device: device), forKey: ObjectIdentifier(voice))
        == nil
    }
    if isNew { Notifier.shared.listenersChanged(by: 1) }
    check()
  }

  /// [control thread] Stops watching a unit.
  func ended(_ voice: VoiceProcessing) {
    let wasWatched = lock.withLock {
      watched.removeValue(forKey: ObjectIdentifier(voice)) != nil
    }
    guard wasWatched else { return }
    Notifier.shared.listenersChanged(by: -1)
    check()
  }

  /// [any thread but a render thread] Checks all units.
  func check() {
    let now = rt_host_time()
    let notices = lock.withLock {
      var gains: [String: Float] = [:]
      var notices: [Notice] = []
      for (key, entry) in watched {
        var entry = entry
        let control = entry.voice.control
        if control.isNearTalkerSpeaking { entry.talkerTime = now }
        if control.isNearTalkerSpeaking || control.isFarTalkerSpeaking { entry.anyTime = now }
        gains[entry.device] = min(gains[entry.device] ?? 1, Self.ducking(entry, now))
        if let notice = Self.notice(&entry, now) { notices.append(notice) }
        watched[key] = entry
      }
      VoiceDucking.publish(gains)
      return notices
    }
    for notice in notices {
      AfterLocks.perform {
        ProgramCalls.shared.run(notice.speechListener.calls) {
          notice.speechListener.listener(notice.event.rawValue)
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

  private static func notice(_ entry: inout Watched, _ now: UInt64) -> Notice? {
    let speaks = entry.voice.control.isMuted && isRecent(entry.talkerTime, now)
    guard let speechListener = entry.voice.watched.speechListener else {
      entry.hasReportedStart = false
      return nil
    }
    guard speaks != entry.hasReportedStart else { return nil }
    entry.hasReportedStart = speaks
    return Notice(speechListener: speechListener, event: speaks ? .hasStarted : .hasEnded)
  }
}
