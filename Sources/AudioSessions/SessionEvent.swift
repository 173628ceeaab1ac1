// SPDX-License-Identifier: Apache-2.0

/// The notifications of a session.
package enum SessionEvent: Equatable, Sendable {
  /// Streams that should run have stopped, because another program has the device or the device is
  /// gone, or the active session has lost the only device.
  case interruptionBegan(SessionInterruptionReason)
  /// The streams run again, or were stopped by the program, and there is a device again.
  case interruptionEnded(shouldResume: Bool)
  case routeChanged(SessionRouteChangeReason, previous: SessionRoute)
  /// The sound server has ended.
  case servicesLost
  /// The sound server is back, or another back end replaces it.
  case servicesReset
  /// Another program has started to play (true), or none plays any more (false).
  case silenceHint(Bool)
  case volumeChanged(Float)
  /// The available inputs have changed.
  case inputsChanged
}

/// Why an interruption began.
public enum SessionInterruptionReason: UInt, Sendable {
  case `default` = 0
  case appWasSuspended = 1
  case builtInMicMuted = 2
  case routeDisconnected = 4
}

/// Why the route has changed.
public enum SessionRouteChangeReason: UInt, Sendable {
  case unknown = 0
  case newDeviceAvailable = 1
  case oldDeviceUnavailable = 2
  case categoryChange = 3
  case override = 4
  case wakeFromSleep = 6
  case noSuitableRouteForCategory = 7
  case routeConfigurationChange = 8
}
