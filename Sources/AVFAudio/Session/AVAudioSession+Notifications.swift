// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// What programs are notified of, on a thread of the session's own.

/// Under this key: an `AVAudioSession.InterruptionType`, as its raw value.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// `AVAudioSession.InterruptionOptions`, when the interruption is over.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// An `AVAudioSession.InterruptionReason`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// False: programs are not suspended here.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// An `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The `AVAudioSessionRouteDescription` of before.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// An `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

extension AVAudioSession {
  /// Streams that ought to run do not, because another program has the device or it is gone; and they
  /// run again.
  public static let interruptionNotification = Notification.Name(
    "AVAudioSessionInterruptionNotification")
  /// Another device is played to or captured from, or the category is another.
  public static let routeChangeNotification = Notification.Name(
    "AVAudioSessionRouteChangeNotification")
  /// The sound server has ended.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The sound server is back, or another takes its place. Units that ran run again by themselves.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Another program began to play, or none does any more.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")
  /// There are other devices to capture from.
  public static let availableInputsChangeNotification = Notification.Name(
    "AVAudioSessionAvailableInputsChangeNotification")
  /// Never posted: nothing is rendered in another way than before.
  public static let renderingModeChangeNotification = Notification.Name(
    "AVAudioSessionRenderingModeChangeNotification")
  /// Never posted: sound in space is the program's.
  public static let spatialPlaybackCapabilitiesChangedNotification = Notification.Name(
    "AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
  /// Of this library alone, as key-value observing does not exist here: `outputVolume` is another.
  public static let outputVolumeDidChangeNotification = Notification.Name(
    "AVAudioSessionOutputVolumeDidChangeNotification")

  /// Has the session's events posted, with the session as their object.
  func post(to center: NotificationCenter) {
    session.addObserver { [weak self] event in
      guard let self else { return }
      let (name, userInfo) = notification(of: event)
      center.post(name: name, object: self, userInfo: userInfo)
    }
  }

  private func notification(of event: SessionEvent) -> (Notification.Name, [AnyHashable: Any]?) {
    switch event {
    case .interruptionBegan(let reason):
      (
        Self.interruptionNotification,
        [
          AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue,
          AVAudioSessionInterruptionReasonKey: reason.rawValue,
          AVAudioSessionInterruptionWasSuspendedKey: false,
        ]
      )
    case .interruptionEnded(let shouldResume):
      (
        Self.interruptionNotification,
        [
          AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue,
          AVAudioSessionInterruptionOptionKey:
            (shouldResume ? InterruptionOptions.shouldResume : []).rawValue,
        ]
      )
    case .routeChanged(let reason, let previous):
      (
        Self.routeChangeNotification,
        [
          AVAudioSessionRouteChangeReasonKey: reason.rawValue,
          AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(
            previous, of: session),
        ]
      )
    case .servicesLost: (Self.mediaServicesWereLostNotification, nil)
    case .servicesReset: (Self.mediaServicesWereResetNotification, nil)
    case .silenceHint(let isPlaying):
      (
        Self.silenceSecondaryAudioHintNotification,
        [
          AVAudioSessionSilenceSecondaryAudioHintTypeKey:
            (isPlaying ? SilenceSecondaryAudioHintType.begin : .end).rawValue
        ]
      )
    case .volumeChanged: (Self.outputVolumeDidChangeNotification, nil)
    case .inputsChanged: (Self.availableInputsChangeNotification, nil)
    }
  }
}
