// SPDX-License-Identifier: Apache-2.0

/// The notifications of a session.
package enum SessionEvent: Equatable, Sendable {
  /// Streams that should run do not, because another program has the device or it is gone.
  case interruptionBegan(InterruptionReason)
  /// They run again, or are no longer wanted.
  case interruptionEnded(shouldResume: Bool)
  case routeChanged(RouteChangeReason, previous: SessionRoute)
  /// The sound server has ended.
  case servicesLost
  /// It is back, or another replaces it.
  case servicesReset
  /// Another program started to play, or none plays any more.
  case silenceHint(Bool)
  case volumeChanged(Float)
  /// The available inputs have changed.
  case inputsChanged
}

/// The raw values are those of `AVAudioSessionInterruptionReason`.
package enum InterruptionReason: UInt, Sendable {
  case standard = 0
  case routeDisconnected = 4
}

/// The raw values are those of `AVAudioSessionRouteChangeReason`.
package enum RouteChangeReason: UInt, CaseIterable, Sendable {
  case unknown = 0
  case newDeviceAvailable = 1
  case oldDeviceUnavailable = 2
  case categoryChange = 3
  case override = 4
  case wakeFromSleep = 6
  case noSuitableRouteForCategory = 7
  case routeConfigurationChange = 8
}
