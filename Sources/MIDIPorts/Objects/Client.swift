// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI

/// A part of a program that owns ports and virtual endpoints.
final class Client: MIDIObject, @unchecked Sendable {
  override class var noun: String { "client" }

  var ports: [Port] = []
  var endpoints: [Endpoint] = []
  let listener: ChangeListener?

  init(_ ref: MIDIObjectRef, name: String, listener: ChangeListener?) {
    self.listener = listener
    super.init(ref, .other, name: name)
  }
}

/// The part of a client through which it sends or receives.
final class Port: MIDIObject, @unchecked Sendable {
  override class var noun: String { "port" }

  private(set) weak var client: Client?
  /// What receives; nil for an output port.
  let handler: MessageHandler?
  /// The sources that are connected to it.
  var sources: [Endpoint] = []

  init(_ ref: MIDIObjectRef, name: String, of client: Client, handler: MessageHandler?) {
    self.client = client
    self.handler = handler
    super.init(ref, .other, name: name)
  }
}

/// What a client does when something changes.
package struct ChangeListener: Sendable {
  let calls: ProgramCalls.Entry
  let notify: @Sendable (SetupChange) -> Void

  /// `notify` arranges for the program to be called later, by `calls`. It is called with the lock of
  /// the setup held.
  package init(
    calls: ProgramCalls.Entry, notify: @escaping @Sendable (SetupChange) -> Void
  ) {
    (self.calls, self.notify) = (calls, notify)
  }
}

/// A change that clients are notified of.
package enum SetupChange: Sendable, Equatable {
  /// An object by its number and type.
  package struct Object: Sendable, Equatable {
    package let ref: MIDIObjectRef
    package let type: MIDIObjectType

    init(_ object: MIDIObject?) {
      (ref, type) = (object?.ref ?? 0, object?.type ?? .other)
    }
  }

  case setup
  case added(Object, to: Object)
  case removed(Object, from: Object)
  case property(String, of: Object)
  case thruConnections
}
