// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

/// All objects of MIDI that a process sees: its clients with their ports and virtual endpoints, and
/// the devices and endpoints of the machine and of other programs.
///
/// A message passes from the sending call to the delivery thread, and from there to the receivers of
/// its endpoint.
package final class Setup: @unchecked Sendable {
  /// The setup of the process.
  package static let shared = Setup(backends: BackendChoice.available)

  let lock = Lock()
  let delivery = DeliveryThread()

  // Guarded by `lock`.
  var objects: [MIDIObjectRef: MIDIObject] = [:]
  private var lastRef: MIDIObjectRef = 0
  var clients: [Client] = []
  /// The devices of the machine, in the order in which they were first seen.
  var devices: [Device] = []
  var externalDevices: [Device] = []
  /// Sources and destinations without a device, in the order in which they appeared.
  var looseEndpoints: [Endpoint] = []
  var thruConnections: [ThruConnection] = []

  /// The back ends; they are started when the program first asks for something.
  let backends: [any PortBackend]
  private var hasStarted = false

  /// [control thread] A setup of its own, with one device: a bus between the programs of the process.
  package init(backends: [any PortBackend] = []) {
    self.backends = backends
    addBus()
  }

  /// [control thread] Ends the threads. The setup is not used after that.
  package func close() {
    for backend in backends { backend.stop() }
    delivery.stop()
  }

  /// [control thread, without the lock] Starts the back ends, once.
  package func start() {
    let isFirst = lock.withLock {
      defer { hasStarted = true }
      return !hasStarted
    }
    guard isFirst else { return }
    for backend in backends { backend.start(PortEvents(self, backend)) }
  }

  /// [holding the lock] The number for a new object. Numbers are not used twice.
  func nextRef() -> MIDIObjectRef {
    lastRef += 1
    return lastRef
  }

  /// [holding the lock] Makes an object known by its number.
  func register(_ object: MIDIObject) { objects[object.ref] = object }

  /// [holding the lock] The object with a number.
  ///
  /// - Throws: `status` if there is none, or if it is of another kind.
  func object<Object: MIDIObject>(
    _ ref: MIDIObjectRef, _: Object.Type = Object.self, orElse status: OSStatus
  ) throws(AudioError) -> Object {
    guard let object = objects[ref] as? Object else {
      throw AudioError(status: status).because(
        "\(ref) is not the number of an existing \(Object.noun)")
    }
    return object
  }

  /// [holding the lock] Notifies all clients of changes.
  func notify(_ changes: SetupChange...) {
    for client in clients {
      for change in changes { client.listener?.notify(change) }
    }
  }

  /// [holding the lock] The sources or destinations that are present.
  func endpoints(areSources: Bool) -> [Endpoint] {
    let ofDevices = devices.flatMap { device in
      device.entities.flatMap { areSources ? $0.sources : $0.destinations }
    }
    return (ofDevices + looseEndpoints.filter { $0.isSource == areSources }).filter(\.isPresent)
  }
}

extension AudioError {
  static var invalidClient: AudioError { AudioError(status: kMIDIInvalidClient) }
  static var invalidPort: AudioError { AudioError(status: kMIDIInvalidPort) }
  static var wrongEndpointType: AudioError { AudioError(status: kMIDIWrongEndpointType) }
  static var unknownEndpoint: AudioError { AudioError(status: kMIDIUnknownEndpoint) }
  static var objectNotFound: AudioError { AudioError(status: kMIDIObjectNotFound) }
  static var notPermitted: AudioError { AudioError(status: kMIDINotPermitted) }
}
