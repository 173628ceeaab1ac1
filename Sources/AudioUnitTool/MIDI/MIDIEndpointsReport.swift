// SPDX-License-Identifier: Apache-2.0
import CoreMIDI

/// The sources and destinations of MIDI, at one moment.
struct MIDIEndpointsReport: Encodable, Equatable {
  /// A source or a destination.
  struct Endpoint: Encodable, Equatable {
    var uniqueID: Int
    /// The names of device and endpoint together.
    var name: String
    /// The name of its device; nil for an endpoint without one.
    var device: String?
    /// 1 or 2, the version of MIDI of its messages.
    var version: Int
  }

  var sources: [Endpoint]
  var destinations: [Endpoint]

  /// Queries all endpoints that are present.
  init() {
    sources = (0..<MIDIGetNumberOfSources()).map { Endpoint(MIDIGetSource($0)) }
    destinations = (0..<MIDIGetNumberOfDestinations()).map { Endpoint(MIDIGetDestination($0)) }
  }

  /// A table to read.
  var text: String {
    var table = TextTable(["DIRECTION", "NAME", "DEVICE", "MIDI", "UNIQUE ID"])
    for (direction, endpoints) in [("source", sources), ("destination", destinations)] {
      for endpoint in endpoints {
        table.add(
          direction, endpoint.name, endpoint.device ?? "", "\(endpoint.version).0",
          "\(endpoint.uniqueID)")
      }
    }
    return table.text
  }
}

extension MIDIEndpointsReport.Endpoint {
  init(_ ref: MIDIEndpointRef) {
    var entity = MIDIEntityRef()
    var owner = MIDIDeviceRef()
    if MIDIEndpointGetEntity(ref, &entity) == noErr, MIDIEntityGetDevice(entity, &owner) == noErr {
      device = Self.text(owner, kMIDIPropertyName)
    }
    name = Self.text(ref, kMIDIPropertyDisplayName) ?? ""
    uniqueID = Self.number(ref, kMIDIPropertyUniqueID)
    version = Self.number(ref, kMIDIPropertyProtocolID)
  }

  private static func text(_ ref: MIDIObjectRef, _ property: CFString) -> String? {
    var value: Unmanaged<CFString>?
    guard MIDIObjectGetStringProperty(ref, property, &value) == noErr else { return nil }
    return value.map { String(describing: $0.takeRetainedValue()) }
  }

  private static func number(_ ref: MIDIObjectRef, _ property: CFString) -> Int {
    var value: Int32 = 0
    MIDIObjectGetIntegerProperty(ref, property, &value)
    return Int(exactly: value) ?? 0
  }
}
