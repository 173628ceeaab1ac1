// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// The additional properties of aggregate devices and the properties of their parts, one row each.
extension AudioObjects {
  static let aggregate: [PropertyRow<Device>] = [
    .init(
      kAudioAggregateDevicePropertyFullSubDeviceList,
      { query in
        AggregateBackend.aggregate(query.owner).map {
          .list(.array($0.parts.map { .string($0.uid) }))
        }
      },
      write: { (device, data) throws(AudioError) in
        guard case .array(let list)? = try list(data) else {
          throw refusal(device.uid, "no list", "a CFArray of UIDs")
        }
        let uids = list.compactMap(\.string)
        guard uids.count == list.count else {
          throw refusal(device.uid, "a list of other things than strings", "a CFArray of UIDs")
        }
        try Aggregates.change(device) { aggregate in
          let before = aggregate.parts
          aggregate.parts = uids.map { uid in
            before.first { $0.uid == uid } ?? .init(uid: uid, correctsDrift: true)
          }
          // If the main part is removed, the first one takes its place.
          if !uids.contains(aggregate.mainUID) { aggregate.mainUID = uids.first ?? "" }
        }
      }),
    .init(
      kAudioAggregateDevicePropertyActiveSubDeviceList,
      { query in
        AggregateBackend.aggregate(query.owner).map { aggregate in
          let present = AggregateBackend.parts(of: aggregate).map(\.device)
          return .numbers(
            aggregate.parts.compactMap { part in
              present.first { $0.uid == part.uid }.map(DeviceList.id)
            })
        }
      }),
    .init(
      kAudioAggregateDevicePropertyComposition,
      { query in
        AggregateBackend.aggregate(query.owner).map { .list($0.composition) }
      },
      write: { (device, data) throws(AudioError) in
        guard let list = try list(data) else {
          throw refusal(device.uid, "no composition", "a CFDictionary")
        }
        let new = try Aggregate(list)
        try Aggregates.change(device) { (aggregate) throws(AudioError) in
          guard new.uid == aggregate.uid else {
            throw refusal(device.uid, "the UID \(new.uid)", aggregate.uid)
          }
          aggregate = new
        }
      }),
    .init(
      kAudioAggregateDevicePropertyMainSubDevice,
      { query in AggregateBackend.aggregate(query.owner).map { .string($0.mainUID) } },
      write: { (device, data) throws(AudioError) in
        guard let uid = try data.object().flatMap({ Bridge.current.string($0) }) else {
          throw refusal(device.uid, "no string", "the UID of a part")
        }
        try Aggregates.change(device) { (aggregate) throws(AudioError) in
          guard aggregate.parts.contains(where: { $0.uid == uid }) else {
            throw refusal(device.uid, "the main part \(uid)", "one of its parts")
          }
          aggregate.mainUID = uid
        }
      }),
    .init(
      kAudioEndPointDevicePropertyIsPrivate,
      { query in
        AggregateBackend.aggregate(query.owner).map { .numbers([$0.isPrivate ? 1 : 0]) }
      }),
  ]

  /// A property list that a program writes.
  private static func list(_ data: PropertyData) throws(AudioError) -> PropertyList? {
    try data.object().flatMap { Bridge.current.propertyList($0) }
  }

  /// The numbers of the parts of an aggregate.
  static func parts(of device: Device) -> [AudioObjectID] {
    let count = AggregateBackend.aggregate(device)?.parts.count ?? 0
    return (0..<min(count, Aggregate.mostParts)).map { id(ofPart: $0, of: device) }
  }

  static let subDeviceProperties: [PropertyRow<SubDevice>] = [
    .init(kAudioObjectPropertyBaseClass, { _ in .numbers([kAudioDeviceClassID]) }),
    .init(kAudioObjectPropertyClass, { _ in .numbers([kAudioSubDeviceClassID]) }),
    .init(kAudioObjectPropertyOwner, { .numbers([DeviceList.id(of: $0.owner.device)]) }),
    .init(kAudioObjectPropertyOwnedObjects, { _ in .numbers([]) }),
    .init(
      kAudioObjectPropertyName,
      { query in
        let uid = query.owner.part.uid
        let device = DeviceCache.devices(of: DeviceName(uid).backend).first { $0.uid == uid }
        return .string(device?.name ?? uid)
      }),
    .init(kAudioDevicePropertyDeviceUID, { .string($0.owner.part.uid) }),
    .init(
      kAudioSubDevicePropertyDriftCompensation,
      { .numbers([$0.owner.part.correctsDrift ? 1 : 0]) },
      write: { (part, data) throws(AudioError) in
        let corrects = try data.value(UInt32.self) != 0
        try Aggregates.change(part.device) { aggregate in
          let index = aggregate.parts.firstIndex { $0.uid == part.part.uid }
          if let index { aggregate.parts[index].correctsDrift = corrects }
        }
      }),
  ]
}
