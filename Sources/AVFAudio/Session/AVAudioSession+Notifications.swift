// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// The notifications to programs, on the session's own thread.

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
/// The previous `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// An `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

extension AVAudioSession {
  /// Streams that should run do not, because another program has the device or it is gone; or they
  /// run again.
  public static let interruptionNotification = Notification.Name(
    "AVAudioSessionInterruptionNotification")
  /// The output or input device, or the category, has changed.
  public static let routeChangeNotification = Notification.Name(
    "AVAudioSessionRouteChangeNotification")
  /// The sound server has ended.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The sound server is back, or another replaces it. Units that were running resume by
  /// themselves.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Another program started to play, or none plays any more.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")
  /// The available inputs have changed.
  public static let availableInputsChangeNotification = Notification.Name(
    "AVAudioSessionAvailableInputsChangeNotification")
  /// Never posted: the rendering mode never changes.
  public static let renderingModeChangeNotification = Notification.Name(
    "AVAudioSessionRenderingModeChangeNotification")
  /// Never posted: spatial sound is up to the program.
  public static let spatialPlaybackCapabilitiesChangedNotification = Notification.Name(
    "AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
  /// Only in this library, as key-value observing does not exist here: `outputVolume` has changed.
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
