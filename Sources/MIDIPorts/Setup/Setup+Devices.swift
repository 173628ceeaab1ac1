// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

// Lists of objects, and external devices.
extension Setup {
  // MARK: Lists

  /// A list of objects that programs count and index.
  package enum List: Sendable {
    case devices, externalDevices, sources, destinations
    case entities(of: MIDIDeviceRef)
    case entitySources(of: MIDIEntityRef)
    case entityDestinations(of: MIDIEntityRef)
  }

  /// [any thread] The numbers of the objects in a list; none if what it belongs to does not exist.
  package func refs(in list: List) -> [MIDIObjectRef] {
    lock.withLock { objects(in: list).map(\.ref) }
  }

  private func objects(in list: List) -> [MIDIObject] {
    switch list {
    case .devices: devices
    case .externalDevices: externalDevices
    case .sources: endpoints(areSources: true)
    case .destinations: endpoints(areSources: false)
    case .entities(let ref): (objects[ref] as? Device)?.entities ?? []
    case .entitySources(let ref): (objects[ref] as? Entity)?.sources ?? []
    case .entityDestinations(let ref): (objects[ref] as? Entity)?.destinations ?? []
    }
  }

  /// [any thread] The device of an entity.
  package func device(of ref: MIDIEntityRef) throws(AudioError) -> MIDIDeviceRef {
    try lock.withLock { () throws(AudioError) in
      let entity: Entity = try object(ref, orElse: kMIDIObjectNotFound)
      guard let device = entity.device else { throw .objectNotFound }
      return device.ref
    }
  }

  /// [any thread] The entity of an endpoint.
  package func entity(of ref: MIDIEndpointRef) throws(AudioError) -> MIDIEntityRef {
    try lock.withLock { () throws(AudioError) in
      let endpoint: Endpoint = try object(ref, orElse: kMIDIObjectNotFound)
      guard let entity = endpoint.parent else {
        throw .objectNotFound.because("endpoint \(ref) is virtual: it has no entity")
      }
      return entity.ref
    }
  }

  // MARK: Entities

  /// [under the lock] Adds an entity with endpoints.
  func addEntity(
    to device: Device, name: String, format: MessageFormat, identity: String,
    counts: (sources: Int, destinations: Int)
  ) -> Entity {
    let entity = Entity(nextRef(), name: name, of: device)
    assignUniqueID(to: entity, from: identity)
    register(entity)
    device.entities.append(entity)
    setEndpoints(of: entity, format: format, identity: identity, counts)
    return entity
  }

  private func setEndpoints(
    of entity: Entity, format: MessageFormat, identity: String,
    _ counts: (sources: Int, destinations: Int)
  ) {
    for isSource in [true, false] {
      var list = isSource ? entity.sources : entity.destinations
      let count = isSource ? counts.sources : counts.destinations
      while list.count > count { objects[list.removeLast().ref] = nil }
      while list.count < count {
        let name = count == 1 ? entity.name : "\(entity.name) \(list.count + 1)"
        let endpoint = Endpoint(
          nextRef(), isSource: isSource, name: name, format: format, entity: entity)
        let kind = isSource ? "source" : "destination"
        assignUniqueID(to: endpoint, from: "\(identity)/\(kind)/\(list.count)")
        register(endpoint)
        list.append(endpoint)
      }
      if isSource { entity.sources = list } else { entity.destinations = list }
    }
  }

  // MARK: External devices

  /// The most sources, or destinations, that a program may give an entity.
  private static let endpointLimit = 256

  /// [control thread] Describes an external device, which is in no list yet.
  package func createExternalDevice(
    name: String, manufacturer: String, model: String
  ) throws(AudioError) -> MIDIDeviceRef {
    lock.withLock {
      let device = Device(nextRef(), name: name, isExternal: true)
      device.properties[PropertyName.manufacturer] = .string(manufacturer)
      device.properties[PropertyName.model] = .string(model)
      assignUniqueID(to: device, from: "external/\(manufacturer)/\(model)/\(name)")
      register(device)
      return device.ref
    }
  }

  /// [control thread] Adds an entity to an external device.
  package func addEntity(
    to ref: MIDIDeviceRef, name: String, protocolID: MIDIProtocolID, isEmbedded: Bool,
    counts: (sources: Int, destinations: Int)
  ) throws(AudioError) -> MIDIEntityRef {
    try check(counts)
    return try lock.withLock { () throws(AudioError) in
      let device = try externalDevice(ref)
      let entity = addEntity(
        to: device, name: name, format: protocolID == ._2_0 ? .events2 : .bytes,
        identity: "external/\(device.name)/\(name)", counts: counts)
      entity.properties[PropertyName.isEmbedded] = .integer(isEmbedded ? 1 : 0)
      if isListed(device) { notify(.added(.init(entity), to: .init(device)), .setup) }
      return entity.ref
    }
  }

  /// [control thread] Removes an entity from an external device.
  package func removeEntity(
    _ ref: MIDIEntityRef, from device: MIDIDeviceRef
  ) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      let device = try externalDevice(device)
      guard let index = device.entities.firstIndex(where: { $0.ref == ref }) else {
        throw .objectNotFound.because("device \(device.ref) has no entity \(ref)")
      }
      let entity = device.entities.remove(at: index)
      forget(entity)
      resolveThruConnections()
      if isListed(device) { notify(.removed(.init(entity), from: .init(device)), .setup) }
    }
  }

  /// [control thread] Changes the numbers of an external entity's endpoints.
  package func setEndpointCounts(
    of ref: MIDIEntityRef, _ counts: (sources: Int, destinations: Int)
  ) throws(AudioError) {
    try check(counts)
    try lock.withLock { () throws(AudioError) in
      let entity: Entity = try object(ref, orElse: kMIDIObjectNotFound)
      guard let device = entity.device, device.isExternal else {
        throw .notPermitted.because("entity \(ref) is not that of an external device")
      }
      let format =
        (entity.sources + entity.destinations).first?.format ?? .bytes
      setEndpoints(
        of: entity, format: format, identity: "external/\(device.name)/\(entity.name)", counts)
      resolveThruConnections()
      if isListed(device) { notify(.setup) }
    }
  }

  private func check(_ counts: (sources: Int, destinations: Int)) throws(AudioError) {
    let range = 0...Self.endpointLimit
    guard range.contains(counts.sources), range.contains(counts.destinations) else {
      throw .invalidArgument.because(
        "\(counts.sources) sources and \(counts.destinations) destinations; expected 0 to "
          + "\(Self.endpointLimit)")
    }
  }

  /// [control thread] Adds an external device to the list; again, it changes nothing.
  package func addExternalDevice(_ ref: MIDIDeviceRef) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      let device = try externalDevice(ref)
      guard !isListed(device) else { return }
      externalDevices.append(device)
      notify(.added(.init(device), to: .init(nil)), .setup)
    }
  }

  /// [control thread] Removes an external device from the list, and disposes of it.
  package func removeExternalDevice(_ ref: MIDIDeviceRef) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      let device = try externalDevice(ref)
      let wasListed = isListed(device)
      externalDevices.removeAll { $0 === device }
      for entity in device.entities { forget(entity) }
      objects[device.ref] = nil
      resolveThruConnections()
      if wasListed { notify(.removed(.init(device), from: .init(nil)), .setup) }
    }
  }

  private func externalDevice(_ ref: MIDIDeviceRef) throws(AudioError) -> Device {
    let device: Device = try object(ref, orElse: kMIDIObjectNotFound)
    guard device.isExternal else {
      throw .notPermitted.because("device \(ref) is one of the machine")
    }
    return device
  }

  private func isListed(_ device: Device) -> Bool { externalDevices.contains { $0 === device } }

  private func forget(_ entity: Entity) {
    for endpoint in entity.sources + entity.destinations { objects[endpoint.ref] = nil }
    objects[entity.ref] = nil
  }
}
