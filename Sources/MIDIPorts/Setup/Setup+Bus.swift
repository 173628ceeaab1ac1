// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import Glibc

// The device that every setup has.
extension Setup {
  /// The setup of the process, which waits for its messages when that exits.
  package static let shared: Setup = {
    atexit { Setup.shared.waitUntilSent() }
    return make(.ofEnvironment)
  }()

  /// [control thread] A setup with one device: a bus between the clients of the process. The ports of
  /// the machine are added with its first client.
  package static func make(_ backends: MIDIBackends = .none) -> Setup {
    let setup = Setup(backends)
    setup.addBus()
    return setup
  }

  /// [control thread] Adds the device that every setup has: what is sent to its destination comes
  /// from its source.
  private func addBus() {
    lock.withLock {
      let device = Device(nextRef(), name: "Bus")
      device.properties[PropertyName.manufacturer] = .string("")
      device.properties[PropertyName.model] = .string("Bus")
      device.properties[PropertyName.driver] = .string("swift-audiotoolbox.bus")
      assignUniqueID(to: device, from: "bus")
      register(device)
      devices.append(device)
      let entity = addEntity(
        to: device, name: "Port 1", format: .bytes, identity: "bus/1", counts: (1, 1))
      let source = entity.sources[0]
      entity.destinations[0].receivers.set(
        Receiver(entity.destinations[0].ref) { source.deliver($0) })
    }
  }
}
