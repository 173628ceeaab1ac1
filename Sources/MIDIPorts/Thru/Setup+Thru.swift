// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

// Thru connections.
extension Setup {
  /// [control thread] Creates a connection.
  package func createThruConnection(
    owner: String?, parameters bytes: [UInt8]
  ) throws(AudioError) -> MIDIThruConnectionRef {
    let parameters = try ThruParameters(bytes)
    defer { machine?.update(waits: true) }
    return lock.withLock {
      let connection = ThruConnection(nextRef(), owner: owner, parameters)
      register(connection)
      thruConnections.append(connection)
      resolveThruConnections()
      notify(.thruConnections)
      return connection.ref
    }
  }

  /// [control thread] The parameters of a connection, with the numbers and unique identifiers of its
  /// ends.
  package func thruParameters(
    of ref: MIDIThruConnectionRef
  ) throws(AudioError) -> [UInt8] {
    try lock.withLock { () throws(AudioError) in
      let connection: ThruConnection = try object(ref, orElse: kMIDIObjectNotFound)
      return connection.parameters.bytes
    }
  }

  /// [control thread] Changes the parameters of a connection.
  package func setThruParameters(
    _ bytes: [UInt8], of ref: MIDIThruConnectionRef
  ) throws(AudioError) {
    let parameters = try ThruParameters(bytes)
    defer { machine?.update(waits: true) }
    try lock.withLock { () throws(AudioError) in
      let connection: ThruConnection = try object(ref, orElse: kMIDIObjectNotFound)
      connection.parameters = parameters
      resolveThruConnections()
      notify(.thruConnections)
    }
  }

  /// [control thread] The connections of an owner.
  package func thruConnections(of owner: String) -> [MIDIThruConnectionRef] {
    lock.withLock { thruConnections.filter { $0.owner == owner }.map(\.ref) }
  }

  /// [control thread] Ends a connection.
  package func disposeThruConnection(_ ref: MIDIThruConnectionRef) throws(AudioError) {
    defer { machine?.update(waits: false) }
    try lock.withLock { () throws(AudioError) in
      let connection: ThruConnection = try object(ref, orElse: kMIDIObjectNotFound)
      objects[ref] = nil
      thruConnections.removeAll { $0 === connection }
      detach(connection)
      notify(.thruConnections)
    }
  }

  /// [under the lock] Connects the ends of all connections that exist now.
  func resolveThruConnections() {
    for connection in thruConnections {
      detach(connection)
      connection.parameters.resolve { end in
        let object = end.endpointRef == 0 ? nil : objects[end.endpointRef]
        guard let endpoint = (object ?? self.object(uniqueID: end.uniqueID)) as? Endpoint else {
          return nil
        }
        let id = endpoint.properties[PropertyName.uniqueID]?.integer ?? 0
        return MIDIThruConnectionEndpoint(
          endpointRef: endpoint.ref, uniqueID: MIDIUniqueID(truncatingIfNeeded: id))
      }
      let destinations = connection.parameters.destinations.compactMap {
        objects[$0.endpointRef] as? Endpoint
      }.filter { !$0.isSource }
      let sources = connection.parameters.sources.compactMap {
        objects[$0.endpointRef] as? Endpoint
      }.filter(\.isSource)
      guard !destinations.isEmpty else { continue }
      let rules = connection.parameters.rules
      for source in sources {
        source.receivers.set(
          Receiver(connection.ref, rules.isIdentity ? nil : .events1) { [weak self] list in
            self?.pass(list, by: rules, to: destinations)
          })
      }
      connection.sources = sources
    }
  }

  private func detach(_ connection: ThruConnection) {
    for source in connection.sources {
      source.receivers.remove(connection.ref)
    }
    connection.sources = []
  }

  /// [delivery thread] Passes a list on, each packet at its time, and after what is delivered now: a
  /// loop of connections would otherwise never return.
  private func pass(_ list: MessageList, by rules: ThruRules, to destinations: [Endpoint]) {
    guard let list = rules.isIdentity ? list : rules.apply(to: list) else { return }
    for destination in destinations {
      do throws(AudioError) {
        try send(list, to: destination)
      } catch {
        Explanations.log("MIDI of a thru connection is lost: \(error.text)")
      }
    }
  }
}
