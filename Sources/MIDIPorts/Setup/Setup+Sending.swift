// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CRealTime
import MIDIMessages

// What programs send.
extension Setup {
  /// [any thread] Sends packets through a port to a destination, each at its time.
  package func send(
    _ list: UnsafePointer<MIDIPacketList>, to destination: MIDIEndpointRef, from port: MIDIPortRef
  ) throws(AudioError) {
    let destination = try openDestination(destination, from: port)
    let now = rt_host_time()
    try post(MessageList(copying: list, now: now), to: destination, at: now)
  }

  /// [any thread] Sends events through a port to a destination, each at its time.
  package func send(
    _ list: UnsafePointer<MIDIEventList>, to destination: MIDIEndpointRef, from port: MIDIPortRef
  ) throws(AudioError) {
    let destination = try openDestination(destination, from: port)
    let now = rt_host_time()
    try post(MessageList(copying: list, now: now), to: destination, at: now)
  }

  /// A destination that has room.
  private func openDestination(
    _ ref: MIDIEndpointRef, from port: MIDIPortRef
  ) throws(AudioError) -> Endpoint {
    try lock.withLock { () throws(AudioError) in
      let port: Port = try object(port, orElse: kMIDIInvalidPort)
      guard port.handler == nil else {
        throw .invalidPort.because("\(port.ref) is an input port; messages leave by output ports")
      }
      let destination = try endpoint(ref, isSource: false)
      try checkRoom(destination)
      return destination
    }
  }

  /// [any thread] Sends a list to a destination, each packet at its time.
  func send(_ list: MessageList, to destination: Endpoint) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in try checkRoom(destination) }
    try post(list, to: destination, at: rt_host_time())
  }

  /// [any thread] Passes a list for a destination that has room to the delivery thread. `now` is the time
  /// of the call.
  private func post(
    _ list: MessageList, to destination: Endpoint, at now: UInt64
  ) throws(AudioError) {
    guard let latestTime = list.latestTime, latestTime > now,
      !lock.withLock({ destination.receivesAhead })
    else { return try delivery.post(Delivery(list, to: destination), at: now) }
    // Each run of packets with the same future time becomes a delivery, and so does all that is due.
    var deliveries: [Delivery] = []
    list.forEachRun(
      { $0 <= now ? 0 : $0 },
      { time, part in deliveries.append(Delivery(part, to: destination, at: time)) })
    try delivery.post(deliveries, at: now)
  }

  /// [any thread] Whether a destination exists, and is there if it is a port of the machine.
  package func isOnline(_ destination: MIDIEndpointRef) -> Bool {
    lock.withLock { (try? endpoint(destination, isSource: false))?.isPresent ?? false }
  }

  /// [under the lock] Refuses what a port of the machine cannot take now.
  private func checkRoom(_ destination: Endpoint) throws(AudioError) {
    guard let place = destination.place else { return }
    guard place.isPresent else {
      throw AudioError(status: kMIDIMessageSendErr).because(
        "destination \(destination.ref), \"\(destination.displayName)\", is offline")
    }
    guard place.link?.hasRoom != false else {
      throw AudioError(status: kMIDIMessageSendErr).because(
        "\"\(destination.displayName)\" has not taken the messages before; no room for more")
    }
  }

  /// [any thread] Sends packets from a virtual source to all that are connected to it.
  package func received(
    _ list: UnsafePointer<MIDIPacketList>, from source: MIDIEndpointRef
  ) throws(AudioError) {
    try received(MessageList(copying: list), from: source)
  }

  /// [any thread] Sends events from a virtual source to all that are connected to it.
  package func received(
    _ list: UnsafePointer<MIDIEventList>, from source: MIDIEndpointRef
  ) throws(AudioError) {
    try received(MessageList(copying: list), from: source)
  }

  private func received(_ list: MessageList, from ref: MIDIEndpointRef) throws(AudioError) {
    let source = try lock.withLock { () throws(AudioError) in
      let source = try endpoint(ref, isSource: true)
      guard source.isVirtual else {
        throw .notPermitted.because("source \(ref) does not belong to a client of this process")
      }
      return source
    }
    try delivery.post(Delivery(list, to: source))
  }

  /// [any thread] Drops what is scheduled for a destination; 0 is all destinations.
  package func flush(_ ref: MIDIEndpointRef) throws(AudioError) {
    guard ref != 0 else { return delivery.drop { _ in true } }
    let destination = try lock.withLock { () throws(AudioError) in
      try endpoint(ref, isSource: false)
    }
    delivery.drop { $0 === destination }
  }
}
