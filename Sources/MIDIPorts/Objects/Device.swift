// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// An instrument or an interface: of the machine, or external, as a program has described it.
final class Device: MIDIObject, @unchecked Sendable {
  override class var noun: String { "device" }

  var entities: [Entity] = []
  let isExternal: Bool
  /// The index of the back end whose device it is.
  var backendIndex: Int?

  init(_ ref: MIDIObjectRef, name: String, isExternal: Bool = false) {
    self.isExternal = isExternal
    super.init(ref, isExternal ? .externalDevice : .device, name: name)
    properties[PropertyName.offline] = .integer(0)
  }

  override var children: [(name: String, objects: [MIDIObject])] { [("entities", entities)] }
}

/// A part of a device, with its endpoints.
final class Entity: MIDIObject, @unchecked Sendable {
  override class var noun: String { "entity" }

  /// Nil once the device has been removed.
  private(set) weak var device: Device?
  var sources: [Endpoint] = []
  var destinations: [Endpoint] = []

  init(_ ref: MIDIObjectRef, name: String, of device: Device) {
    self.device = device
    super.init(ref, device.isExternal ? .externalEntity : .entity, name: name)
  }

  override var parent: MIDIObject? { device }
  override var children: [(name: String, objects: [MIDIObject])] {
    [("sources", sources), ("destinations", destinations)]
  }
  override var displayName: String { joined(device?.name, name) }
}

/// "Device Endpoint", or only one of the names if it contains the other one.
func joined(_ outer: String?, _ inner: String) -> String {
  guard let outer, !outer.isEmpty, !inner.hasPrefix(outer) else { return inner }
  return inner.isEmpty || outer.hasPrefix(inner) ? outer : "\(outer) \(inner)"
}
