// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Sends MIDI to the destinations of the system. The module that knows them installs one.
package protocol EndpointSender: Sendable {
  /// [a thread of the library] Sends bytes to an endpoint at a host time; 0 for now. An endpoint that
  /// does not exist any more gets nothing. False if there is no room for them now.
  func send(_ bytes: [UInt8], to endpoint: MIDIEndpointRef, at hostTime: UInt64) -> Bool
}

/// The installed sender.
package enum Endpoints {
  private static let installed = Guarded<(any EndpointSender)?>(nil)

  /// [any thread but a render thread] What sends to endpoints; nil if nothing does.
  package static var sender: (any EndpointSender)? {
    get { installed.withLock { $0 } }
    set { installed.withLock { $0 = newValue } }
  }
}
