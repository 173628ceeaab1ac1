// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

// Clients, ports and virtual endpoints.
extension Setup {
  // MARK: Clients

  /// [control thread] Creates a client, which is notified of changes by `listener`.
  package func createClient(
    name: String, listener: ChangeListener? = nil
  ) throws(AudioError) -> MIDIClientRef {
    // Before the client exists, so that it is not notified of what was there already.
    machine?.start()
    return lock.withLock {
      let client = Client(nextRef(), name: name, listener: listener)
      register(client)
      clients.append(client)
      return client.ref
    }
  }

  /// [control thread] Disposes of a client, its ports and its virtual endpoints.
  package func disposeClient(_ ref: MIDIClientRef) throws(AudioError) {
    let calls = try lock.withLock { () throws(AudioError) in
      let client: Client = try object(ref, orElse: kMIDIInvalidClient)
      clients.removeAll { $0 === client }
      objects[ref] = nil
      let ports: [ProgramCalls.Entry] = client.ports.flatMap { remove($0) }
      let endpoints: [ProgramCalls.Entry] = client.endpoints.flatMap { remove($0) }
      return ports + endpoints + [client.listener?.calls].compactMap(\.self)
    }
    ProgramCalls.shared.remove(calls)
    machine?.update(waits: true)
  }

  // MARK: Ports

  /// [control thread] Creates a port: for input with a function that receives, else for output.
  package func createPort(
    name: String, of client: MIDIClientRef, handler: MessageHandler? = nil
  ) throws(AudioError) -> MIDIPortRef {
    try lock.withLock { () throws(AudioError) in
      let client: Client = try object(client, orElse: kMIDIInvalidClient)
      let port = Port(nextRef(), name: name, of: client, handler: handler)
      register(port)
      client.ports.append(port)
      return port.ref
    }
  }

  /// [control thread] Disposes of a port. Its function is not called any more.
  package func disposePort(_ ref: MIDIPortRef) throws(AudioError) {
    let calls = try lock.withLock { () throws(AudioError) in
      let port: Port = try object(ref, orElse: kMIDIInvalidPort)
      port.client?.ports.removeAll { $0 === port }
      return remove(port)
    }
    ProgramCalls.shared.remove(calls)
    machine?.update(waits: false)
  }

  /// [under the lock] Removes a port; returns the calls of its function.
  private func remove(_ port: Port) -> [ProgramCalls.Entry] {
    objects[port.ref] = nil
    let calls = port.sources.compactMap { $0.receivers.remove(port.ref) }
    port.sources = []
    return calls
  }

  /// [control thread] Connects a source to an input port. If it was connected already, the function is
  /// not called with the earlier context any more.
  package func connect(
    _ source: MIDIEndpointRef, to port: MIDIPortRef, context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    let replaced = try lock.withLock { () throws(AudioError) in
      let (port, handler) = try inputPort(port)
      let source = try endpoint(source, isSource: true)
      if !port.sources.contains(where: { $0 === source }) { port.sources.append(source) }
      return source.receivers.set(Receiver(port.ref, handler, context))
    }
    ProgramCalls.shared.remove([replaced].compactMap(\.self))
    machine?.update(waits: true)
  }

  /// [control thread] Disconnects a source from an input port. The function is not called for it any
  /// more.
  package func disconnect(
    _ source: MIDIEndpointRef, from port: MIDIPortRef
  ) throws(AudioError) {
    let calls = try lock.withLock { () throws(AudioError) in
      let (port, _) = try inputPort(port)
      guard let source = objects[source] as? Endpoint,
        let index = port.sources.firstIndex(where: { $0 === source })
      else {
        throw .invalidArgument.because("\(source) is not connected to port \(port.ref)")
      }
      port.sources.remove(at: index)
      return source.receivers.remove(port.ref)
    }
    ProgramCalls.shared.remove([calls].compactMap(\.self))
    machine?.update(waits: false)
  }

  /// [under the lock] An input port, and its function.
  private func inputPort(
    _ ref: MIDIPortRef
  ) throws(AudioError) -> (Port, MessageHandler) {
    let port: Port = try object(ref, orElse: kMIDIInvalidPort)
    guard let handler = port.handler else {
      throw .invalidPort.because("\(ref) is an output port; sources are connected to input ports")
    }
    return (port, handler)
  }

  // MARK: Virtual endpoints

  /// [control thread] Creates a virtual source, which sends messages of a format.
  package func createSource(
    name: String, of client: MIDIClientRef, format: MessageFormat
  ) throws(AudioError) -> MIDIEndpointRef {
    try createEndpoint(name, client, format, handler: nil)
  }

  /// [control thread] Creates a virtual destination, whose messages a function receives.
  package func createDestination(
    name: String, of client: MIDIClientRef, handler: MessageHandler
  ) throws(AudioError) -> MIDIEndpointRef {
    try createEndpoint(name, client, handler.format, handler: handler)
  }

  private func createEndpoint(
    _ name: String, _ client: MIDIClientRef, _ format: MessageFormat, handler: MessageHandler?
  ) throws(AudioError) -> MIDIEndpointRef {
    defer { machine?.update(waits: true) }
    return try lock.withLock { () throws(AudioError) in
      let client: Client = try object(client, orElse: kMIDIInvalidClient)
      let isSource = handler == nil
      let endpoint = Endpoint(
        nextRef(), isSource: isSource, name: name, format: format, owner: client.ref)
      endpoint.properties[PropertyName.isPrivate] = .integer(0)
      if let handler {
        endpoint.receivers.set(Receiver(endpoint.ref, handler, nil))
      }
      let kind = isSource ? "source" : "destination"
      assignUniqueID(to: endpoint, from: "virtual/\(client.name)/\(name)/\(kind)")
      register(endpoint)
      client.endpoints.append(endpoint)
      virtualEndpoints.append(endpoint)
      notify(
        .added(.init(endpoint), to: .init(nil)),
        .property(PropertyName.name, of: .init(endpoint)), .setup)
      resolveThruConnections()
      return endpoint.ref
    }
  }

  /// [control thread] Disposes of a virtual endpoint. Its function, and those of the ports that it is
  /// connected to, are not called for it any more.
  package func disposeEndpoint(_ ref: MIDIEndpointRef) throws(AudioError) {
    let calls = try lock.withLock { () throws(AudioError) in
      let endpoint: Endpoint = try object(ref, orElse: kMIDIUnknownEndpoint)
      guard endpoint.isVirtual else {
        throw .notPermitted.because("endpoint \(ref) does not belong to a client of this process")
      }
      (objects[endpoint.owner] as? Client)?.endpoints.removeAll { $0 === endpoint }
      return remove(endpoint)
    }
    ProgramCalls.shared.remove(calls)
    machine?.update(waits: true)
  }

  /// [under the lock] Removes a virtual endpoint; returns the calls of the functions that receive from
  /// it.
  private func remove(_ endpoint: Endpoint) -> [ProgramCalls.Entry] {
    delivery.drop { $0 === endpoint }
    let calls = endpoint.receivers.removeAll()
    objects[endpoint.ref] = nil
    virtualEndpoints.removeAll { $0 === endpoint }
    for client in clients {
      for port in client.ports { port.sources.removeAll { $0 === endpoint } }
    }
    resolveThruConnections()
    notify(.removed(.init(endpoint), from: .init(nil)), .setup)
    return calls
  }

  /// [under the lock] A source or a destination.
  func endpoint(
    _ ref: MIDIEndpointRef, isSource: Bool
  ) throws(AudioError) -> Endpoint {
    let endpoint: Endpoint = try object(ref, orElse: kMIDIUnknownEndpoint)
    guard endpoint.isSource == isSource else {
      throw .wrongEndpointType.because(
        "endpoint \(ref) is a \(isSource ? "destination" : "source")")
    }
    return endpoint
  }
}
