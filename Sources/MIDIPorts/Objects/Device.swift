// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// An instrument or an interface: of the machine, or external, as a program has described it.
final class Device: MIDIObject, @unchecked Sendable {
  override class var noun: String { "device" }

  var entities: [Entity] = []
  let isExternal: Bool
  /// Where it is, if it belongs to the machine.
  let origin: DeviceOrigin?

  init(
    _ ref: MIDIObjectRef, name: String, isExternal: Bool = false, origin: DeviceOrigin? = nil
  ) {
    (self.isExternal, self.origin) = (isExternal, origin)
    super.init(ref, isExternal ? .externalDevice : .device, name: name)
    properties[PropertyName.offline] = .integer(0)
  }

  override var children: [(name: String, objects: [MIDIObject])] { [("entities", entities)] }
}

/// The back end that reaches a device, and what the back end calls the device.
struct DeviceOrigin: Equatable {
  let backend: String
  let id: String
}

/// A part of a device, with its endpoints.
final class Entity: MIDIObject, @unchecked Sendable {
  override class var noun: String { "entity" }

  /// Nil once the device has been removed.
  private(set) weak var device: Device?
  var sources: [Endpoint] = []
  var destinations: [Endpoint] = []
  /// By which a port of the machine is found among those of its device.
  let portID: String?

  init(_ ref: MIDIObjectRef, name: String, of device: Device, portID: String? = nil) {
    (self.device, self.portID) = (device, portID)
    super.init(ref, device.isExternal ? .externalEntity : .entity, name: name)
  }

  override var parent: MIDIObject? { device }
  override var children: [(name: String, objects: [MIDIObject])] {
    [("sources", sources), ("destinations", destinations)]
  }
  override var displayName: String { joined(device?.name, name) }
}
