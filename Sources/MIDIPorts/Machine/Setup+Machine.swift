// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

// The ports of the machine as devices, entities and endpoints.
extension Setup: MachineOwner {
  /// [any thread] A number for something that receives.
  func newRef() -> MIDIObjectRef { lock.withLock { nextRef() } }

  /// [control thread] Looks for ports of the machine again.
  package func restart() { machine?.restart() }

  // MARK: Ports that come and go

  /// [machine thread] Makes the devices of a back end those whose ports exist now.
  ///
  /// What has gone is offline: hardware remains in the list of devices, and so does what something is
  /// connected to. When it returns, its connections continue.
  func update(
    _ ports: [MachinePort], of backend: String, sent: @escaping @Sendable (Bool) -> Void
  ) {
    lock.withLock {
      let present = Dictionary(ports.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      var hasChanged = false
      for endpoint in endpoints(of: backend) {
        guard let place = endpoint.place, place.isPresent,
          present[place.port.key]?.address != place.port.address
        else { continue }
        remove(endpoint)
        hasChanged = true
      }
      for port in ports where present[port.key] == port {
        hasChanged = add(port, of: backend, sent: sent) || hasChanged
      }
      forgetUnused(of: backend)
      guard hasChanged else { return }
      resolveThruConnections()
      notify(.setup)
    }
  }

  private func devices(of backend: String) -> [Device] {
    devices.filter { $0.origin?.backend == backend }
  }

  private func endpoints(of backend: String) -> [Endpoint] {
    devices(of: backend).flatMap { $0.entities.flatMap { $0.sources + $0.destinations } }
  }

  /// Adds or updates an endpoint; false if nothing changes.
  private func add(
    _ port: MachinePort, of backend: String, sent: @escaping @Sendable (Bool) -> Void
  ) -> Bool {
    let device = device(of: port, backend)
    let entity = entity(of: port, in: device, backend)
    let list = port.isSource ? entity.sources : entity.destinations
    if let endpoint = list.first, endpoint.place?.isPresent == true {
      guard endpoint.name != port.name, endpoint.place?.port.name != port.name else { return false }
      endpoint.properties[PropertyName.name] = .string(port.name)
      endpoint.place?.port = port
      notify(.property(PropertyName.name, of: .init(endpoint)))
      return true
    }
    let endpoint = list.first ?? makeEndpoint(of: port, in: entity, backend)
    var place = MachinePlace(backend: backend, port: port, isPresent: true)
    if !port.isSource {
      let link = MachineLink(to: port, name: port.name, sent: sent)
      place.link = link
      endpoint.receivers.set(Receiver(endpoint.ref, .bytes) { link.send($0) })
    }
    endpoint.place = place
    endpoint.properties[PropertyName.offline] = nil
    setOffline(device)
    notify(.added(.init(endpoint), to: .init(entity)))
    return true
  }

  private func device(of port: MachinePort, _ backend: String) -> Device {
    let origin = DeviceOrigin(backend: backend, id: port.deviceID)
    if let device = devices.first(where: { $0.origin == origin }) { return device }
    let device = Device(nextRef(), name: port.deviceName, origin: origin)
    device.properties[PropertyName.manufacturer] = .string("")
    device.properties[PropertyName.model] = .string(port.deviceName)
    device.properties[PropertyName.driver] = .string("swift-audiotoolbox.\(backend)")
    assignUniqueID(to: device, from: "\(backend)/\(port.deviceID)")
    register(device)
    devices.append(device)
    notify(.added(.init(device), to: .init(nil)))
    return device
  }

  private func entity(of port: MachinePort, in device: Device, _ backend: String) -> Entity {
    if let entity = device.entities.first(where: { $0.portID == port.portID }) { return entity }
    let entity = Entity(nextRef(), name: port.name, of: device, portID: port.portID)
    assignUniqueID(to: entity, from: "\(backend)/\(port.deviceID)/\(port.portID)")
    register(entity)
    device.entities.append(entity)
    return entity
  }

  private func makeEndpoint(
    of port: MachinePort, in entity: Entity, _ backend: String
  ) -> Endpoint {
    let endpoint = Endpoint(
      nextRef(), isSource: port.isSource, name: port.name, format: .bytes, entity: entity)
    let direction = port.isSource ? "source" : "destination"
    assignUniqueID(
      to: endpoint, from: "\(backend)/\(port.deviceID)/\(port.portID)/\(direction)")
    register(endpoint)
    if port.isSource { entity.sources = [endpoint] } else { entity.destinations = [endpoint] }
    return endpoint
  }

  /// Takes an endpoint whose port has gone out of the lists. What was to be sent to it is dropped.
  private func remove(_ endpoint: Endpoint) {
    endpoint.place?.link?.drop()
    endpoint.place?.link = nil
    endpoint.place?.isPresent = false
    if !endpoint.isSource { endpoint.receivers.remove(endpoint.ref) }
    delivery.drop { $0 === endpoint }
    endpoint.properties[PropertyName.offline] = .integer(1)
    notify(.removed(.init(endpoint), from: .init(endpoint.parent)))
    if let device = (endpoint.parent as? Entity)?.device { setOffline(device) }
  }

  /// Sets whether none of a device's endpoints exists.
  private func setOffline(_ device: Device) {
    let isOffline = !device.entities.contains { entity in
      (entity.sources + entity.destinations).contains { $0.place?.isPresent == true }
    }
    let value = PropertyList.integer(isOffline ? 1 : 0)
    guard device.properties[PropertyName.offline] != value else { return }
    device.properties[PropertyName.offline] = value
    notify(.property(PropertyName.offline, of: .init(device)))
  }

  /// Forgets ports of programs that have gone and that nothing is connected to.
  private func forgetUnused(of backend: String) {
    func isUnused(_ endpoint: Endpoint) -> Bool {
      guard let place = endpoint.place, !place.isPresent, !place.port.isHardware,
        endpoint.receivers.isEmpty
      else { return false }
      objects[endpoint.ref] = nil
      return true
    }
    for device in devices(of: backend) {
      for entity in device.entities {
        entity.sources.removeAll(where: isUnused)
        entity.destinations.removeAll(where: isUnused)
        if entity.sources.isEmpty, entity.destinations.isEmpty { objects[entity.ref] = nil }
      }
      device.entities.removeAll { objects[$0.ref] == nil }
      guard device.entities.isEmpty else { continue }
      objects[device.ref] = nil
      devices.removeAll { $0 === device }
      notify(.removed(.init(device), from: .init(nil)))
    }
  }

  // MARK: Links

  /// [machine thread] The endpoints that need a link of a back end: virtual ones, so that others see
  /// them, and those of its ports that something is connected to or was sent to.
  func wantedLinks(of backend: String) -> [MIDIObjectRef: WantedLink] {
    lock.withLock {
      var wanted: [MIDIObjectRef: WantedLink] = [:]
      for endpoint in virtualEndpoints where endpoint.integer(PropertyName.isPrivate) == 0 {
        wanted[endpoint.ref] = WantedLink(
          endpoint: endpoint, name: endpoint.name, peer: nil, link: nil)
      }
      for endpoint in endpoints(of: backend) {
        guard let place = endpoint.place, place.isPresent,
          place.link?.isInUse ?? !endpoint.receivers.isEmpty
        else { continue }
        wanted[endpoint.ref] = WantedLink(
          endpoint: endpoint, name: endpoint.name, peer: place.port, link: place.link)
      }
      return wanted
    }
  }

  /// [machine thread] A link for an endpoint that has none.
  func link(for want: WantedLink, sent: @escaping @Sendable (Bool) -> Void) -> MachineLink {
    guard !want.isPublishedSource else { return MachineLink(to: nil, name: want.name, sent: sent) }
    return MachineLink(from: want.peer, name: want.name) {
      [delivery, weak endpoint = want.endpoint] list in
      guard let endpoint else { return }
      do throws(AudioError) { try delivery.post(Delivery(list, to: endpoint)) } catch {
        Explanations.log("MIDI that arrived is lost: \(error.text)")
      }
    }
  }

  /// [machine thread] Sends what a virtual source sends to the machine, too.
  func publish(_ want: WantedLink, by link: MachineLink, as ref: MIDIObjectRef) {
    want.endpoint.receivers.set(Receiver(ref, .bytes) { link.send($0) })
  }

  /// [machine thread] Ends that.
  func withdraw(_ endpoint: MIDIObjectRef, _ ref: MIDIObjectRef) {
    let endpoint = lock.withLock { objects[endpoint] as? Endpoint }
    endpoint?.receivers.remove(ref)
  }
}
