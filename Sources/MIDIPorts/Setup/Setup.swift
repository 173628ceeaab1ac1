// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import Glibc
import MIDIMessages

/// All objects of MIDI in a process: its clients with their ports and virtual endpoints, and devices.
///
/// A message passes from the sending call to the delivery thread, and from there to the receivers of
/// its endpoint.
package final class Setup: @unchecked Sendable {
  let lock = Lock()
  let delivery = DeliveryThread()
  private let processID = getpid()
  /// What connects it to other programs and to hardware.
  private(set) var machine: Machine?

  // Guarded by `lock`.
  var objects: [MIDIObjectRef: MIDIObject] = [:]
  private var lastRef: MIDIObjectRef = 0
  var clients: [Client] = []
  /// The devices, without external ones.
  var devices: [Device] = []
  var externalDevices: [Device] = []
  /// The endpoints of clients, in the order in which they were created.
  var virtualEndpoints: [Endpoint] = []
  var thruConnections: [ThruConnection] = []

  /// [control thread] A setup without devices.
  init(_ backends: MIDIBackends) {
    if !backends.kinds.isEmpty { machine = Machine(backends, of: self) }
  }

  /// [control thread] Ends the threads. The setup is not used after that.
  package func close() {
    machine?.stop()
    delivery.stop()
  }

  /// [any thread] Waits, at the end of the process, until what is due has left: at most three seconds,
  /// which a busy server may need to connect a port, and not on the threads that send.
  package func waitUntilSent() {
    // A copy of the process has none of the threads, and perhaps locks that nobody unlocks.
    guard getpid() == processID, !delivery.isCurrent else { return }
    let now = rt_host_time()
    let deadline = now + 3_000_000_000
    waitPolling(every: 1_000, until: deadline) { delivery.isBusy(at: now) }
    machine?.waitUntilIdle(until: deadline)
  }

  /// [under the lock] The number for a new object. Numbers are not used twice.
  func nextRef() -> MIDIObjectRef {
    lastRef += 1
    return lastRef
  }

  /// [under the lock] Makes an object known by its number.
  func register(_ object: MIDIObject) { objects[object.ref] = object }

  /// [under the lock] The object with a number.
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

  /// [under the lock] Notifies all clients of changes.
  func notify(_ changes: SetupChange...) {
    for client in clients {
      for change in changes { client.listener?.notify(change) }
    }
  }

  /// [under the lock] The sources or destinations.
  func endpoints(areSources: Bool) -> [Endpoint] {
    let ofDevices = devices.flatMap { device in
      device.entities.flatMap { areSources ? $0.sources : $0.destinations }
    }
    return ofDevices.filter(\.isPresent) + virtualEndpoints.filter { $0.isSource == areSources }
  }
}

extension AudioError {
  static var invalidPort: AudioError { AudioError(status: kMIDIInvalidPort) }
  static var wrongEndpointType: AudioError { AudioError(status: kMIDIWrongEndpointType) }
  static var objectNotFound: AudioError { AudioError(status: kMIDIObjectNotFound) }
  static var notPermitted: AudioError { AudioError(status: kMIDINotPermitted) }
}
