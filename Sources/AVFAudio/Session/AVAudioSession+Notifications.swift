// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// The notifications to programs, posted on the session's own thread.

/// The key of an `AVAudioSession.InterruptionType`, as its raw value.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of `AVAudioSession.InterruptionOptions`, when the interruption is over.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of an `AVAudioSession.InterruptionReason`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// The key of a Boolean, which is always false: this system does not suspend programs.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// The key of an `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the previous `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// The key of an `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
/// The key of a Boolean: whether the output is muted.
public let AVAudioSessionMuteStateKey = "AVAudioSessionMuteStateKey"
/// The key of a Boolean in `spatialPlaybackCapabilitiesChangedNotification`, which is never posted.
public let AVAudioSessionSpatialAudioEnabledKey = "AVAudioSessionSpatialAudioEnabledKey"
/// The key of an `AVAudioSession.RenderingMode` in `renderingModeChangeNotification`, which is never
/// posted.
public let AVAudioSessionRenderingModeNewRenderingModeKey =
  "AVAudioSessionRenderingModeNewRenderingModeKey"

extension AVAudioSession {
  /// Streams that should run have stopped, because another program has the device or the device is
  /// gone; or they run again.
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
  /// Another program has started to play, or none plays any more.
  public static let silenceSecondaryAudioHintNotification = Notification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")
  /// The available inputs have changed.
  public static let availableInputsChangeNotification = Notification.Name(
    "AVAudioSessionAvailableInputsChangeNotification")
  /// The output has been muted or unmuted; the user information has the new state.
  public static let outputMuteStateChangeNotification = Notification.Name(
    "AVAudioSessionOutputMuteStateChangeNotification")
  /// Never posted: the rendering mode never changes.
  public static let renderingModeChangeNotification = Notification.Name(
    "AVAudioSessionRenderingModeChangeNotification")
  /// Never posted: the system has no spatial playback of its own.
  public static let spatialPlaybackCapabilitiesChangedNotification = Notification.Name(
    "AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
  /// `outputVolume` has changed. Exists only in this library, because Linux has no key-value
  /// observing.
  public static let outputVolumeDidChangeNotification = Notification.Name(
    "AVAudioSessionOutputVolumeDidChangeNotification")

  /// Posts the session's events as notifications, with the session as their object.
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
