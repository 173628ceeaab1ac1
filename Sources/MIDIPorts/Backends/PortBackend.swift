// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import MIDIMessages

/// What reaches the ports of the machine and of other programs.
///
/// A back end calls `PortEvents` on threads of its own.
package protocol PortBackend: AnyObject, Sendable {
  /// [control thread] Starts to look for ports, and returns soon, whether there is a server or not.
  func start(_ events: PortEvents)
  /// [control thread] Ends all connections.
  func stop()
  /// [control thread] Looks for ports and servers again.
  func rescan()

  // These are called with the lock of the setup held. They do not wait for a server.

  /// [any thread] Shows a virtual endpoint to other programs.
  func publish(_ port: VirtualPort)
  /// [any thread] No longer shows a virtual endpoint.
  func withdraw(_ ref: MIDIEndpointRef)
  /// [any thread] Begins or ends to receive the messages of a source.
  func use(_ id: String, _ isUsed: Bool)

  /// [delivery thread] Sends a list to a destination of the back end. Does not wait long.
  func send(_ list: MessageList, to id: String)
  /// [delivery thread] Sends a list from a virtual source to those who are connected to it outside.
  func send(_ list: MessageList, from source: MIDIEndpointRef)
}

/// A port of the machine or of another program.
package struct BackendPort: Sendable, Equatable {
  /// What identifies it: the same whenever it appears again.
  package let id: String
  package let name: String
  /// The name of the device or of the program.
  package let deviceName: String
  package let isSource: Bool
  /// Whether it belongs to a device. If it is gone, the device remains in the list.
  package let isHardware: Bool
  /// What is sent to it, and comes from it.
  package let format: MessageFormat

  package init(
    id: String, name: String, deviceName: String, isSource: Bool, isHardware: Bool,
    format: MessageFormat = .bytes
  ) {
    (self.id, self.name, self.deviceName) = (id, name, deviceName)
    (self.isSource, self.isHardware, self.format) = (isSource, isHardware, format)
  }
}

/// A virtual endpoint of this process, for other programs.
package struct VirtualPort: Sendable {
  package let ref: MIDIEndpointRef
  package let name: String
  package let isSource: Bool
}

/// What a back end reports. [any thread but the delivery thread]
package struct PortEvents: Sendable {
  private let setup: Setup
  private let backend: any PortBackend

  init(_ setup: Setup, _ backend: any PortBackend) { (self.setup, self.backend) = (setup, backend) }

  /// The ports that exist now. Those that are new appear, the others are gone.
  package func portsAre(_ ports: [BackendPort]) { setup.ports(of: backend, are: ports) }

  /// Messages from a source of the back end.
  package func received(_ list: MessageList, from id: String) {
    setup.received(list, from: id, of: backend)
  }

  /// Messages for a virtual destination.
  package func received(_ list: MessageList, for destination: MIDIEndpointRef) {
    setup.received(list, for: destination)
  }
}
