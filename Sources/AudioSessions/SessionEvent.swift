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
  /// Another program plays or captures.
  case `default` = 0
  /// The program was suspended.
  case appWasSuspended = 1
  /// The built-in microphone was switched off.
  case builtInMicMuted = 2
  /// The device has been removed.
  case routeDisconnected = 4
}

/// Why the route has changed.
public enum SessionRouteChangeReason: UInt, Sendable {
  /// No known reason.
  case unknown = 0
  /// A device has been connected.
  case newDeviceAvailable = 1
  /// The device has been removed.
  case oldDeviceUnavailable = 2
  /// The program has set another category.
  case categoryChange = 3
  /// The program has overridden the route.
  case override = 4
  /// The machine has woken up.
  case wakeFromSleep = 6
  /// No device fits the category.
  case noSuitableRouteForCategory = 7
  /// A port of the route has changed.
  case routeConfigurationChange = 8
}
