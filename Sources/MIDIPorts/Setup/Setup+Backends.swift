// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

// The ports of back ends, as devices and endpoints.
extension Setup {
  /// [control thread] Looks for ports again.
  package func rescan() {
    start()
    for backend in backends { backend.rescan() }
  }

  // MARK: Virtual endpoints

  /// [holding the lock] Shows a virtual endpoint to other programs, unless it is private.
  func publish(_ endpoint: Endpoint) {
    guard endpoint.integer(PropertyName.isPrivate) == 0 else { return }
    for (index, backend) in backends.enumerated() {
      backend.publish(
        VirtualPort(ref: endpoint.ref, name: endpoint.name, isSource: endpoint.isSource))
      guard endpoint.isSource else { continue }
      endpoint.receivers.set(
        Receiver(Self.receiverRef(index)) { [ref = endpoint.ref] list in
          backend.send(list, from: ref)
        })
    }
  }

  /// [holding the lock] No longer shows a virtual endpoint to other programs.
  func withdraw(_ endpoint: Endpoint) {
    for (index, backend) in backends.enumerated() {
      endpoint.receivers.remove(Self.receiverRef(index))
      backend.withdraw(endpoint.ref)
    }
  }

  /// A number for a back end among the receivers of a source; objects do not reach it.
  private static func receiverRef(_ index: Int) -> MIDIObjectRef { .max - MIDIObjectRef(index) }

  // MARK: Ports

  /// [holding the lock] A source of a back end is used while something is connected to it.
  func useBackendPort(of source: Endpoint) {
    guard let (backend, port) = backendPort(of: source) else { return }
    backend.use(port.id, !source.receivers.all.isEmpty)
  }

  private func backendPort(of endpoint: Endpoint) -> (any PortBackend, BackendPort)? {
    guard let port = endpoint.backendPort, let index = endpoint.backendIndex else { return nil }
    return (backends[index], port)
  }

  /// [any thread] The ports that a back end has now.
  func ports(of backend: any PortBackend, are ports: [BackendPort]) {
    guard let index = backends.firstIndex(where: { $0 === backend }) else { return }
    lock.withLock {
      let known = allEndpoints.filter { $0.backendIndex == index }
      for endpoint in known where endpoint.isPresent {
        if !ports.contains(where: { $0 == endpoint.backendPort }) { vanished(endpoint) }
      }
      for port in ports {
        let endpoint = known.first { $0.backendPort == port }
        if let endpoint, endpoint.isPresent { continue }
        appeared(port, index, endpoint)
      }
    }
  }

  private var allEndpoints: [Endpoint] {
    devices.flatMap { $0.entities.flatMap { $0.sources + $0.destinations } } + looseEndpoints
  }

  private func vanished(_ endpoint: Endpoint) {
    delivery.drop { $0 === endpoint }
    guard let device = endpoint.entity?.device else { return remove(loose: endpoint) }
    endpoint.isPresent = false
    let isGone = !allEndpoints.contains { $0.entity?.device === device && $0.isPresent }
    guard isGone else { return notify(.setup) }
    device.properties[PropertyName.offline] = .integer(1)
    notify(.property(PropertyName.offline, of: .init(device)), .setup)
  }

  private func appeared(_ port: BackendPort, _ index: Int, _ known: Endpoint?) {
    if let known, let device = known.entity?.device {
      known.isPresent = true
      useBackendPort(of: known)
      guard device.integer(PropertyName.offline) != 0 else { return notify(.setup) }
      device.properties[PropertyName.offline] = .integer(0)
      return notify(.property(PropertyName.offline, of: .init(device)), .setup)
    }
    let entity = port.isHardware ? entity(for: port, index) : nil
    let endpoint = Endpoint(
      nextRef(), isSource: port.isSource, name: port.name, format: port.format, entity: entity)
    endpoint.backendPort = port
    endpoint.backendIndex = index
    assignUniqueID(to: endpoint, from: "\(port.id)/\(port.isSource ? "source" : "destination")")
    if !port.isSource {
      let backend = backends[index]
      endpoint.receivers.set(
        Receiver(endpoint.ref, port.format) { backend.send($0, to: port.id) })
    }
    register(endpoint)
    guard let entity else { return add(loose: endpoint) }
    if port.isSource {
      entity.sources.append(endpoint)
    } else {
      entity.destinations.append(endpoint)
    }
    notify(.added(.init(endpoint), to: .init(entity)), .setup)
    resolveThruConnections()
  }

  /// The entity of a port of the machine: that of the port for the other direction, or a new one.
  private func entity(for port: BackendPort, _ index: Int) -> Entity {
    let device = devices.first { $0.backendIndex == index && $0.name == port.deviceName }
    if let device {
      let entity = device.entities.first { entity in
        entity.name == port.name && (port.isSource ? entity.sources : entity.destinations).isEmpty
      }
      if let entity { return entity }
    }
    let owner = device ?? addDevice(for: port, index)
    let entity = addEntity(
      to: owner, name: port.name, format: port.format, identity: "\(port.id)/entity",
      counts: (0, 0))
    notify(.added(.init(entity), to: .init(owner)))
    return entity
  }

  private func addDevice(for port: BackendPort, _ index: Int) -> Device {
    let device = Device(nextRef(), name: port.deviceName)
    device.backendIndex = index
    device.properties[PropertyName.model] = .string(port.deviceName)
    device.properties[PropertyName.manufacturer] = .string("")
    device.properties[PropertyName.driver] = .string("swift-audiotoolbox")
    assignUniqueID(to: device, from: "device/\(port.deviceName)")
    register(device)
    devices.append(device)
    notify(.added(.init(device), to: .init(nil)))
    return device
  }

  // MARK: Messages

  /// [any thread but the delivery thread] Messages from a source of a back end.
  func received(_ list: MessageList, from id: String, of backend: any PortBackend) {
    let source = lock.withLock {
      allEndpoints.first {
        $0.isSource && $0.isPresent && $0.backendPort?.id == id
          && $0.backendIndex.map { backends[$0] === backend } ?? false
      }
    }
    post(list, to: source)
  }

  /// [any thread but the delivery thread] Messages for a virtual destination.
  func received(_ list: MessageList, for destination: MIDIEndpointRef) {
    post(list, to: lock.withLock { objects[destination] as? Endpoint })
  }

  private func post(_ list: MessageList, to endpoint: Endpoint?) {
    guard let endpoint else { return }
    do throws(AudioError) {
      try delivery.post([Delivery(list, to: endpoint)])
    } catch {
      Explanations.log("MIDI from \(endpoint.ref) is lost: \(error.text)")
    }
  }
}
