// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Reaches the MIDI ports of other programs and of hardware: one connection to a server or a driver.
/// Once that has ended, another object takes its place.
///
/// All calls come from the machine thread.
package protocol MIDIBackend: AnyObject, Sendable {
  /// The ports of other programs and of hardware that exist now.
  func ports() -> [MachinePort]

  /// Makes a link work. Until it is closed, `poll` or a thread of the back end passes what arrives to
  /// `MachineLink.receive`, or `write` sends.
  func open(_ link: MachineLink) throws(AudioError)

  /// Ends a link. Nothing is passed to it any more.
  func close(_ link: MachineLink)

  /// Sends a message, or a part of a system exclusive one, through an open link; false if there is no
  /// room now. `time` is when it was due, in host time.
  func write(_ message: [UInt8], at time: UInt64, to link: MachineLink) -> Bool

  /// The most bytes of a message that `write` takes; longer ones come in parts.
  var messageLimit: Int { get }

  /// Whether nothing that was written is lost if the process ends now.
  var isIdle: Bool { get }

  /// Passes what has arrived to its links; returns the nanoseconds until the next call, nil if none
  /// is needed.
  func poll() -> UInt64?

  /// Ends the connection. All links have been closed.
  func close()
}

extension MIDIBackend {
  /// A back end that sends at once.
  package var isIdle: Bool { true }
}

/// A kind of back end.
package struct MIDIBackendKind: Sendable {
  /// The word in `AUDIOTOOLBOX_MIDI`.
  package let name: String
  /// [control thread] Whether the library that it needs is installed.
  package let isInstalled: @Sendable () -> Bool
  /// [machine thread] Connects to the server or driver. Throws the reason if there is none now.
  package let connect: @Sendable (MachineEvents) throws(AudioError) -> any MIDIBackend

  package init(
    name: String, isInstalled: @escaping @Sendable () -> Bool,
    connect: @escaping @Sendable (MachineEvents) throws(AudioError) -> any MIDIBackend
  ) {
    (self.name, self.isInstalled, self.connect) = (name, isInstalled, connect)
  }
}

/// What a back end reports.
package struct MachineEvents: Sendable {
  /// [any thread but a render thread] Ports came or went, or have other names.
  package let portsChanged: @Sendable () -> Void
  /// [any thread but a render thread] The connection has ended.
  package let ended: @Sendable () -> Void
}

/// One direction of a port of another program or of hardware.
package struct MachinePort: Equatable, Sendable {
  /// By which the back end finds it, as long as it exists.
  package let address: String
  /// Whether messages come from it.
  package let isSource: Bool
  /// What is the same in the next run, and different for other devices.
  package let deviceID: String
  /// As above, among the ports of its device.
  package let portID: String
  package let deviceName: String
  package let name: String
  package let isHardware: Bool

  package init(
    address: String, isSource: Bool, deviceID: String, portID: String, deviceName: String,
    name: String, isHardware: Bool
  ) {
    (self.address, self.isSource, self.isHardware) = (address, isSource, isHardware)
    (self.deviceID, self.portID) = (deviceID, portID)
    (self.deviceName, self.name) = (deviceName, name)
  }

  /// What names it among all ports of the back end.
  var key: Key { Key(deviceID: deviceID, portID: portID, isSource: isSource) }

  /// See `key`.
  struct Key: Hashable {
    let deviceID: String
    let portID: String
    let isSource: Bool
  }
}
